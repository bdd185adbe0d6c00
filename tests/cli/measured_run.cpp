// tests/cli/measured_run.cpp - runs a program and writes "STATUS CPU_SECONDS PEAK_BYTES" to descriptor 3: wait status, user and
// system time, the most memory held. A process of its own, because the kernel counts what the caller of exec held before it
// towards the program's peak; this one holds next to nothing. usage: measured_run PROGRAM [ARGUMENT...]
#include <cstdio>
#include <fcntl.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

int main(int argc, char** argv)
{
    constexpr int kResult = 3;
    pid_t child = 0;
    int status = 0;
    struct rusage usage = {};
    if (argc < 2 || fcntl(kResult, F_SETFD, FD_CLOEXEC) != 0 || posix_spawn(&child, argv[1], nullptr, nullptr, argv + 1, environ) != 0 ||
        wait4(child, &status, 0, &usage) != child)
        return 127;
    const double seconds = static_cast<double>(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
                           1e-6 * static_cast<double>(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
    dprintf(kResult, "%d %.6f %lld\n", status, seconds, static_cast<long long>(usage.ru_maxrss) * 1024);
    return 0;
}
