// The messages of OUCH 4.2 as plain values in host byte order: Inbound from a client, Outbound to
// it. Made by decode.hpp, read by encode.hpp and the session; none owns memory. Wire positions of
// the fields are in descriptor_v42.hpp.
//
// `_e4` prices count 1/10,000; `timestamp_ns` counts from midnight of the trading day. A field of
// type `char` holds its letter as received, known or not: the session rejects unknown ones, as the
// protocol requires. `shares` of a cancel, a modify or a replace is the new total quantity of the
// order, including the executed part.
//
// Source: Nasdaq OUCH 4.2 specification.
#pragma once

#include <cstdint>
#include <variant>

#include <damrak/wire/ouch/text.hpp>

namespace damrak::wire::ouch::v42 {

// From a client.

/// `O` of the client: enters an order.
struct EnterOrder {
    Alpha<14> order_token{};
    char side{};
    std::uint32_t shares{};
    Alpha<8> symbol{};
    std::uint32_t price_e4{};
    std::uint32_t time_in_force{};
    Alpha<4> firm{};
    char display{};
    char capacity{};
    char iso{};
    std::uint32_t minimum_quantity{};
    char cross_type{};
    char customer_type{};
    friend bool operator==(const EnterOrder&, const EnterOrder&) = default;
};

/// `U` of the client: replaces an order.
struct ReplaceOrder {
    Alpha<14> existing_token{};
    Alpha<14> replacement_token{};
    std::uint32_t shares{};
    std::uint32_t price_e4{};
    std::uint32_t time_in_force{};
    char display{};
    char iso{};
    std::uint32_t minimum_quantity{};
    friend bool operator==(const ReplaceOrder&, const ReplaceOrder&) = default;
};

/// `X` of the client: cancels an order, or all but a quantity of it.
struct CancelOrder {
    Alpha<14> order_token{};
    std::uint32_t shares{};
    friend bool operator==(const CancelOrder&, const CancelOrder&) = default;
};

/// `M` of the client: changes the side of a sale, or reduces an order.
struct ModifyOrder {
    Alpha<14> order_token{};
    char side{};
    std::uint32_t shares{};
    friend bool operator==(const ModifyOrder&, const ModifyOrder&) = default;
};

/// `N` of the client: takes what can trade at once.
struct TradeNow {
    Alpha<14> order_token{};
    friend bool operator==(const TradeNow&, const TradeNow&) = default;
};

using Inbound = std::variant<EnterOrder, ReplaceOrder, CancelOrder, ModifyOrder, TradeNow>;

// To a client.

/// `S`: the day of the exchange begins or ends.
struct SystemEvent {
    std::uint64_t timestamp_ns{};
    char event_code{};
    friend bool operator==(const SystemEvent&, const SystemEvent&) = default;
};

/// `A`: an order was accepted.
struct Accepted {
    std::uint64_t timestamp_ns{};
    Alpha<14> order_token{};
    char side{};
    std::uint32_t shares{};
    Alpha<8> symbol{};
    std::uint32_t price_e4{};
    std::uint32_t time_in_force{};
    Alpha<4> firm{};
    char display{};
    std::uint64_t order_reference{};
    char capacity{};
    char iso{};
    std::uint32_t minimum_quantity{};
    char cross_type{};
    char order_state{};
    char bbo_weight{};
    friend bool operator==(const Accepted&, const Accepted&) = default;
};

/// `U`: an order was replaced.
struct Replaced {
    std::uint64_t timestamp_ns{};
    Alpha<14> replacement_token{};
    char side{};
    std::uint32_t shares{};
    Alpha<8> symbol{};
    std::uint32_t price_e4{};
    std::uint32_t time_in_force{};
    Alpha<4> firm{};
    char display{};
    std::uint64_t order_reference{};
    char capacity{};
    char iso{};
    std::uint32_t minimum_quantity{};
    char cross_type{};
    char order_state{};
    Alpha<14> previous_token{};
    char bbo_weight{};
    friend bool operator==(const Replaced&, const Replaced&) = default;
};

/// `C`: an order was reduced or cancelled.
struct Canceled {
    std::uint64_t timestamp_ns{};
    Alpha<14> order_token{};
    std::uint32_t decrement_shares{};
    char reason{};
    friend bool operator==(const Canceled&, const Canceled&) = default;
};

/// `D`: an order was reduced or cancelled by self-trade prevention.
struct AiqCanceled {
    std::uint64_t timestamp_ns{};
    Alpha<14> order_token{};
    std::uint32_t decrement_shares{};
    char reason{};
    std::uint32_t quantity_prevented{};
    std::uint32_t execution_price_e4{};
    char liquidity_flag{};
    friend bool operator==(const AiqCanceled&, const AiqCanceled&) = default;
};

/// `E`: an order traded.
struct Executed {
    std::uint64_t timestamp_ns{};
    Alpha<14> order_token{};
    std::uint32_t executed_shares{};
    std::uint32_t execution_price_e4{};
    char liquidity_flag{};
    std::uint64_t match_number{};
    friend bool operator==(const Executed&, const Executed&) = default;
};

/// `G`: an order traded at a reference price.
struct ExecutedAtReference {
    std::uint64_t timestamp_ns{};
    Alpha<14> order_token{};
    std::uint32_t executed_shares{};
    std::uint32_t execution_price_e4{};
    char liquidity_flag{};
    std::uint64_t match_number{};
    std::uint32_t reference_price_e4{};
    char reference_price_type{};
    friend bool operator==(const ExecutedAtReference&, const ExecutedAtReference&) = default;
};

/// `F`: the price of a trade was corrected.
struct TradeCorrection {
    std::uint64_t timestamp_ns{};
    Alpha<14> order_token{};
    std::uint32_t executed_shares{};
    std::uint32_t execution_price_e4{};
    char liquidity_flag{};
    std::uint64_t match_number{};
    char reason{};
    friend bool operator==(const TradeCorrection&, const TradeCorrection&) = default;
};

/// `B`: a trade was broken.
struct BrokenTrade {
    std::uint64_t timestamp_ns{};
    Alpha<14> order_token{};
    std::uint64_t match_number{};
    char reason{};
    friend bool operator==(const BrokenTrade&, const BrokenTrade&) = default;
};

/// `J`: an order was rejected.
struct Rejected {
    std::uint64_t timestamp_ns{};
    Alpha<14> order_token{};
    char reason{};
    friend bool operator==(const Rejected&, const Rejected&) = default;
};

/// `P`: a cancel waits for a cross.
struct CancelPending {
    std::uint64_t timestamp_ns{};
    Alpha<14> order_token{};
    friend bool operator==(const CancelPending&, const CancelPending&) = default;
};

/// `I`: a cancel was rejected.
struct CancelReject {
    std::uint64_t timestamp_ns{};
    Alpha<14> order_token{};
    friend bool operator==(const CancelReject&, const CancelReject&) = default;
};

/// `T`: an order has another priority or display.
struct PriorityUpdate {
    std::uint64_t timestamp_ns{};
    Alpha<14> order_token{};
    std::uint32_t price_e4{};
    char display{};
    std::uint64_t order_reference{};
    friend bool operator==(const PriorityUpdate&, const PriorityUpdate&) = default;
};

/// `M`: an order was modified.
struct OrderModified {
    std::uint64_t timestamp_ns{};
    Alpha<14> order_token{};
    char side{};
    std::uint32_t shares{};
    friend bool operator==(const OrderModified&, const OrderModified&) = default;
};

/// `N`: a request to trade now was accepted.
struct TradeNowTaken {
    std::uint64_t timestamp_ns{};
    Alpha<14> order_token{};
    friend bool operator==(const TradeNowTaken&, const TradeNowTaken&) = default;
};

using Outbound =
    std::variant<SystemEvent, Accepted, Replaced, Canceled, AiqCanceled, Executed,
                 ExecutedAtReference, TradeCorrection, BrokenTrade, Rejected, CancelPending,
                 CancelReject, PriorityUpdate, OrderModified, TradeNowTaken>;

}  // namespace damrak::wire::ouch::v42
