#include <damrak/lab/instruction_counter.hpp>

#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace damrak::lab {

namespace {

int open_counter() {
    perf_event_attr attributes{};
    attributes.type = PERF_TYPE_HARDWARE;
    attributes.size = sizeof attributes;
    attributes.config = PERF_COUNT_HW_INSTRUCTIONS;
    attributes.exclude_kernel = 1;
    attributes.exclude_hv = 1;
    constexpr int k_this_thread = 0;
    constexpr int k_any_core = -1;
    constexpr int k_no_group = -1;
    return static_cast<int>(syscall(SYS_perf_event_open, &attributes, k_this_thread, k_any_core,
                                    k_no_group, PERF_FLAG_FD_CLOEXEC));
}

}  // namespace

InstructionCounter::InstructionCounter() : descriptor_(open_counter()) {}

InstructionCounter::~InstructionCounter() {
    if (available()) close(descriptor_);
}

std::optional<std::int64_t> InstructionCounter::read() const {
    std::int64_t count = 0;
    if (!available() || ::read(descriptor_, &count, sizeof count) != sizeof count)
        return std::nullopt;
    return count;
}

}  // namespace damrak::lab
