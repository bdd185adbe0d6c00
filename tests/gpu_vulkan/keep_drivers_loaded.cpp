// Software drivers leak; the leak checker can name (and tests/lsan.supp excuse) their frames only while they are loaded.
// Linked into the Vulkan test programs of sanitizer builds.
extern "C" int dlclose(void*);

extern "C" int dlclose(void*)
{
    return 0;
}
