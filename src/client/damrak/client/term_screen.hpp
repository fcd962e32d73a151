// The screen of `damrak term` as a grid of characters with styles: a pure function of the model and
// the size. The caller copies it to the terminal.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <damrak/client/detail/line_editor.hpp>
#include <damrak/client/term_model.hpp>

namespace damrak::client {

enum class TermStyle : std::uint8_t { plain, dim, bright, title, bid, ask, good, bad };

/// A grid of characters with styles that is drawn at once.
class TermCanvas {
  public:
    /// One character of the grid.
    struct Cell {
        char character = ' ';
        TermStyle style{};
        friend bool operator==(const Cell&, const Cell&) = default;
    };

    TermCanvas(std::size_t width, std::size_t height)
        : width_(width), height_(height), cells_(width * height) {}

    [[nodiscard]] std::size_t width() const { return width_; }
    [[nodiscard]] std::size_t height() const { return height_; }
    [[nodiscard]] const Cell& at(std::size_t x, std::size_t y) const {
        return cells_[y * width_ + x];
    }
    /// Cuts off what does not fit; replaces unprintable characters by question marks.
    void put(std::size_t x, std::size_t y, std::string_view text, TermStyle style = {});
    void fill(std::size_t x, std::size_t y, std::size_t width, char character,
              TermStyle style = {});
    /// The row without trailing blanks.
    [[nodiscard]] std::string row(std::size_t y) const;

    std::size_t cursor_x = 0;
    std::size_t cursor_y = 0;

  private:
    std::size_t width_;
    std::size_t height_;
    std::vector<Cell> cells_;
};

/// Below this size the screen only says that it is too small.
inline constexpr std::size_t k_least_term_width = 60;
inline constexpr std::size_t k_least_term_height = 16;

[[nodiscard]] TermCanvas draw_term(const TermModel& model, const LineEditor& editor,
                                   std::size_t width, std::size_t height);

}  // namespace damrak::client
