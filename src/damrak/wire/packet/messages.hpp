// The messages of the packet protocol as plain values, the same for its three formats. Made by
// decode.hpp, taken by encode.hpp; used by the door, clients and tools. docs/protocols/packet.md.
#pragma once

// Prices count 0.01. A field that a format does not have keeps its default.

#include <array>
#include <cstddef>
#include <cstdint>

#include <damrak/domain/identifiers.hpp>
#include <damrak/domain/measures.hpp>
#include <damrak/domain/order_terms.hpp>

namespace damrak::wire::packet {

/// Told apart by the length of the datagram, and by the magic number of the last.
enum class Format : std::uint8_t {
    none = 0,
    packed = 1,    ///< 18 bytes, big-endian: the public one
    words = 2,     ///< 24 bytes, six little-endian words: its twin
    extended = 3,  ///< ours: a header and several orders
};

enum class Action : std::uint8_t { new_order = 1, cancel = 2, modify = 3 };

/// What a participant identifies itself with, where the exchange asks for it; zeros: nothing.
using Key = std::array<std::byte, 16>;

/// One order, or a change of one, as any of the formats states it.
struct Order {
    std::uint32_t sequence = 0;
    ClientOrderId name{};  ///< the sender's own, of its open order
    std::uint32_t price_e2 = 0;
    std::uint32_t quantity = 0;
    std::uint32_t stop_price_e2 = 0;
    std::uint32_t expire_s = 0;  ///< since the Unix epoch, of good till date
    InstrumentId instrument{};   ///< zero: the one that the door is set to
    Action action = Action::new_order;
    Side side = Side::buy;
    OrderType type = OrderType::limit;
    TimeInForce time_in_force = TimeInForce::day;
    friend bool operator==(const Order&, const Order&) = default;
};

/// A trade as the public format tells it. Zero: the order of another participant.
struct Trade {
    std::uint32_t bid = 0;
    std::uint32_t ask = 0;
    std::uint32_t price_e2 = 0;
    std::uint32_t quantity = 0;
    friend bool operator==(const Trade&, const Trade&) = default;
};

/// What a datagram of the extended format is.
enum class Kind : std::uint8_t {
    orders = 1,
    begin = 2,  ///< numbers begin anew, behind the one in the header
    replies = 3,
};

struct Header {
    Kind kind = Kind::orders;
    std::uint16_t count = 0;     ///< of orders or replies behind it
    std::uint32_t sequence = 0;  ///< of the first of them
    Key key{};                   ///< orders and begin only
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

/// Why the door refused by itself: above all reasons of the exchange.
enum class Refusal : std::uint8_t {
    none = 0,
    duplicate_sequence = 200,  ///< this number came already
    old_sequence = 201,        ///< too far back to tell whether it did
    wrong_key = 202,           ///< not one that may trade
    too_many_messages = 203,   ///< more than the sender is allowed
    no_room = 204,             ///< the exchange takes no more senders
    malformed = 205,           ///< a field that no order has
    busy = 206,                ///< for now; this number may come again
    far_sequence = 207,        ///< too far ahead to be the next
};

/// An answer of the extended format.
struct Reply {
    ReplyKind kind = ReplyKind::accepted;
    Side side = Side::buy;
    std::uint8_t reason = 0;     ///< of the exchange (Reason) or of the door (Refusal)
    std::uint32_t sequence = 0;  ///< of what it answers; of an execution: of the order
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
