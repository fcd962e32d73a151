// Runs a piece of work in a process of its own, so that its peak memory is its own too.
#pragma once

#include <array>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <type_traits>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace damrak::bench {

template <class Result>
struct ChildResult {
    Result result;
    std::uint64_t peak_memory_bytes;
};

// `work()` returns a plain value, which comes back through a pipe; nothing when the child could not
// be started or did not come to its end. The caller has no other threads.
template <class Work, class Result = std::invoke_result_t<Work>>
[[nodiscard]] std::optional<ChildResult<Result>> run_in_child(Work&& work) {
    static_assert(std::is_trivially_copyable_v<Result>);
    std::array<int, 2> ends{};
    if (pipe(ends.data()) != 0) return std::nullopt;
    const pid_t child = fork();
    if (child == 0) {
        close(ends[0]);
        const Result result = work();
        _exit(write(ends[1], &result, sizeof result) == sizeof result ? EXIT_SUCCESS
                                                                      : EXIT_FAILURE);
    }
    close(ends[1]);
    ChildResult<Result> outcome{};
    const bool complete =
        child > 0 && read(ends[0], &outcome.result, sizeof outcome.result) == sizeof outcome.result;
    close(ends[0]);
    rusage usage{};
    int status = 0;
    if (child > 0 && wait4(child, &status, 0, &usage) != child) return std::nullopt;
    outcome.peak_memory_bytes = static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
    return complete && status == 0 ? std::optional{outcome} : std::nullopt;
}

}  // namespace damrak::bench
