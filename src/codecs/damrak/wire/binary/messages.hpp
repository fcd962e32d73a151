// The messages of the MiniExchange protocol as plain values, one set for both versions. Made by
// decode.hpp and read by encode.hpp; used by sessions, clients and tools. No cost of their own.
#pragma once

// Quantities and prices are the eight bytes of the wire as an unsigned number. Version 1 treats
// them as signed, so its negative numbers exceed the largest signed number here and are rejected in
// both versions, except as prices of instruments that have such prices. Prices count 0.01. A field
// that a version does not have stays zero.

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <variant>

#include <damrak/domain/identifiers.hpp>
#include <damrak/domain/measures.hpp>

namespace damrak::wire::binary {

/// Identifies a connection for its client; counted from 1 in the order of acceptance, never reused.
using ClientId = Identifier<struct ClientIdTag, std::uint64_t>;
using ApiKey = std::array<std::byte, 16>;

enum class Version : std::uint8_t { none = 0, v1 = 1, v2 = 2 };

/// The header of a message.
struct Header {
    std::uint8_t type = 0;  ///< its number in that version
    Version version{};
    std::uint16_t payload_length = 0;
    std::uint32_t client_sequence = 0;
    std::uint32_t server_sequence = 0;
    friend bool operator==(const Header&, const Header&) = default;
};

/// Client: logs in.
struct Hello {
    ApiKey api_key{};  ///< version 1 only
    friend bool operator==(const Hello&, const Hello&) = default;
};
/// Exchange: answers a login.
struct HelloAck {
    ClientId client_id{};
    std::uint8_t status = 0;
    friend bool operator==(const HelloAck&, const HelloAck&) = default;
};
/// Client: is still there.
struct Heartbeat {
    ClientId client_id{};
    friend bool operator==(const Heartbeat&, const Heartbeat&) = default;
};
/// Client: logs out.
struct Logout {
    ClientId client_id{};
    friend bool operator==(const Logout&, const Logout&) = default;
};
/// Exchange: answers a logout.
struct LogoutAck {
    ClientId client_id{};
    std::uint8_t status = 0;
    friend bool operator==(const LogoutAck&, const LogoutAck&) = default;
};
/// Exchange: closes a silent connection.
struct SessionTimeout {
    ClientId client_id{};
    std::uint64_t server_time_us = 0;
    friend bool operator==(const SessionTimeout&, const SessionTimeout&) = default;
};
/// Client: enters an order. Prices in cents.
struct NewOrder {
    ClientId client_id{};
    ClientOrderId client_order_id{};
    InstrumentId instrument{};
    std::uint8_t side = 0;
    std::uint8_t order_type = 0;
    std::uint8_t time_in_force = 0;
    std::uint64_t quantity = 0;
    std::uint64_t price_e2 = 0;
    std::uint64_t good_till_us = 0;
    friend bool operator==(const NewOrder&, const NewOrder&) = default;
};
/// Version 2 only, like the other messages of links and quotes.
struct LinkedOrder : NewOrder {
    std::uint64_t stop_price_e2 = 0;
    OrderId other_order_id{};
    std::uint8_t contingency = 0;
    friend bool operator==(const LinkedOrder&, const LinkedOrder&) = default;
};
/// Client: enters or replaces both sides of a quote.
struct Quote {
    ClientId client_id{};
    ClientOrderId client_order_id{};
    InstrumentId instrument{};
    std::uint64_t bid_quantity = 0;
    std::uint64_t bid_price_e2 = 0;
    std::uint64_t ask_quantity = 0;
    std::uint64_t ask_price_e2 = 0;
    friend bool operator==(const Quote&, const Quote&) = default;
};
/// Exchange: answers a quote.
struct QuoteAck {
    ClientId client_id{};
    ClientOrderId client_order_id{};
    OrderId bid_order_id{};
    OrderId ask_order_id{};
    std::uint64_t bid_quantity = 0;  ///< open, as the next one
    std::uint64_t ask_quantity = 0;
    std::uint64_t server_time_us = 0;
    InstrumentId instrument{};
    std::uint8_t status = 0;
    std::uint8_t reason = 0;
    friend bool operator==(const QuoteAck&, const QuoteAck&) = default;
};
/// Client: sets the quantity after which its quotes in an instrument are cancelled.
struct QuoteProtection {
    ClientId client_id{};
    InstrumentId instrument{};
    std::uint64_t maximum_quantity = 0;
    std::uint64_t window_us = 0;
    friend bool operator==(const QuoteProtection&, const QuoteProtection&) = default;
};
/// Exchange: answers a quote protection.
struct QuoteProtectionAck {
    ClientId client_id{};
    InstrumentId instrument{};
    std::uint8_t status = 0;
    std::uint8_t reason = 0;
    friend bool operator==(const QuoteProtectionAck&, const QuoteProtectionAck&) = default;
};
/// What happened to an order without a request for it.
struct OrderChanged {
    ClientId client_id{};
    OrderId order_id{};
    ClientOrderId client_order_id{};
    std::uint64_t lost_quantity = 0;
    std::uint64_t quantity = 0;  ///< open
    std::uint64_t server_time_us = 0;
    InstrumentId instrument{};
    std::uint8_t change = 0;
    std::uint8_t reason = 0;
    friend bool operator==(const OrderChanged&, const OrderChanged&) = default;
};
/// Exchange: answers a new order.
struct OrderAck {
    ClientId client_id{};
    OrderId order_id{};
    ClientOrderId client_order_id{};
    std::uint64_t price_e2 = 0;
    std::uint64_t quantity = 0;  ///< version 1: ordered; version 2: open
    std::uint64_t server_time_us = 0;
    InstrumentId instrument{};
    std::uint8_t status = 0;
    friend bool operator==(const OrderAck&, const OrderAck&) = default;
};
/// Client: cancels an order.
struct CancelOrder {
    ClientId client_id{};
    OrderId order_id{};
    ClientOrderId client_order_id{};
    InstrumentId instrument{};
    friend bool operator==(const CancelOrder&, const CancelOrder&) = default;
};
/// Exchange: answers a cancel, or reports that an order ended.
struct CancelAck {
    ClientId client_id{};
    OrderId order_id{};
    ClientOrderId client_order_id{};
    InstrumentId instrument{};
    std::uint8_t status = 0;
    friend bool operator==(const CancelAck&, const CancelAck&) = default;
};
/// Client: replaces price and quantity of an order.
struct ModifyOrder {
    ClientId client_id{};
    OrderId order_id{};
    ClientOrderId client_order_id{};
    std::uint64_t quantity = 0;
    std::uint64_t price_e2 = 0;
    InstrumentId instrument{};
    friend bool operator==(const ModifyOrder&, const ModifyOrder&) = default;
};
/// Exchange: answers a modify, with the old and the new order id.
struct ModifyAck {
    ClientId client_id{};
    OrderId old_order_id{};
    OrderId new_order_id{};
    ClientOrderId client_order_id{};
    std::uint64_t quantity = 0;
    std::uint64_t price_e2 = 0;
    InstrumentId instrument{};
    std::uint8_t status = 0;
    friend bool operator==(const ModifyAck&, const ModifyAck&) = default;
};
/// Exchange: an own order traded.
struct Trade {
    ClientId client_id{};
    OrderId order_id{};
    ClientOrderId client_order_id{};
    std::uint64_t trade_id = 0;  ///< version 1: counted per session; version 2: by the exchange
    std::uint64_t quantity = 0;
    std::uint64_t price_e2 = 0;
    std::uint64_t timestamp_us = 0;
    friend bool operator==(const Trade&, const Trade&) = default;
};
/// Exchange: a message could not be used.
struct Error {
    std::uint16_t code = 0;
    friend bool operator==(const Error&, const Error&) = default;
};

using Message =
    std::variant<Hello, HelloAck, Heartbeat, Logout, LogoutAck, SessionTimeout, NewOrder, OrderAck,
                 CancelOrder, CancelAck, ModifyOrder, ModifyAck, Trade, Error, LinkedOrder, Quote,
                 QuoteAck, QuoteProtection, QuoteProtectionAck, OrderChanged>;

/// Price units (0.0001) in one count of this wire (0.01).
inline constexpr std::int64_t k_price_units = 100;

/// Empty if the number is out of the exchange's range.
[[nodiscard]] constexpr std::optional<Price> price_of(std::uint64_t price_e2) {
    constexpr std::uint64_t k_largest = std::numeric_limits<std::int64_t>::max() / k_price_units;
    if (price_e2 > k_largest) return std::nullopt;
    return Price{static_cast<std::int64_t>(price_e2) * k_price_units};
}
/// The same for an instrument with prices at and below zero: two's complement.
[[nodiscard]] constexpr std::optional<Price> signed_price_of(std::uint64_t price_e2) {
    constexpr std::int64_t k_largest = std::numeric_limits<std::int64_t>::max() / k_price_units;
    const auto count = static_cast<std::int64_t>(price_e2);
    if (count > k_largest || count < -k_largest) return std::nullopt;
    return Price{count * k_price_units};
}
[[nodiscard]] constexpr std::uint64_t price_e2_of(Price price) {
    return static_cast<std::uint64_t>(price.value / k_price_units);
}

[[nodiscard]] constexpr std::optional<Quantity> quantity_of(std::uint64_t quantity) {
    if (quantity > std::uint64_t{std::numeric_limits<std::int64_t>::max()}) return std::nullopt;
    return Quantity{static_cast<std::int64_t>(quantity)};
}

/// Microseconds since the Unix epoch, the time format of this protocol.
[[nodiscard]] constexpr std::uint64_t microseconds_of(Timestamp time) {
    return static_cast<std::uint64_t>(time.value / 1'000);
}

}  // namespace damrak::wire::binary
