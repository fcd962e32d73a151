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

struct CancelOrder {
    std::uint32_t user_ref{};
    std::uint32_t quantity{};
    Appendage appendage{};
    friend bool operator==(const CancelOrder&, const CancelOrder&) = default;
};

struct ModifyOrder {
    std::uint32_t user_ref{};
    char side{};
    std::uint32_t quantity{};
    Appendage appendage{};
    friend bool operator==(const ModifyOrder&, const ModifyOrder&) = default;
};

struct MassCancel {
    std::uint32_t user_ref{};
    Alpha<4> firm{};
    Alpha<8> symbol{};
    Appendage appendage{};
    friend bool operator==(const MassCancel&, const MassCancel&) = default;
};

struct DisableOrderEntry {
    std::uint32_t user_ref{};
    Alpha<4> firm{};
    Appendage appendage{};
    friend bool operator==(const DisableOrderEntry&, const DisableOrderEntry&) = default;
};

struct EnableOrderEntry {
    std::uint32_t user_ref{};
    Alpha<4> firm{};
    Appendage appendage{};
    friend bool operator==(const EnableOrderEntry&, const EnableOrderEntry&) = default;
};

struct AccountQuery {
    Appendage appendage{};
    friend bool operator==(const AccountQuery&, const AccountQuery&) = default;
};

using Inbound = std::variant<EnterOrder, ReplaceOrder, CancelOrder, ModifyOrder, MassCancel,
                             DisableOrderEntry, EnableOrderEntry, AccountQuery>;

// To a client.

struct SystemEvent {
    std::uint64_t timestamp_ns{};
    char event_code{};
    Appendage appendage{};
    friend bool operator==(const SystemEvent&, const SystemEvent&) = default;
};

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

struct Canceled {
    std::uint64_t timestamp_ns{};
    std::uint32_t user_ref{};
    std::uint32_t quantity{};
    char reason{};
    Appendage appendage{};
    friend bool operator==(const Canceled&, const Canceled&) = default;
};

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

struct BrokenTrade {
    std::uint64_t timestamp_ns{};
    std::uint32_t user_ref{};
    std::uint64_t match_number{};
    char reason{};
    Alpha<14> cl_ord_id{};
    Appendage appendage{};
    friend bool operator==(const BrokenTrade&, const BrokenTrade&) = default;
};

struct Rejected {
    std::uint64_t timestamp_ns{};
    std::uint32_t user_ref{};
    std::uint16_t reason{};
    Alpha<14> cl_ord_id{};
    Appendage appendage{};
    friend bool operator==(const Rejected&, const Rejected&) = default;
};

struct CancelPending {
    std::uint64_t timestamp_ns{};
    std::uint32_t user_ref{};
    Appendage appendage{};
    friend bool operator==(const CancelPending&, const CancelPending&) = default;
};

struct CancelReject {
    std::uint64_t timestamp_ns{};
    std::uint32_t user_ref{};
    Appendage appendage{};
    friend bool operator==(const CancelReject&, const CancelReject&) = default;
};

struct PriorityUpdate {
    std::uint64_t timestamp_ns{};
    std::uint32_t user_ref{};
    std::uint64_t price_e4{};
    char display{};
    std::uint64_t order_reference{};
    Appendage appendage{};
    friend bool operator==(const PriorityUpdate&, const PriorityUpdate&) = default;
};

struct OrderModified {
    std::uint64_t timestamp_ns{};
    std::uint32_t user_ref{};
    char side{};
    std::uint32_t quantity{};
    Appendage appendage{};
    friend bool operator==(const OrderModified&, const OrderModified&) = default;
};

struct OrderRestated {
    std::uint64_t timestamp_ns{};
    std::uint32_t user_ref{};
    char reason{};
    Appendage appendage{};
    friend bool operator==(const OrderRestated&, const OrderRestated&) = default;
};

struct MassCancelDone {
    std::uint64_t timestamp_ns{};
    std::uint32_t user_ref{};
    Alpha<4> firm{};
    Alpha<8> symbol{};
    Appendage appendage{};
    friend bool operator==(const MassCancelDone&, const MassCancelDone&) = default;
};

struct EntryDisabled {
    std::uint64_t timestamp_ns{};
    std::uint32_t user_ref{};
    Alpha<4> firm{};
    Appendage appendage{};
    friend bool operator==(const EntryDisabled&, const EntryDisabled&) = default;
};

struct EntryEnabled {
    std::uint64_t timestamp_ns{};
    std::uint32_t user_ref{};
    Alpha<4> firm{};
    Appendage appendage{};
    friend bool operator==(const EntryEnabled&, const EntryEnabled&) = default;
};

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
