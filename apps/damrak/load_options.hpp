// What a user may ask of `damrak load`, and what the parts of it hand to each other: options, the
// instants of a run, its result. Plain values.
#pragma once

#include <cstdint>
#include <string>

#include <damrak/client/load_settings.hpp>

namespace damrak::app {

struct LoadOptions {
    std::string door = "binary";
    std::string host = "127.0.0.1";
    std::uint16_t port = 12'345;
    std::uint32_t clients = 100;
    std::uint32_t threads = 1;
    double seconds = 10;
    double warm_up_s = 1;
    std::uint64_t rate = 0;  ///< requests a second of all clients together; zero: closed loop
    std::string mix = "60/30/10";
    bool echo = false;
    bool spin = false;
    bool json = false;
    client::LoadSettings settings{};
};

/// Of one clock, which never goes back.
[[nodiscard]] std::int64_t load_clock_ns();

struct LoadInstants {
    std::int64_t begin_ns = 0;    ///< the first request
    std::int64_t measure_ns = 0;  ///< what comes before is warm-up
    std::int64_t end_ns = 0;      ///< from here on the clients only tidy up
    std::int64_t give_up_ns = 0;  ///< answers that are missing now never come
};

struct LoadResult {
    client::LoadTally tally{};
    double seconds = 0;  ///< that were measured
    double cpu_user_s = 0;
    double cpu_system_s = 0;
};

}  // namespace damrak::app
