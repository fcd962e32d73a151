// Loaded before the system's library into a program under test, as libraries that bypass the kernel
// are: takes the place of send(). Each call is noted in the file that DAMRAK_SENDS_TO names: socket
// and number of bytes as two 32-bit numbers, then the bytes. With DAMRAK_SEND_AT_MOST, a call takes
// no more than so many bytes, and says so.
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

namespace {

int notes() {
    static const int file = [] {
        const char* const name = std::getenv("DAMRAK_SENDS_TO");
        constexpr mode_t k_mode = 0600;
        return name == nullptr ? -1
                               : ::open(name, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, k_mode);
    }();
    return file;
}

std::size_t most() {
    static const std::size_t bytes = [] {
        const char* const text = std::getenv("DAMRAK_SEND_AT_MOST");
        return text == nullptr ? SIZE_MAX : std::strtoull(text, nullptr, 10);
    }();
    return bytes;
}

}  // namespace

extern "C" ssize_t send(int socket, const void* bytes, size_t size, int flags) {
    const std::size_t taken = std::min(size, most());
    const ssize_t sent = ::syscall(SYS_sendto, socket, bytes, taken, flags, nullptr, 0);
    if (sent > 0) {
        std::array<std::uint32_t, 2> head{static_cast<std::uint32_t>(socket),
                                          static_cast<std::uint32_t>(sent)};
        const std::array<iovec, 2> parts{
            iovec{head.data(), sizeof head},
            iovec{const_cast<void*>(bytes), static_cast<std::size_t>(sent)}};
        if (::writev(notes(), parts.data(), static_cast<int>(parts.size())) < 0) std::abort();
    }
    return sent;
}
