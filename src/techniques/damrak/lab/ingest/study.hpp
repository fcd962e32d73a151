// The ingest study: orders in datagrams to a matching engine and trades back, between two virtual
// network cards. Steps lead from a plain socket and a book of maps to AF_XDP and the product's
// engine. The engine's side is one thread; one step has three threads with rings. The sender is the
// same in every step: recorded packets on its own thread; a flood may have more senders. Needs
// root. Called by `damrak lab ingest` and by the experiment of the same name.
//
// Each step measures: - the round trip of an order that trades, one at a time, without load; - the
// published workload: bursts of 2,000 orders with pauses between them; - the same orders at a
// steady rate, far below the capacity of any step; - a flood at the senders' full speed: orders and
// trades a second in slices of 2.5 ms; - the orders of the flood from memory: the engine's side
// alone. The latency of a trade is reported twice: from the earlier of its two orders, which mostly
// measures the wait for the other one, and from the later one, which made the trade possible. Lost
// orders of each load are counted.
#pragma once

#include <cstdint>
#include <expected>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <damrak/base/histogram.hpp>
#include <damrak/net/xdp_path.hpp>

namespace damrak::lab::ingest {

enum class Way : std::uint8_t { one_socket_call_each, xdp };

/// What the engine's thread does when it has no input.
enum class Idle : std::uint8_t {
    block,   ///< sleeps in the kernel
    hybrid,  ///< polls some thousand times, then sleeps
    spin,    ///< polls
};

/// Threads from the datagram to the trade.
enum class Threads : std::uint8_t {
    one,
    three,  ///< receiver, engine and publisher, with rings between them
};

/// A step of the study: what it changes in the way of an order.
struct Step {
    std::string_view name;
    std::string_view what;  ///< the change from the previous step
    Way way;
    std::size_t rung;  ///< of the ladder, gives the engine
    std::size_t receive_frames;
    std::size_t send_frames;
    Idle idle;
    bool pinned;
    net::XdpMode mode;
    Threads threads = Threads::one;
};

/// From the basic step on; the last is the product's engine in generic mode.
[[nodiscard]] std::span<const Step> steps();
/// The target of the other steps: the product's engine on one thread, in native mode.
[[nodiscard]] std::size_t product_step();

/// How long and how much the study measures.
struct Options {
    double seconds = 0.5;  ///< per load and step
    std::uint32_t round_trips = 5'000;
    std::uint32_t paced_per_s = 50'000;
    std::uint32_t senders = 1;  ///< in the flood
    std::uint64_t seed = 42;
};

/// One of the loads of a step.
struct Load {
    std::uint64_t sent = 0;      ///< orders and cancels
    std::uint64_t received = 0;  ///< of these, by the engine
    Histogram from_earlier_ns{};
    Histogram from_later_ns{};

    /// Fraction of the sent orders, from 0 to 1.
    [[nodiscard]] double lost() const {
        return sent <= received ? 0.0
                                : static_cast<double>(sent - received) / static_cast<double>(sent);
    }
    void merge(const Load& other) {
        sent += other.sent;
        received += other.received;
        from_earlier_ns.merge(other.from_earlier_ns);
        from_later_ns.merge(other.from_later_ns);
    }
};

/// The figures of a step.
struct Run {
    std::vector<double> orders_per_s;  ///< of the flood, by slice
    std::vector<double> trades_per_s;
    Load bursts{};
    Load paced{};
    Load flood{};
    /// By slice, from recorded packets in memory, without card and sender.
    std::vector<double> recorded_per_s;
    Histogram round_trip_ns{};
    std::uint64_t fill_empty = 0;    ///< AF_XDP: times the card found no free frame
    std::uint64_t kernel_drops = 0;  ///< lost before the engine's side received them
    std::uint64_t in_slices = 0;     ///< orders of the flood in whole slices
    std::int64_t elapsed_ns = 0;     ///< of all slices
    std::string path{};              ///< of the engine, in words
};

[[nodiscard]] std::expected<Run, std::string> run_step(const Step& step, const Options& options);

}  // namespace damrak::lab::ingest
