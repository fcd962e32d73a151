// Loaded before the system's library into a program under test, as libraries that bypass the kernel
// are: takes the place of send(). Each call is noted in the file that DAMRAK_SENDS_TO names: socket
// and number of bytes as two 32-bit numbers, then the bytes. With DAMRAK_SEND_AT_MOST, a call takes
// no more than that many bytes, and says so. With DAMRAK_SPOIL=TYPE:OFFSET:DELTA:N, DELTA is added
// to the eight bytes at this offset of each N-th message of this type of the binary protocol: a
// fault of the exchange, for those who look for faults.
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

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

struct Spoil {
    unsigned type = 0;  ///< zero: nothing is spoiled
    unsigned offset = 0;
    long delta = 0;
    unsigned each = 1;
};

const Spoil& spoil() {
    static const Spoil wanted = [] {
        Spoil read;
        const char* const text = std::getenv("DAMRAK_SPOIL");
        if (text == nullptr) return read;
        const int found =
            std::sscanf(text, "%u:%u:%ld:%u", &read.type, &read.offset, &read.delta, &read.each);
        if (found != 4) std::abort();
        return read;
    }();
    return wanted;
}

// Calls carry whole messages as long as the reader keeps up, which it does in the tests.
const void* spoiled(const void* bytes, std::size_t size) {
    constexpr std::size_t k_header = 16;
    static std::array<unsigned char, std::size_t{1} << 20U> memory;
    static unsigned seen = 0;
    const Spoil& wanted = spoil();
    if (wanted.type == 0 || size > memory.size()) return bytes;
    std::memcpy(memory.data(), bytes, size);
    for (std::size_t at = 0; at + k_header <= size;) {
        unsigned char* const message = &memory[at];
        at += k_header + message[2] * 256U + message[3];
        if (at > size || message[0] != wanted.type || ++seen % wanted.each != 0) continue;
        std::uint64_t value = 0;
        unsigned char* const field = message + k_header + wanted.offset;
        std::memcpy(&value, field, sizeof value);
        value =
            __builtin_bswap64(__builtin_bswap64(value) + static_cast<std::uint64_t>(wanted.delta));
        std::memcpy(field, &value, sizeof value);
    }
    return memory.data();
}

}  // namespace

extern "C" ssize_t send(int socket, const void* given, size_t size, int flags) {
    const std::size_t taken = std::min(size, most());
    const void* const bytes = spoiled(given, taken);
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
