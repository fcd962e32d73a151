// Due times of the requests of an open-loop run: a rate that may change every second, spread evenly
// or with jitter, plus bursts. A function of its parameters alone; it does not choose the requests.
//
// Used by the threads of `damrak load`, each for its share of the clients. A due time costs a few
// floating-point operations.
#pragma once

#include <cstdint>
#include <expected>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <damrak/base/random.hpp>

namespace damrak::client {

/// From this second on the rate changes linearly from `rate` to `rate_at_end`, which it reaches at
/// the start of the next stretch.
struct RateStretch {
    double begin_s = 0;
    double rate = 0;
    double rate_at_end = 0;
};

/// When a load generator sends: rates by stretches of time, with jitter.
struct LoadTimetable {
    std::vector<RateStretch> stretches{};  ///< by time; the last continues at its `rate`
    double jitter = 0;         ///< every request is late by up to this part of the time to the next
    std::uint64_t burst = 0;   ///< this many requests at one instant,
    double burst_every_s = 0;  ///< at these intervals, the first after one interval
    std::uint64_t seed = 1;
};

/// Lines `second,rate`, with or without that heading, in ascending order from second 0; `#` begins
/// a comment. Errors give the line number.
[[nodiscard]] std::expected<std::vector<RateStretch>, std::string> parse_rates(
    std::string_view text);

class LoadSchedule {
  public:
    static constexpr std::int64_t k_never = std::numeric_limits<std::int64_t>::max();

    /// Part number `part` of `parts` (the sizes of all parts, such as the clients of each thread).
    LoadSchedule(LoadTimetable timetable, std::span<const std::uint32_t> parts, std::size_t part);

    /// Due time of the next request, in nanoseconds from the start; never decreases. k_never: no
    /// more.
    [[nodiscard]] std::int64_t due_ns() const { return due_ns_; }
    /// The request was sent: moves to the next.
    void advance();

  private:
    void advance_steady();
    void advance_burst();
    void choose();

    LoadTimetable timetable_;
    double share_;  ///< of the rate
    std::uint64_t burst_share_;
    RandomStream random_;
    std::size_t stretch_ = 0;
    double at_s_ = 0;  ///< of the last steady request, without its jitter
    std::int64_t steady_ns_ = k_never;
    std::int64_t burst_ns_ = k_never;
    std::uint64_t burst_left_ = 0;
    std::uint64_t bursts_ = 0;
    std::int64_t due_ns_ = k_never;
};

}  // namespace damrak::client
