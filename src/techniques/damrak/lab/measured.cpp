#include <damrak/lab/measured.hpp>

#include <ctime>

#include <damrak/lab/instruction_counter.hpp>
#include <damrak/lab/profiler_request.hpp>

namespace damrak::lab {

std::int64_t now_ns(Clock clock) {
    timespec now{};
    clock_gettime(clock == Clock::cpu ? CLOCK_THREAD_CPUTIME_ID : CLOCK_MONOTONIC, &now);
    return now.tv_sec * std::int64_t{1'000'000'000} + now.tv_nsec;
}

namespace detail {

Sample run_measured_part(std::int64_t operations, Clock clock, void (*work)(void* context),
                         void* context) {
    static thread_local const InstructionCounter counter;
    const auto instructions_before = counter.read();
    tell_profiler(ProfilerRequest::zero);
    const std::int64_t begin_ns = now_ns(clock);
    work(context);
    const std::int64_t end_ns = now_ns(clock);
    tell_profiler(ProfilerRequest::dump);
    const auto instructions_after = counter.read();
    Sample sample{.operations = operations, .elapsed_ns = end_ns - begin_ns};
    if (instructions_before && instructions_after)
        sample.instructions = *instructions_after - *instructions_before;
    return sample;
}

}  // namespace detail

}  // namespace damrak::lab
