// Counters of a gateway: plain numbers of the polling thread, published periodically
// (Probe::published()).
#pragma once

#include <array>
#include <cstdint>

#include <damrak/telemetry/records.hpp>

namespace damrak::telemetry {

struct Counters {
    std::array<std::uint64_t, k_request_kinds> requests{};  ///< handled, by RequestKind
    std::uint64_t accepted_connections = 0;
    std::uint64_t closed_connections = 0;
    std::uint64_t ended_by_exchange = 0;                ///< closed by the exchange
    std::array<std::uint64_t, k_event_kinds> events{};  ///< reported by the exchange, by EventKind
    std::uint64_t traded_quantity = 0;
    std::uint64_t turns = 0;
    std::uint64_t busy_turns = 0;  ///< turns that found a message
    std::uint64_t reads = 0;
    std::uint64_t writes = 0;
    std::uint64_t received_bytes = 0;
    std::uint64_t sent_bytes = 0;
    std::uint64_t timed_messages = 0;
    std::uint64_t untimed_messages = 0;  ///< due, but too many were being timed
    std::uint64_t lost_records = 0;      ///< the ring to the collector was full

    [[nodiscard]] std::uint64_t count_of(RequestKind kind) const {
        return requests[static_cast<std::size_t>(kind)];
    }
    [[nodiscard]] std::uint64_t count_of(EventKind kind) const {
        return events[static_cast<std::size_t>(kind)];
    }
    /// Each trade is reported to both sides.
    [[nodiscard]] std::uint64_t trades() const { return count_of(EventKind::executed) / 2; }
    [[nodiscard]] std::uint64_t messages() const {
        std::uint64_t sum = 0;
        for (const std::uint64_t of_kind : requests) sum += of_kind;
        return sum;
    }
};

}  // namespace damrak::telemetry
