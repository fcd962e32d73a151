#include "support/vt_screen.hpp"

#include <algorithm>
#include <charconv>

namespace damrak::testing {

namespace {

constexpr char k_escape = '\x1b';

}  // namespace

void VtScreen::resize(std::size_t width, std::size_t height) {
    width_ = width;
    rows_.resize(height);
    for (std::string& row : rows_) row.resize(width, ' ');
    top_ = 0;
    bottom_ = height - 1;
    x_ = std::min(x_, width - 1);
    y_ = std::min(y_, height - 1);
}

std::string VtScreen::row(std::size_t y) const {
    return rows_[y].substr(0, rows_[y].find_last_not_of(' ') + 1);
}

std::string VtScreen::text() const {
    std::string text;
    for (std::size_t y = 0; y < rows_.size(); ++y) text += row(y) + '\n';
    return text;
}

void VtScreen::write(std::string_view bytes) {
    for (const char c : bytes) {
        if (pending_.empty() && c != k_escape) {
            character(c);
            continue;
        }
        pending_ += c;
        if (pending_.size() < 2) continue;
        const char kind = pending_[1];
        if (kind == '[') {
            if (pending_.size() > 2 && c >= '@' && c <= '~') {
                sequence(c);
                pending_.clear();
            }
        } else if (kind == '(' || kind == ')') {
            if (pending_.size() == 3) pending_.clear();  // character sets
        } else {
            if (kind == 'M') reverse_feed();
            if (std::string_view{"M=>78"}.find(kind) == std::string_view::npos)
                unknown_ += "ESC" + pending_.substr(1) + ' ';
            pending_.clear();
        }
    }
}

void VtScreen::character(char c) {
    if (c == '\r') {
        x_ = 0;
    } else if (c == '\n') {
        line_feed();
    } else if (c == '\b') {
        x_ -= std::size_t{x_ > 0};
    } else if (c == '\t') {
        x_ = std::min((x_ / 8 + 1) * 8, width_ - 1);
    } else if (c >= ' ' && c <= '~') {
        if (x_ == width_) {
            x_ = 0;
            line_feed();
        }
        rows_[y_][x_++] = c;
    }
}

void VtScreen::sequence(char final) {
    const auto down = [](std::size_t from, std::size_t by) { return from > by ? from - by : 0; };
    switch (final) {
        case 'H':
        case 'f':
            y_ = std::min(parameter(0, 1) - 1, rows_.size() - 1);
            x_ = std::min(parameter(1, 1) - 1, width_ - 1);
            break;
        case 'A':
            y_ = down(y_, parameter(0, 1));
            break;
        case 'B':
            y_ = std::min(y_ + parameter(0, 1), rows_.size() - 1);
            break;
        case 'C':
            x_ = std::min(x_ + parameter(0, 1), width_ - 1);
            break;
        case 'D':
            x_ = down(x_, parameter(0, 1));
            break;
        case 'J':
            erase_line(parameter(0, 0) == 0 ? x_ : 0, width_);
            for (std::size_t y = 0; y < rows_.size(); ++y)
                if (parameter(0, 0) == 2 || y > y_) rows_[y].assign(width_, ' ');
            break;
        case 'K':
            erase_line(parameter(0, 0) == 0 ? x_ : 0,
                       parameter(0, 0) == 1 ? std::min(x_ + 1, width_) : width_);
            break;
        case 'r':
            top_ = parameter(0, 1) - 1;
            bottom_ = std::min(parameter(1, rows_.size()), rows_.size()) - 1;
            x_ = y_ = 0;
            break;
        case 'm':
        case 'h':
        case 'l':
            break;  // colours, modes
        default:
            unknown_ += "ESC" + pending_.substr(1) + ' ';
    }
}

void VtScreen::erase_line(std::size_t from, std::size_t to) {
    for (std::size_t x = from; x < to; ++x) rows_[y_][x] = ' ';
}

void VtScreen::line_feed() {
    if (y_ != bottom_) {
        y_ = std::min(y_ + 1, rows_.size() - 1);
        return;
    }
    rows_.erase(rows_.begin() + static_cast<std::ptrdiff_t>(top_));
    rows_.insert(rows_.begin() + static_cast<std::ptrdiff_t>(bottom_), std::string(width_, ' '));
}

void VtScreen::reverse_feed() {
    if (y_ != top_) {
        y_ -= std::size_t{y_ > 0};
        return;
    }
    rows_.erase(rows_.begin() + static_cast<std::ptrdiff_t>(bottom_));
    rows_.insert(rows_.begin() + static_cast<std::ptrdiff_t>(top_), std::string(width_, ' '));
}

std::size_t VtScreen::parameter(std::size_t i, std::size_t otherwise) const {
    std::string_view rest = std::string_view{pending_}.substr(2);
    for (; i > 0; --i) {
        const std::size_t next = rest.find(';');
        if (next == std::string_view::npos) return otherwise;
        rest.remove_prefix(next + 1);
    }
    std::size_t value = 0;
    const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), value);
    return error == std::errc{} && end != rest.data() ? value : otherwise;
}

}  // namespace damrak::testing
