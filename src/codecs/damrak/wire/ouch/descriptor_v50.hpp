// Layout of OUCH 5.0: the type letter, the length and the field offsets of each message. The only
// header of this version with wire offsets; the compiler generates decode.hpp and encode.hpp from
// these tables. Costs nothing at run time.
#pragma once

// All integers are big-endian and unsigned; text is left-justified and padded with spaces. The
// lengths exclude an appendage and its length field.

#include <damrak/wire/ouch/detail/layout.hpp>
#include <damrak/wire/ouch/messages_v50.hpp>

namespace damrak::wire::ouch {

// One line per field, as in the specification.
// clang-format off
template <>
struct Layout<v50::EnterOrder>
    : MessageLayout<'O', 45, v50::EnterOrder, AppendageUse::always,
                    Field<&v50::EnterOrder::user_ref,      1>,
                    Field<&v50::EnterOrder::side,          5>,
                    Field<&v50::EnterOrder::quantity,      6>,
                    Field<&v50::EnterOrder::symbol,        10>,
                    Field<&v50::EnterOrder::price_e4,      18>,
                    Field<&v50::EnterOrder::time_in_force, 26>,
                    Field<&v50::EnterOrder::display,       27>,
                    Field<&v50::EnterOrder::capacity,      28>,
                    Field<&v50::EnterOrder::iso,           29>,
                    Field<&v50::EnterOrder::cross_type,    30>,
                    Field<&v50::EnterOrder::cl_ord_id,     31>> {};

template <>
struct Layout<v50::ReplaceOrder>
    : MessageLayout<'U', 38, v50::ReplaceOrder, AppendageUse::always,
                    Field<&v50::ReplaceOrder::orig_user_ref, 1>,
                    Field<&v50::ReplaceOrder::user_ref,      5>,
                    Field<&v50::ReplaceOrder::quantity,      9>,
                    Field<&v50::ReplaceOrder::price_e4,      13>,
                    Field<&v50::ReplaceOrder::time_in_force, 21>,
                    Field<&v50::ReplaceOrder::display,       22>,
                    Field<&v50::ReplaceOrder::iso,           23>,
                    Field<&v50::ReplaceOrder::cl_ord_id,     24>> {};

template <>
struct Layout<v50::CancelOrder>
    : MessageLayout<'X', 9, v50::CancelOrder, AppendageUse::optional,
                    Field<&v50::CancelOrder::user_ref, 1>,
                    Field<&v50::CancelOrder::quantity, 5>> {};

template <>
struct Layout<v50::ModifyOrder>
    : MessageLayout<'M', 10, v50::ModifyOrder, AppendageUse::optional,
                    Field<&v50::ModifyOrder::user_ref, 1>,
                    Field<&v50::ModifyOrder::side,     5>,
                    Field<&v50::ModifyOrder::quantity, 6>> {};

template <>
struct Layout<v50::MassCancel>
    : MessageLayout<'C', 17, v50::MassCancel, AppendageUse::always,
                    Field<&v50::MassCancel::user_ref, 1>,
                    Field<&v50::MassCancel::firm,     5>,
                    Field<&v50::MassCancel::symbol,   9>> {};

template <>
struct Layout<v50::DisableOrderEntry>
    : MessageLayout<'D', 9, v50::DisableOrderEntry, AppendageUse::always,
                    Field<&v50::DisableOrderEntry::user_ref, 1>,
                    Field<&v50::DisableOrderEntry::firm,     5>> {};

template <>
struct Layout<v50::EnableOrderEntry>
    : MessageLayout<'E', 9, v50::EnableOrderEntry, AppendageUse::always,
                    Field<&v50::EnableOrderEntry::user_ref, 1>,
                    Field<&v50::EnableOrderEntry::firm,     5>> {};

template <>
struct Layout<v50::AccountQuery>
    : MessageLayout<'Q', 1, v50::AccountQuery, AppendageUse::optional> {};

template <>
struct Layout<v50::SystemEvent>
    : MessageLayout<'S', 10, v50::SystemEvent, AppendageUse::optional,
                    Field<&v50::SystemEvent::timestamp_ns, 1>,
                    Field<&v50::SystemEvent::event_code,   9>> {};

template <>
struct Layout<v50::Accepted>
    : MessageLayout<'A', 62, v50::Accepted, AppendageUse::always,
                    Field<&v50::Accepted::timestamp_ns,    1>,
                    Field<&v50::Accepted::user_ref,        9>,
                    Field<&v50::Accepted::side,            13>,
                    Field<&v50::Accepted::quantity,        14>,
                    Field<&v50::Accepted::symbol,          18>,
                    Field<&v50::Accepted::price_e4,        26>,
                    Field<&v50::Accepted::time_in_force,   34>,
                    Field<&v50::Accepted::display,         35>,
                    Field<&v50::Accepted::order_reference, 36>,
                    Field<&v50::Accepted::capacity,        44>,
                    Field<&v50::Accepted::iso,             45>,
                    Field<&v50::Accepted::cross_type,      46>,
                    Field<&v50::Accepted::order_state,     47>,
                    Field<&v50::Accepted::cl_ord_id,       48>> {};

template <>
struct Layout<v50::Replaced>
    : MessageLayout<'U', 66, v50::Replaced, AppendageUse::always,
                    Field<&v50::Replaced::timestamp_ns,    1>,
                    Field<&v50::Replaced::orig_user_ref,   9>,
                    Field<&v50::Replaced::user_ref,        13>,
                    Field<&v50::Replaced::side,            17>,
                    Field<&v50::Replaced::quantity,        18>,
                    Field<&v50::Replaced::symbol,          22>,
                    Field<&v50::Replaced::price_e4,        30>,
                    Field<&v50::Replaced::time_in_force,   38>,
                    Field<&v50::Replaced::display,         39>,
                    Field<&v50::Replaced::order_reference, 40>,
                    Field<&v50::Replaced::capacity,        48>,
                    Field<&v50::Replaced::iso,             49>,
                    Field<&v50::Replaced::cross_type,      50>,
                    Field<&v50::Replaced::order_state,     51>,
                    Field<&v50::Replaced::cl_ord_id,       52>> {};

template <>
struct Layout<v50::Canceled>
    : MessageLayout<'C', 18, v50::Canceled, AppendageUse::optional,
                    Field<&v50::Canceled::timestamp_ns, 1>,
                    Field<&v50::Canceled::user_ref,     9>,
                    Field<&v50::Canceled::quantity,     13>,
                    Field<&v50::Canceled::reason,       17>> {};

template <>
struct Layout<v50::AiqCanceled>
    : MessageLayout<'D', 32, v50::AiqCanceled, AppendageUse::optional,
                    Field<&v50::AiqCanceled::timestamp_ns,       1>,
                    Field<&v50::AiqCanceled::user_ref,           9>,
                    Field<&v50::AiqCanceled::decrement_shares,   13>,
                    Field<&v50::AiqCanceled::reason,             17>,
                    Field<&v50::AiqCanceled::quantity_prevented, 18>,
                    Field<&v50::AiqCanceled::execution_price_e4, 22>,
                    Field<&v50::AiqCanceled::liquidity_flag,     30>,
                    Field<&v50::AiqCanceled::aiq_strategy,       31>> {};

template <>
struct Layout<v50::Executed>
    : MessageLayout<'E', 34, v50::Executed, AppendageUse::always,
                    Field<&v50::Executed::timestamp_ns,   1>,
                    Field<&v50::Executed::user_ref,       9>,
                    Field<&v50::Executed::quantity,       13>,
                    Field<&v50::Executed::price_e4,       17>,
                    Field<&v50::Executed::liquidity_flag, 25>,
                    Field<&v50::Executed::match_number,   26>> {};

template <>
struct Layout<v50::BrokenTrade>
    : MessageLayout<'B', 36, v50::BrokenTrade, AppendageUse::optional,
                    Field<&v50::BrokenTrade::timestamp_ns, 1>,
                    Field<&v50::BrokenTrade::user_ref,     9>,
                    Field<&v50::BrokenTrade::match_number, 13>,
                    Field<&v50::BrokenTrade::reason,       21>,
                    Field<&v50::BrokenTrade::cl_ord_id,    22>> {};

template <>
struct Layout<v50::Rejected>
    : MessageLayout<'J', 29, v50::Rejected, AppendageUse::optional,
                    Field<&v50::Rejected::timestamp_ns, 1>,
                    Field<&v50::Rejected::user_ref,     9>,
                    Field<&v50::Rejected::reason,       13>,
                    Field<&v50::Rejected::cl_ord_id,    15>> {};

template <>
struct Layout<v50::CancelPending>
    : MessageLayout<'P', 13, v50::CancelPending, AppendageUse::optional,
                    Field<&v50::CancelPending::timestamp_ns, 1>,
                    Field<&v50::CancelPending::user_ref,     9>> {};

template <>
struct Layout<v50::CancelReject>
    : MessageLayout<'I', 13, v50::CancelReject, AppendageUse::optional,
                    Field<&v50::CancelReject::timestamp_ns, 1>,
                    Field<&v50::CancelReject::user_ref,     9>> {};

template <>
struct Layout<v50::PriorityUpdate>
    : MessageLayout<'T', 30, v50::PriorityUpdate, AppendageUse::optional,
                    Field<&v50::PriorityUpdate::timestamp_ns,    1>,
                    Field<&v50::PriorityUpdate::user_ref,        9>,
                    Field<&v50::PriorityUpdate::price_e4,        13>,
                    Field<&v50::PriorityUpdate::display,         21>,
                    Field<&v50::PriorityUpdate::order_reference, 22>> {};

template <>
struct Layout<v50::OrderModified>
    : MessageLayout<'M', 18, v50::OrderModified, AppendageUse::optional,
                    Field<&v50::OrderModified::timestamp_ns, 1>,
                    Field<&v50::OrderModified::user_ref,     9>,
                    Field<&v50::OrderModified::side,         13>,
                    Field<&v50::OrderModified::quantity,     14>> {};

template <>
struct Layout<v50::OrderRestated>
    : MessageLayout<'R', 14, v50::OrderRestated, AppendageUse::always,
                    Field<&v50::OrderRestated::timestamp_ns, 1>,
                    Field<&v50::OrderRestated::user_ref,     9>,
                    Field<&v50::OrderRestated::reason,       13>> {};

template <>
struct Layout<v50::MassCancelDone>
    : MessageLayout<'X', 25, v50::MassCancelDone, AppendageUse::always,
                    Field<&v50::MassCancelDone::timestamp_ns, 1>,
                    Field<&v50::MassCancelDone::user_ref,     9>,
                    Field<&v50::MassCancelDone::firm,         13>,
                    Field<&v50::MassCancelDone::symbol,       17>> {};

template <>
struct Layout<v50::EntryDisabled>
    : MessageLayout<'G', 17, v50::EntryDisabled, AppendageUse::always,
                    Field<&v50::EntryDisabled::timestamp_ns, 1>,
                    Field<&v50::EntryDisabled::user_ref,     9>,
                    Field<&v50::EntryDisabled::firm,         13>> {};

template <>
struct Layout<v50::EntryEnabled>
    : MessageLayout<'K', 17, v50::EntryEnabled, AppendageUse::always,
                    Field<&v50::EntryEnabled::timestamp_ns, 1>,
                    Field<&v50::EntryEnabled::user_ref,     9>,
                    Field<&v50::EntryEnabled::firm,         13>> {};

template <>
struct Layout<v50::AccountAnswer>
    : MessageLayout<'Q', 13, v50::AccountAnswer, AppendageUse::optional,
                    Field<&v50::AccountAnswer::timestamp_ns,  1>,
                    Field<&v50::AccountAnswer::next_user_ref, 9>> {};

// clang-format on

}  // namespace damrak::wire::ouch
