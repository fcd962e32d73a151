// Editor of one input line: cursor, history, completion. Independent of a terminal: keys arrive as
// calls. ASCII; a call costs the length of the line.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace damrak::client {

class LineEditor {
  public:
    /// Candidates for the last word of a line; see complete_command().
    using Complete = std::function<std::vector<std::string>(std::string_view line)>;

    static constexpr std::size_t k_longest_line = 200;
    static constexpr std::size_t k_longest_history = 500;

    explicit LineEditor(Complete complete) : complete_(std::move(complete)) {}

    void insert(char c);
    void backspace();
    void remove();
    void left() { cursor_ -= std::size_t{cursor_ > 0}; }
    void right() { cursor_ += std::size_t{cursor_ < line_.size()}; }
    void home() { cursor_ = 0; }
    void end() { cursor_ = line_.size(); }
    void clear();
    void remove_word();
    /// Moves to an earlier line or a later one; after the latest the unfinished input returns.
    void up();
    void down();
    /// Completes the last word as far as it is unique. Returns the candidates if it is not.
    std::vector<std::string> complete();
    /// Ends the line and adds it to the history.
    std::string enter();

    [[nodiscard]] const std::string& line() const { return line_; }
    [[nodiscard]] std::size_t cursor() const { return cursor_; }

  private:
    void show(std::size_t place);

    Complete complete_;
    std::string line_;
    std::size_t cursor_ = 0;
    std::vector<std::string> history_;
    std::size_t place_ = 0;  ///< in the history; past its end: the current input
    std::string typed_;      ///< the input, while an earlier line is shown
};

}  // namespace damrak::client
