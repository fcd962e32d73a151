// A program on its own terminal, as a person uses it: keys in, a screen out. For system tests;
// waits for expected output.
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
    /// Waits for the text on the screen; false: patience is over.
    [[nodiscard]] bool shows(std::string_view text);
    void signal(int number) const;
    /// Waits for it to block in a write, as it does after Ctrl-S; false: patience is over.
    [[nodiscard]] bool is_held_back() const;
    /// The terminal disappears, as when a window is closed. True if the program then ends.
    [[nodiscard]] bool ends_without_terminal();
    /// Waits for its end; returns the exit code.
    [[nodiscard]] int exit_code();

    [[nodiscard]] const VtScreen& screen() const { return screen_; }
    /// All its output.
    [[nodiscard]] const std::string& output() const { return output_; }

  private:
    bool read_some(int timeout_ms);

    VtScreen screen_;
    std::string output_;
    int terminal_ = -1;
    pid_t process_ = -1;
};

}  // namespace damrak::testing
