// A progress bar on stderr for work over a known number of bytes: share done, rate, time left.
// Drawn only on a terminal and at most ten times a second; elsewhere every call is a comparison.
// Used by one thread. Erases itself when it ends, so that results stand alone.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string>

namespace damrak::app {

/// Of a file, as the total of a progress bar; zero if it is not known.
[[nodiscard]] std::uint64_t size_of(const std::filesystem::path& path);

class ProgressBar {
  public:
    /// `total_bytes` zero: unknown, and only count and rate are shown.
    ProgressBar(std::string label, std::uint64_t total_bytes);
    ~ProgressBar();
    ProgressBar(const ProgressBar&) = delete;
    ProgressBar& operator=(const ProgressBar&) = delete;

    void update(std::uint64_t done_bytes, std::uint64_t messages) {
        if (visible_) draw_if_due(done_bytes, messages);
    }
    void clear();

  private:
    using Clock = std::chrono::steady_clock;

    void draw_if_due(std::uint64_t done_bytes, std::uint64_t messages);

    std::string label_;
    std::uint64_t total_bytes_;
    bool visible_;
    bool drawn_{false};
    Clock::time_point begin_{Clock::now()};
    Clock::time_point next_draw_{begin_};
};

}  // namespace damrak::app
