// Loaded before the system's library into a program under test: once the file that
// DAMRAK_SYNC_FAILS_IF names is there, every msync and fsync fails as a broken disk makes it fail;
// as long as the one that DAMRAK_SYNC_WAITS_IF names is there, every fsync waits for a slow one.
#include <cerrno>
#include <cstdlib>

#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace {

bool is_there(const char* variable) {
    const char* const file = std::getenv(variable);
    return file != nullptr && ::access(file, F_OK) == 0;
}

bool fails() { return is_there("DAMRAK_SYNC_FAILS_IF"); }

}  // namespace

extern "C" int msync(void* address, size_t length, int flags) {
    if (!fails()) return static_cast<int>(::syscall(SYS_msync, address, length, flags));
    errno = EIO;
    return -1;
}

extern "C" int fsync(int descriptor) {
    constexpr useconds_t k_pause_us = 1'000;
    while (is_there("DAMRAK_SYNC_WAITS_IF"))
        ::usleep(k_pause_us);  // real time: for as long as the test wants
    if (!fails()) return static_cast<int>(::syscall(SYS_fsync, descriptor));
    errno = EIO;
    return -1;
}
