#include "progress.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <system_error>

#include <fmt/format.h>
#include <unistd.h>

#include "cli.hpp"
#include "say.hpp"

namespace damrak::app {

namespace {

constexpr auto k_redraw_interval = std::chrono::milliseconds{100};
constexpr int k_bar_width = 24;

std::string bar(double share) {
    // Eighths of a block, so that slow work still moves.
    static constexpr const char* k_eighths[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
    const int eighths = static_cast<int>(share * k_bar_width * 8);
    std::string text;
    for (int i = 0; i < eighths / 8; ++i) text += "█";
    text += k_eighths[eighths % 8];
    const int used = (eighths + 7) / 8;
    return text + std::string(static_cast<std::size_t>(k_bar_width - used), ' ');
}

std::string duration(double seconds) {
    const std::int64_t whole_s = std::llround(seconds);
    if (whole_s >= 3600) return fmt::format("{}h{:02}m", whole_s / 3600, whole_s / 60 % 60);
    if (whole_s >= 60) return fmt::format("{}m{:02}s", whole_s / 60, whole_s % 60);
    return fmt::format("{}s", whole_s);
}

// Without colour or line control, at most 79 columns for labels of up to 16.
std::string progress_text(const std::string& label, std::uint64_t done_bytes,
                          std::uint64_t total_bytes, std::uint64_t messages, double elapsed_s) {
    const double rate = elapsed_s > 0 ? static_cast<double>(messages) / elapsed_s : 0;
    const std::string speed = fmt::format("{:.1f} M msg/s", rate / 1e6);
    if (total_bytes == 0)
        return fmt::format("{} {} messages {}", label, grouped(static_cast<std::int64_t>(messages)),
                           speed);
    const double share =
        std::min(1.0, static_cast<double>(done_bytes) / static_cast<double>(total_bytes));
    const std::string left =
        share > 0 ? duration(elapsed_s * (1 - share) / share) + " left" : std::string{};
    return fmt::format("{} ▕{}▏{:3.0f}% {} {}", label, bar(share), share * 100, speed, left);
}

}  // namespace

std::uint64_t size_of(const std::filesystem::path& path) {
    std::error_code unknown;
    const auto bytes = std::filesystem::file_size(path, unknown);
    return unknown ? 0 : bytes;
}

ProgressBar::ProgressBar(std::string label, std::uint64_t total_bytes)
    : label_{std::move(label)}, total_bytes_{total_bytes}, visible_{isatty(STDERR_FILENO) == 1} {}

ProgressBar::~ProgressBar() { clear(); }

void ProgressBar::clear() {
    if (!drawn_) return;
    say("\r\x1b[K");
    drawn_ = false;
}

void ProgressBar::draw_if_due(std::uint64_t done_bytes, std::uint64_t messages) {
    const Clock::time_point now = Clock::now();
    if (now < next_draw_) return;
    next_draw_ = now + k_redraw_interval;
    const double elapsed_s = std::chrono::duration<double>(now - begin_).count();
    say("\r\x1b[K{}", progress_text(label_, done_bytes, total_bytes_, messages, elapsed_s));
    drawn_ = true;
}

}  // namespace damrak::app
