// Options of `damrak load`, and the values that its parts exchange: instants of a run, its result.
// Plain values.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <damrak/client/load_schedule.hpp>
#include <damrak/client/load_settings.hpp>
#include <damrak/net/any_path.hpp>

#include "load/server.hpp"
#include "tls_options.hpp"

namespace damrak::app {

/// Command name for messages about wrong usage.
inline constexpr const char* k_load_command = "load";

[[nodiscard]] constexpr std::int64_t nanoseconds_of(double seconds) {
    return static_cast<std::int64_t>(seconds * 1e9);
}

/// When no answer has come for this long, none will.
inline constexpr std::int64_t k_give_up_ns = 10'000'000'000;

struct LoadOptions {
    std::string gateway = "binary";
    std::string protocol = "v1";
    std::string host = "127.0.0.1";
    std::uint16_t port = 12'345;
    std::uint32_t clients = 100;
    std::uint32_t threads = 1;
    double seconds = 10;
    std::uint64_t at_least = 0;  ///< answers; the measured time lasts until there are this many
    double warm_up_s = 1;
    std::string mix = "60/30/10";
    std::string prices = "uniform";
    bool echo = false;
    bool echo_only = false;
    bool spin = false;
    bool json = false;
    std::vector<std::string> api_keys{};
    // Open loop, if any of these is given: when requests are due.
    double rate = 0;  ///< requests a second of all clients together
    double ramp_s = 0;
    std::uint64_t burst = 0;
    double burst_every_ms = 100;
    double jitter_percent = 0;
    std::string schedule_file{};
    TlsOptions tls{};
    net::TlsContext::Shared tls_context{};             ///< null: none
    std::optional<client::LoadTimetable> timetable{};  ///< made of them

    std::int32_t server_process = 0;  ///< zero: that which listens on the port
    double watch_memory_s = 0;
    std::vector<std::string> hostile{};
    std::uint32_t hostile_rounds = 1;
    client::LoadSettings settings{};

    // Settings of the UDP gateway.
    net::PathChoice udp_path = net::PathChoice::automatic;
    std::string udp_interface{};
    net::XdpMode xdp_mode = net::XdpMode::automatic;
    bool busy_poll = false;
    bool one_way = false;  ///< sends without waiting for answers
    std::uint32_t orders_a_datagram = 1;
    double answer_timeout_s = 0.1;  ///< without an answer: what was asked is lost
    std::vector<unsigned> cores{};  ///< of the sender, and of the echo
};

/// Time of a monotonic clock.
[[nodiscard]] std::int64_t load_clock_ns();

struct LoadInstants {
    std::int64_t begin_ns = 0;    ///< the first request
    std::int64_t measure_ns = 0;  ///< what comes before is warm-up
    std::int64_t end_ns = 0;      ///< from here on the clients only tidy up
};

struct LoadResult {
    client::LoadTally tally{};
    double seconds = 0;  ///< that were measured
    bool interrupted = false;
    double cpu_user_s = 0;
    double cpu_system_s = 0;
    std::optional<ServerRun> server{};  ///< nothing: its process is not known, or not ours to see
};

}  // namespace damrak::app
