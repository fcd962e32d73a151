// A program on a terminal of its own, as a person has it: keys in, a screen out. For system tests;
// it waits for what shall be seen, for seconds at most.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <sys/types.h>

#include "support/vt_screen.hpp"

namespace damrak::testing {

class TerminalProgram {
  public:
    /// `arguments` begin with the program.
    explicit TerminalProgram(const std::vector<std::string>& arguments, unsigned short width = 80,
                             unsigned short height = 24, const char* kind = "vt100");
    TerminalProgram(const TerminalProgram&) = delete;
    TerminalProgram& operator=(const TerminalProgram&) = delete;
    /// Kills it if it still runs.
    ~TerminalProgram();

    void type(std::string_view keys) const;
    void resize(unsigned short width, unsigned short height);
    /// Whether the text comes to be on the screen.
    [[nodiscard]] bool shows(std::string_view text);
    void signal(int number) const;
    /// Whether it comes to wait in a write, as it does after Ctrl-S.
    [[nodiscard]] bool is_held_back() const;
    /// The terminal is gone, as when a window is closed. True if the program ends then.
    [[nodiscard]] bool ends_without_terminal();
    /// Waits for its end; the exit code.
    [[nodiscard]] int exit_code();

    [[nodiscard]] const VtScreen& screen() const { return screen_; }
    /// All that it ever wrote.
    [[nodiscard]] const std::string& output() const { return output_; }

  private:
    bool read_some(int timeout_ms);

    VtScreen screen_;
    std::string output_;
    int terminal_ = -1;
    pid_t process_ = -1;
};

}  // namespace damrak::testing
