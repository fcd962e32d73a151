// The market data feed of MiniExchange version 2: datagrams to messages and back. One message a
// datagram, big-endian:
//
//   header 16     0: u64 sequence (over the whole feed, from 0); 8: u32 instrument;
//                 12: u16 payload length; 14: u8 type; 15: u8 version, 1
//   delta 24      0: u64 price; 8: u64 quantity; 16: u8 0 add, 1 reduce; 17: u8 side; 18: padding
//   snapshot      0: u16 bid levels; 2: u16 ask levels; 4: u8 phase; 5: u8 call; 6: u8 cause;
//   8 + 16 n      7: u8 1 if halted; then bids, then asks, best first, each u64 price, u64 quantity
//
// Prices count 0.01 (see messages.hpp). Total: any bytes are a message or a named fault. Pure
// functions for any thread, without allocation; a snapshot's levels are read where they lie.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <span>
#include <string_view>
#include <variant>

#include <damrak/domain/identifiers.hpp>
#include <damrak/domain/order_terms.hpp>

namespace damrak::wire::binary {

inline constexpr std::size_t k_feed_header_bytes = 16;
inline constexpr std::size_t k_feed_delta_bytes = 24;
inline constexpr std::size_t k_feed_snapshot_bytes = 8;  ///< without levels
inline constexpr std::size_t k_feed_level_bytes = 16;
inline constexpr std::uint8_t k_feed_version = 1;
/// Levels per side in a published snapshot.
inline constexpr std::size_t k_feed_levels = 64;
inline constexpr std::size_t k_largest_feed_datagram =
    k_feed_header_bytes + k_feed_snapshot_bytes + 2 * k_feed_levels * k_feed_level_bytes;

/// The beginning of each datagram of the L2 feed.
struct FeedHeader {
    std::uint64_t sequence = 0;
    InstrumentId instrument{};
    friend bool operator==(const FeedHeader&, const FeedHeader&) = default;
};

/// A price level; prices in cents.
struct FeedLevel {
    std::int64_t price_e2 = 0;
    std::uint64_t quantity = 0;
    friend bool operator==(const FeedLevel&, const FeedLevel&) = default;
};

/// A price level gains or loses this quantity.
struct FeedDelta {
    std::int64_t price_e2 = 0;
    std::uint64_t quantity = 0;
    bool reduce = false;
    Side side{};
    friend bool operator==(const FeedDelta&, const FeedDelta&) = default;
};

/// Levels inside the bytes of a datagram.
class FeedLevels {
  public:
    FeedLevels() = default;
    explicit FeedLevels(std::span<const std::byte> bytes) : bytes_(bytes) {}
    [[nodiscard]] std::size_t size() const { return bytes_.size() / k_feed_level_bytes; }
    [[nodiscard]] FeedLevel operator[](std::size_t i) const;

  private:
    std::span<const std::byte> bytes_;
};

/// What the instrument does with its orders, as domain/order_terms.hpp numbers it. All zero, as the
/// original sends it, is continuous trading. A value may be one of a later version.
struct FeedState {
    Phase phase{};
    CallKind call{};
    HaltCause cause{};
    bool halted = false;
    friend bool operator==(const FeedState&, const FeedState&) = default;
};

/// All levels of an instrument that the feed shows.
struct FeedSnapshot {
    FeedLevels bids;
    FeedLevels asks;
    FeedState state{};
};

/// A decoded datagram.
struct FeedMessage {
    FeedHeader header{};
    std::variant<FeedDelta, FeedSnapshot> body;
};

enum class FeedFault : std::uint8_t {
    too_short,        ///< shorter than its header, or than the header says
    unknown_version,  ///< not 1
    unknown_type,     ///< neither delta nor snapshot
    wrong_length,     ///< the payload's length does not match its type and levels
    wrong_value,      ///< an invalid side or action
};
/// One clause: what is wrong.
[[nodiscard]] std::string_view describe(FeedFault fault);

/// A longer datagram has a tail, which is ignored.
[[nodiscard]] std::expected<FeedMessage, FeedFault> decode_feed(
    std::span<const std::byte> datagram);

// Each writes a whole datagram and returns its length; `to` must be large enough.
std::size_t encode_feed(const FeedHeader& header, const FeedDelta& delta, std::span<std::byte> to);
/// At most 65,535 levels a side.
std::size_t encode_feed(const FeedHeader& header, std::span<const FeedLevel> bids,
                        std::span<const FeedLevel> asks, std::span<std::byte> to,
                        const FeedState& state = {});

}  // namespace damrak::wire::binary
