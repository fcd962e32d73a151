#include "support/child_process.hpp"

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <damrak/base/assert.hpp>

namespace damrak {

namespace {

constexpr int k_found = 3;

void write_all(int descriptor, std::string_view text) {
    while (!text.empty()) {
        const ssize_t written = ::write(descriptor, text.data(), text.size());
        if (written <= 0) return;
        text.remove_prefix(static_cast<std::size_t>(written));
    }
}

std::string read_all(int descriptor) {
    std::string text;
    std::array<char, 4096> buffer{};
    for (;;) {
        const ssize_t count = ::read(descriptor, buffer.data(), buffer.size());
        if (count > 0)
            text.append(buffer.data(), static_cast<std::size_t>(count));
        else if (count == 0 || errno != EINTR)
            return text;
    }
}

[[noreturn]] void be_child(const std::function<std::optional<std::string>()>& check,
                           unsigned cpu_limit_s, bool silent, int out) {
    if (silent) {
        const int nowhere = ::open("/dev/null", O_WRONLY);
        static_cast<void>(::dup2(nowhere, STDERR_FILENO));
    }
    // Processor time, so that machine load causes no failure.
    const rlimit limit{.rlim_cur = cpu_limit_s, .rlim_max = cpu_limit_s + 1};
    ::setrlimit(RLIMIT_CPU, &limit);
    const auto finding = check();
    if (finding) write_all(out, *finding);
    // An ordinary exit, so that sanitizers and coverage can report.
    std::exit(finding ? k_found : 0);
}

}  // namespace

std::optional<std::string> run_in_child(const std::function<std::optional<std::string>()>& check,
                                        unsigned cpu_limit_s, bool silent) {
    std::array<int, 2> pipe{};
    DAMRAK_ASSERT(::pipe(pipe.data()) == 0);
    std::fflush(nullptr);
    const pid_t child = ::fork();
    DAMRAK_ASSERT(child >= 0);
    if (child == 0) be_child(check, cpu_limit_s, silent, pipe[1]);
    ::close(pipe[1]);
    std::string text = read_all(pipe[0]);
    ::close(pipe[0]);
    int status = 0;
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return std::nullopt;
    if (WIFEXITED(status) && WEXITSTATUS(status) == k_found) return text;
    if (WIFSIGNALED(status)) return fmt::format("ended by signal {}", WTERMSIG(status));
    return fmt::format("ended with exit code {}", WEXITSTATUS(status));
}

}  // namespace damrak
