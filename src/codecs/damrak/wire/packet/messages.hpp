// The messages of the packet protocol as plain values, the same for its three formats. Made by
// decode.hpp, read by encode.hpp; used by the gateway, clients and tools. See
// docs/protocols/packet.md.
#pragma once

// Prices count 0.01. A field that a format does not have keeps its default.

#include <array>
#include <cstddef>
#include <cstdint>

#include <damrak/domain/identifiers.hpp>
#include <damrak/domain/measures.hpp>
#include <damrak/domain/order_terms.hpp>

namespace damrak::wire::packet {

/// Identified by the length of the datagram, and the extended format by its magic number.
enum class Format : std::uint8_t {
    none = 0,
    packed = 1,    ///< 18 bytes, big-endian: the public format
    words = 2,     ///< 24 bytes, six little-endian words: its variant
    extended = 3,  ///< our own: a header and several orders
};

enum class Action : std::uint8_t { new_order = 1, cancel = 2, modify = 3 };

/// The order types of the extended format after those of the engine. Each says what the second
/// price is: none, or a distance.
enum class Terms : std::uint8_t {
    plain = 0,
    to_limit = 4,             ///< a market order; its rest keeps the price that it found
    trailing_stop = 5,        ///< distance from the last trade
    trailing_stop_limit = 6,  ///< the same
    primary_peg = 7,          ///< distance away from the market; a price is its limit
    market_peg = 8,           ///< the same
    midpoint_peg = 9,         ///< the same
    imbalance_only = 10,      ///< a limit order for an auction
};
[[nodiscard]] constexpr bool is_valid(Terms v) {
    return v == Terms::plain || (v >= Terms::to_limit && v <= Terms::imbalance_only);
}

/// Identifies a participant, if the exchange requires it; zeros: none.
using Key = std::array<std::byte, 16>;

/// One order, or a change of one, in any of the formats.
struct Order {
    std::uint32_t sequence = 0;
    ClientOrderId name{};  ///< the sender's name for its order
    std::uint32_t price_e2 = 0;
    std::uint32_t quantity = 0;
    std::uint32_t stop_price_e2 = 0;
    std::uint32_t expire_s = 0;  ///< since the Unix epoch, for good till date
    InstrumentId instrument{};   ///< zero: the gateway's configured instrument
    Action action = Action::new_order;
    Side side = Side::buy;
    OrderType type = OrderType::limit;
    Terms terms = Terms::plain;  ///< else it gives the type
    TimeInForce time_in_force = TimeInForce::day;
    friend bool operator==(const Order&, const Order&) = default;
};

/// A trade in the public format. Zero: the order of another participant.
struct Trade {
    std::uint32_t bid = 0;
    std::uint32_t ask = 0;
    std::uint32_t price_e2 = 0;
    std::uint32_t quantity = 0;
    friend bool operator==(const Trade&, const Trade&) = default;
};

/// Kinds of datagrams in the extended format.
enum class Kind : std::uint8_t {
    orders = 1,
    begin = 2,  ///< restart numbering after the number in the header
    replies = 3,
};

/// The header of a datagram of the extended format.
struct Header {
    Kind kind = Kind::orders;
    std::uint16_t count = 0;     ///< of the orders or replies that follow
    std::uint32_t sequence = 0;  ///< of the first of them
    Key key{};                   ///< only in orders and begin
    friend bool operator==(const Header&, const Header&) = default;
};

enum class ReplyKind : std::uint8_t {
    accepted = 1,
    rejected = 2,
    executed = 3,
    cancelled = 4,
    modified = 5,
    begun = 6,
};

/// Rejects by the gateway itself. The values are above all reasons of the exchange.
enum class Refusal : std::uint8_t {
    none = 0,
    duplicate_sequence = 200,  ///< this number was received before
    old_sequence = 201,        ///< too old to check for duplicates
    wrong_key = 202,           ///< not the key of a participant
    too_many_messages = 203,   ///< above the sender's message rate
    no_room = 204,             ///< no capacity for another sender
    malformed = 205,           ///< an invalid field
    busy = 206,                ///< temporarily overloaded; send the same number again
    far_sequence = 207,        ///< too far ahead to be the next number
};

/// An answer in the extended format.
struct Reply {
    ReplyKind kind = ReplyKind::accepted;
    Side side = Side::buy;
    std::uint8_t reason = 0;     ///< of the exchange (Reason) or of the gateway (Refusal)
    std::uint32_t sequence = 0;  ///< of the answered order; in an execution: of the order
    ClientOrderId name{};
    OrderId order_id{};
    TradeId trade_id{};
    std::uint32_t price_e2 = 0;
    std::uint32_t quantity = 0;
    std::uint32_t remaining = 0;
    InstrumentId instrument{};
    Timestamp time{};
    friend bool operator==(const Reply&, const Reply&) = default;
};

/// A price unit on the wire is a hundred of the exchange's.
inline constexpr std::int64_t k_price_units = 100;
[[nodiscard]] constexpr Price price_of(std::uint32_t price_e2) {
    return {static_cast<std::int64_t>(price_e2) * k_price_units};
}
[[nodiscard]] constexpr std::uint32_t price_e2_of(Price price) {
    return static_cast<std::uint32_t>(price.value / k_price_units);
}

}  // namespace damrak::wire::packet
