#include "support/counted_work.hpp"

#include <csignal>

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

namespace damrak::testing {

namespace {

// With the trap flag the processor raises SIGTRAP after each instruction. The counter is in memory
// that both processes share.
volatile std::uint64_t* steps = nullptr;

void count_step(int /*signal*/) { *steps = *steps + 1; }

// Beyond the red zone, which the compiler may be using.
[[gnu::noinline]] void step_from_here() {
    asm volatile(
        "lea -128(%%rsp), %%rsp\n pushfq\n orq $0x100, (%%rsp)\n popfq\n lea 128(%%rsp), %%rsp" ::
            : "memory", "cc");
}
[[gnu::noinline]] void step_to_here() {
    asm volatile(
        "lea -128(%%rsp), %%rsp\n pushfq\n andq $~0x100, (%%rsp)\n popfq\n lea 128(%%rsp), %%rsp" ::
            : "memory", "cc");
}

}  // namespace

std::optional<std::uint64_t> instructions_of(const std::function<void()>& work) {
    void* const shared = ::mmap(nullptr, sizeof(std::uint64_t), PROT_READ | PROT_WRITE,
                                MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED) return std::nullopt;
    steps = static_cast<volatile std::uint64_t*>(shared);
    const pid_t child = ::fork();
    if (child == 0) {
        static_cast<void>(::signal(SIGTRAP, count_step));
        step_from_here();
        work();
        step_to_here();
        ::_exit(0);
    }
    int status = -1;
    const bool has_worked = child > 0 && ::waitpid(child, &status, 0) == child && status == 0;
    const std::uint64_t count = *steps;
    ::munmap(shared, sizeof(std::uint64_t));
    if (!has_worked || count == 0) return std::nullopt;
    return count;
}

}  // namespace damrak::testing
