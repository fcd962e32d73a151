#include "support/terminal_program.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <string>
#include <utility>

#include <poll.h>
#include <pty.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <damrak/base/assert.hpp>

#include "support/eventually.hpp"

namespace damrak::testing {

TerminalProgram::TerminalProgram(const std::vector<std::string>& arguments, unsigned short width,
                                 unsigned short height, const char* kind)
    : screen_(width, height) {
    std::vector<std::string> copies = arguments;
    std::vector<char*> pointers;
    for (std::string& argument : copies) pointers.push_back(argument.data());
    pointers.push_back(nullptr);
    winsize size{.ws_row = height, .ws_col = width, .ws_xpixel = 0, .ws_ypixel = 0};
    process_ = ::forkpty(&terminal_, nullptr, nullptr, &size);
    DAMRAK_ASSERT(process_ >= 0);
    if (process_ == 0) {
        ::setenv("TERM", kind, 1);
        ::setenv("NCURSES_NO_PADDING", "1", 1);
        ::unsetenv("LINES");
        ::unsetenv("COLUMNS");
        ::execv(pointers[0], pointers.data());
        ::_exit(127);
    }
}

TerminalProgram::~TerminalProgram() {
    if (process_ > 0) {
        ::kill(process_, SIGKILL);
        static_cast<void>(exit_code());
    }
    if (terminal_ >= 0) ::close(terminal_);
}

void TerminalProgram::type(std::string_view keys) const {
    DAMRAK_ASSERT(::write(terminal_, keys.data(), keys.size()) ==
                  static_cast<ssize_t>(keys.size()));
}

void TerminalProgram::resize(unsigned short width, unsigned short height) {
    screen_.resize(width, height);
    const winsize size{.ws_row = height, .ws_col = width, .ws_xpixel = 0, .ws_ypixel = 0};
    DAMRAK_ASSERT(::ioctl(terminal_, TIOCSWINSZ, &size) == 0);
}

bool TerminalProgram::read_some(int timeout_ms) {
    pollfd waiting{.fd = terminal_, .events = POLLIN, .revents = 0};
    if (::poll(&waiting, 1, timeout_ms) != 1) return true;
    std::array<char, 65'536> memory{};
    const ssize_t got = ::read(terminal_, memory.data(), memory.size());
    if (got <= 0) return false;
    const std::string_view bytes{memory.data(), static_cast<std::size_t>(got)};
    screen_.write(bytes);
    output_ += bytes;
    return true;
}

bool TerminalProgram::shows(std::string_view text) {
    const auto on_screen = [&] { return screen_.text().find(text) != std::string::npos; };
    bool is_open = true;
    return turns_until([&] { is_open = read_some(50); }, [&] { return on_screen() || !is_open; }) &&
           on_screen();
}

void TerminalProgram::signal(int number) const { ::kill(process_, number); }

bool TerminalProgram::is_held_back() const {
    const std::string writes = std::to_string(SYS_write) + " ";
    return eventually([&] {
        // "running", or the number of the call in which it waits, and its arguments.
        std::ifstream call{"/proc/" + std::to_string(process_) + "/syscall"};
        std::string line;
        return std::getline(call, line) && line.starts_with(writes);
    });
}

bool TerminalProgram::ends_without_terminal() {
    ::close(std::exchange(terminal_, -1));
    if (!eventually([this] { return ::waitpid(process_, nullptr, WNOHANG) == process_; }))
        return false;
    process_ = -1;
    return true;
}

int TerminalProgram::exit_code() {
    // Reads remaining output, which would otherwise block its exit.
    while (read_some(patience_ms())) {
        int status = 0;
        if (::waitpid(process_, &status, WNOHANG) == 0) continue;
        process_ = -1;
        while (read_some(0)) {
            pollfd more{.fd = terminal_, .events = POLLIN, .revents = 0};
            if (::poll(&more, 1, 0) != 1) break;
        }
        return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    }
    int status = 0;
    while (::waitpid(process_, &status, 0) < 0 && errno == EINTR) continue;
    process_ = -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace damrak::testing
