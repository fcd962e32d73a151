// The screen of a vt100 terminal as a program draws it, as far as curses uses it. Bytes in, rows
// out; unknown sequences are stored, so that a test can reject them.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace damrak::testing {

class VtScreen {
  public:
    VtScreen(std::size_t width, std::size_t height) { resize(width, height); }

    void resize(std::size_t width, std::size_t height);
    void write(std::string_view bytes);

    /// Without trailing blanks.
    [[nodiscard]] std::string row(std::size_t y) const;
    /// All rows, each with a line break.
    [[nodiscard]] std::string text() const;
    [[nodiscard]] std::size_t height() const { return rows_.size(); }
    [[nodiscard]] const std::string& unknown() const { return unknown_; }

  private:
    void character(char c);
    void sequence(char final);
    void erase_line(std::size_t from, std::size_t to);
    void line_feed();
    void reverse_feed();
    [[nodiscard]] std::size_t parameter(std::size_t i, std::size_t otherwise) const;

    std::size_t width_ = 0;
    std::vector<std::string> rows_;
    std::size_t x_ = 0;
    std::size_t y_ = 0;
    std::size_t top_ = 0;     ///< of the scrolling region
    std::size_t bottom_ = 0;  ///< its last row
    std::string pending_;     ///< an incomplete sequence
    std::string unknown_;
};

}  // namespace damrak::testing
