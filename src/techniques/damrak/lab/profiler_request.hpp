// Marks the start and end of the measured part for callgrind, so that it dumps the counts of that
// part alone. The instruction sequence is the client request of valgrind on x86-64 (Valgrind
// manual, "The client request mechanism"); without valgrind it is five instructions without effect.
// Called by measured().
#pragma once

#include <array>
#include <cstdint>

namespace damrak::lab {

enum class ProfilerRequest : std::uint32_t {
    dump = 0x43540000,  ///< write the counts since the last of these requests
    zero = 0x43540001
};

inline void tell_profiler([[maybe_unused]] ProfilerRequest request) {
#if defined(__x86_64__)
    const std::array<std::uint64_t, 6> words{static_cast<std::uint64_t>(request)};
    std::uint64_t answer = 0;
    asm volatile(  // NOLINT(hicpp-no-assembler): there is no other way to say it
        "rolq $3, %%rdi; rolq $13, %%rdi; rolq $61, %%rdi; rolq $51, %%rdi; xchgq %%rbx, %%rbx"
        : "+d"(answer)
        : "a"(words.data())
        : "cc", "memory");
#endif
}

}  // namespace damrak::lab
