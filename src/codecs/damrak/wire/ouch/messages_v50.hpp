// The messages of OUCH 5.0 as plain values in host byte order: Inbound from a client, Outbound to
// it. Made by decode.hpp, read by encode.hpp and the session; none owns memory. Wire positions of
// the fields are in descriptor_v50.hpp.
//
// `_e4` prices count 1/10,000; `timestamp_ns` counts from midnight of the trading day. A field of
// type `char` holds its letter as received, known or not: the session rejects unknown ones, as the
// protocol requires. `quantity` of a cancel, a modify or a replace is the new total quantity of the
// order, including the executed part.
//
// Source: Nasdaq OUCH 5.0 specification, revision 1.04 of 2024-05-01.
#pragma once

#include <cstdint>
#include <variant>

#include <damrak/wire/ouch/detail/appendage.hpp>
#include <damrak/wire/ouch/text.hpp>

namespace damrak::wire::ouch::v50 {

// From a client.

/// `O` of the client: enters an order.
struct EnterOrder {
    std::uint32_t user_ref{};
    char side{};
    std::uint32_t quantity{};
    Alpha<8> symbol{};
    std::uint64_t price_e4{};
    char time_in_force{};
    char display{};
    char capacity{};
    char iso{};
    char cross_type{};
    Alpha<14> cl_ord_id{};
    Appendage appendage{};
    friend bool operator==(const EnterOrder&, const EnterOrder&) = default;
};

/// `U` of the client: replaces an order.
struct ReplaceOrder {
    std::uint32_t orig_user_ref{};
    std::uint32_t user_ref{};
    std::uint32_t quantity{};
    std::uint64_t price_e4{};
    char time_in_force{};
    char display{};
    char iso{};
    Alpha<14> cl_ord_id{};
    Appendage appendage{};
    friend bool operator==(const ReplaceOrder&, const ReplaceOrder&) = default;
};

/// `X` of the client: cancels an order, or all but a quantity of it.
struct CancelOrder {
    std::uint32_t user_ref{};
    std::uint32_t quantity{};
    Appendage appendage{};
    friend bool operator==(const CancelOrder&, const CancelOrder&) = default;
};

/// `M` of the client: changes the side of a sale, or reduces an order.
struct ModifyOrder {
    std::uint32_t user_ref{};
    char side{};
    std::uint32_t quantity{};
    Appendage appendage{};
    friend bool operator==(const ModifyOrder&, const ModifyOrder&) = default;
};

/// `C` of the client: cancels its orders of a firm or symbol.
struct MassCancel {
    std::uint32_t user_ref{};
    Alpha<4> firm{};
    Alpha<8> symbol{};
    Appendage appendage{};
    friend bool operator==(const MassCancel&, const MassCancel&) = default;
};

/// `D` of the client: lets no orders of a firm in.
struct DisableOrderEntry {
    std::uint32_t user_ref{};
    Alpha<4> firm{};
    Appendage appendage{};
    friend bool operator==(const DisableOrderEntry&, const DisableOrderEntry&) = default;
};

/// `E` of the client: lets orders of a firm in again.
struct EnableOrderEntry {
    std::uint32_t user_ref{};
    Alpha<4> firm{};
    Appendage appendage{};
    friend bool operator==(const EnableOrderEntry&, const EnableOrderEntry&) = default;
};

/// `Q` of the client: asks for the next reference number.
struct AccountQuery {
    Appendage appendage{};
    friend bool operator==(const AccountQuery&, const AccountQuery&) = default;
};

using Inbound = std::variant<EnterOrder, ReplaceOrder, CancelOrder, ModifyOrder, MassCancel,
                             DisableOrderEntry, EnableOrderEntry, AccountQuery>;

// To a client.

/// `S`: the day of the exchange begins or ends.
struct SystemEvent {
    std::uint64_t timestamp_ns{};
    char event_code{};
    Appendage appendage{};
    friend bool operator==(const SystemEvent&, const SystemEvent&) = default;
};

/// `A`: an order was accepted.
struct Accepted {
    std::uint64_t timestamp_ns{};
    std::uint32_t user_ref{};
    char side{};
    std::uint32_t quantity{};
    Alpha<8> symbol{};
    std::uint64_t price_e4{};
    char time_in_force{};
    char display{};
    std::uint64_t order_reference{};
    char capacity{};
    char iso{};
    char cross_type{};
    char order_state{};
    Alpha<14> cl_ord_id{};
    Appendage appendage{};
    friend bool operator==(const Accepted&, const Accepted&) = default;
};

/// `U`: an order was replaced.
struct Replaced {
    std::uint64_t timestamp_ns{};
    std::uint32_t orig_user_ref{};
    std::uint32_t user_ref{};
    char side{};
    std::uint32_t quantity{};
    Alpha<8> symbol{};
    std::uint64_t price_e4{};
    char time_in_force{};
    char display{};
    std::uint64_t order_reference{};
    char capacity{};
    char iso{};
    char cross_type{};
    char order_state{};
    Alpha<14> cl_ord_id{};
    Appendage appendage{};
    friend bool operator==(const Replaced&, const Replaced&) = default;
};

/// `C`: an order was reduced or cancelled.
struct Canceled {
    std::uint64_t timestamp_ns{};
    std::uint32_t user_ref{};
    std::uint32_t quantity{};
    char reason{};
    Appendage appendage{};
    friend bool operator==(const Canceled&, const Canceled&) = default;
};

/// `D`: an order was reduced or cancelled by self-trade prevention.
struct AiqCanceled {
    std::uint64_t timestamp_ns{};
    std::uint32_t user_ref{};
    std::uint32_t decrement_shares{};
    char reason{};
    std::uint32_t quantity_prevented{};
    std::uint64_t execution_price_e4{};
    char liquidity_flag{};
    char aiq_strategy{};
    Appendage appendage{};
    friend bool operator==(const AiqCanceled&, const AiqCanceled&) = default;
};

/// `E`: an order traded.
struct Executed {
    std::uint64_t timestamp_ns{};
    std::uint32_t user_ref{};
    std::uint32_t quantity{};
    std::uint64_t price_e4{};
    char liquidity_flag{};
    std::uint64_t match_number{};
    Appendage appendage{};
    friend bool operator==(const Executed&, const Executed&) = default;
};

/// `B`: a trade was broken.
struct BrokenTrade {
    std::uint64_t timestamp_ns{};
    std::uint32_t user_ref{};
    std::uint64_t match_number{};
    char reason{};
    Alpha<14> cl_ord_id{};
    Appendage appendage{};
    friend bool operator==(const BrokenTrade&, const BrokenTrade&) = default;
};

/// `J`: an order was rejected.
struct Rejected {
    std::uint64_t timestamp_ns{};
    std::uint32_t user_ref{};
    std::uint16_t reason{};
    Alpha<14> cl_ord_id{};
    Appendage appendage{};
    friend bool operator==(const Rejected&, const Rejected&) = default;
};

/// `P`: a cancel waits for a cross.
struct CancelPending {
    std::uint64_t timestamp_ns{};
    std::uint32_t user_ref{};
    Appendage appendage{};
    friend bool operator==(const CancelPending&, const CancelPending&) = default;
};

/// `I`: a cancel was rejected.
struct CancelReject {
    std::uint64_t timestamp_ns{};
    std::uint32_t user_ref{};
    Appendage appendage{};
    friend bool operator==(const CancelReject&, const CancelReject&) = default;
};

/// `T`: an order has another priority or display.
struct PriorityUpdate {
    std::uint64_t timestamp_ns{};
    std::uint32_t user_ref{};
    std::uint64_t price_e4{};
    char display{};
    std::uint64_t order_reference{};
    Appendage appendage{};
    friend bool operator==(const PriorityUpdate&, const PriorityUpdate&) = default;
};

/// `M`: an order was modified.
struct OrderModified {
    std::uint64_t timestamp_ns{};
    std::uint32_t user_ref{};
    char side{};
    std::uint32_t quantity{};
    Appendage appendage{};
    friend bool operator==(const OrderModified&, const OrderModified&) = default;
};

/// `R`: an order has other terms without a request.
struct OrderRestated {
    std::uint64_t timestamp_ns{};
    std::uint32_t user_ref{};
    char reason{};
    Appendage appendage{};
    friend bool operator==(const OrderRestated&, const OrderRestated&) = default;
};

/// `X`: a mass cancel was done.
struct MassCancelDone {
    std::uint64_t timestamp_ns{};
    std::uint32_t user_ref{};
    Alpha<4> firm{};
    Alpha<8> symbol{};
    Appendage appendage{};
    friend bool operator==(const MassCancelDone&, const MassCancelDone&) = default;
};

/// `G`: orders of a firm are not let in.
struct EntryDisabled {
    std::uint64_t timestamp_ns{};
    std::uint32_t user_ref{};
    Alpha<4> firm{};
    Appendage appendage{};
    friend bool operator==(const EntryDisabled&, const EntryDisabled&) = default;
};

/// `K`: orders of a firm are let in again.
struct EntryEnabled {
    std::uint64_t timestamp_ns{};
    std::uint32_t user_ref{};
    Alpha<4> firm{};
    Appendage appendage{};
    friend bool operator==(const EntryEnabled&, const EntryEnabled&) = default;
};

/// `Q`: the next reference number.
struct AccountAnswer {
    std::uint64_t timestamp_ns{};
    std::uint32_t next_user_ref{};
    Appendage appendage{};
    friend bool operator==(const AccountAnswer&, const AccountAnswer&) = default;
};

using Outbound =
    std::variant<SystemEvent, Accepted, Replaced, Canceled, AiqCanceled, Executed, BrokenTrade,
                 Rejected, CancelPending, CancelReject, PriorityUpdate, OrderModified,
                 OrderRestated, MassCancelDone, EntryDisabled, EntryEnabled, AccountAnswer>;

}  // namespace damrak::wire::ouch::v50
