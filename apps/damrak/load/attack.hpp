// Clients that do what an exchange should survive: they do not read, do not write, write one byte
// at a time, write without end, write nonsense, or come and go. One thread of its own, which yields
// the processor to others that want it, so that what is measured beside it is the exchange.
//
// Made by `damrak load --hostile`; works from its construction to stop(). What an attack is held
// against is measured beside a twin of this thread, which takes the processor too and does no harm.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <optional>
#include <thread>

#include <damrak/net/address.hpp>

namespace damrak::app {

enum class Attack : std::uint8_t {
    slow_reader,     ///< 8 clients order as fast as they can and never read an answer
    half_open,       ///< 500 connections stop in the middle of a header, for good
    byte_at_a_time,  ///< 50 clients write valid orders a byte a packet
    flood,           ///< 4 clients order as fast as they can and read all answers
    random,          ///< 8 connections write random bytes, half of them behind a valid header
    connect_storm,   ///< 10,000 connections a second are made and closed
};
inline constexpr std::array<const char*, 6> k_attack_names{
    "slow-reader", "half-open", "byte-at-a-time", "flood", "random", "connect-storm"};

/// At most at a time, of any attack.
inline constexpr std::uint32_t k_attack_connections = 500;

struct AttackCounts {
    std::uint64_t connections = 0;
    std::uint64_t ended_by_server = 0;
    std::uint64_t sent_bytes = 0;
    double seconds = 0;
};

class AttackThread {
  public:
    /// Without an attack: the control run.
    AttackThread(std::optional<Attack> attack, const net::SocketAddress& server,
                 std::uint64_t seed);
    AttackThread(const AttackThread&) = delete;
    AttackThread& operator=(const AttackThread&) = delete;

    /// Bytes of an attack have been sent; for another thread to look at.
    [[nodiscard]] bool has_begun() const { return has_begun_.load(std::memory_order_relaxed); }
    /// Closes all its connections; what it did.
    [[nodiscard]] AttackCounts stop();

  private:
    AttackCounts counts_;
    std::atomic<bool> has_begun_{false};
    std::jthread thread_;
};

}  // namespace damrak::app
