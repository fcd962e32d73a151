// Loaded before the system's library into a program under test: once the file that
// DAMRAK_SYNC_FAILS_IF names is there, every msync and fsync fails as a broken disk makes it fail.
#include <cerrno>
#include <cstdlib>

#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace {

bool fails() {
    const char* const file = std::getenv("DAMRAK_SYNC_FAILS_IF");
    return file != nullptr && ::access(file, F_OK) == 0;
}

}  // namespace

extern "C" int msync(void* address, size_t length, int flags) {
    if (!fails()) return static_cast<int>(::syscall(SYS_msync, address, length, flags));
    errno = EIO;
    return -1;
}

extern "C" int fsync(int descriptor) {
    if (!fails()) return static_cast<int>(::syscall(SYS_fsync, descriptor));
    errno = EIO;
    return -1;
}
