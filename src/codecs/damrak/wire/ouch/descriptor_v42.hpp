// Layout of OUCH 4.2: the type letter, the length and the field offsets of each message. The only
// header of this version with wire offsets; the compiler generates decode.hpp and encode.hpp from
// these tables. Costs nothing at run time.
#pragma once

// All integers are big-endian and unsigned; text is left-justified and padded with spaces. The
// lengths exclude an appendage and its length field; no message of this version has one.

#include <damrak/wire/ouch/detail/layout.hpp>
#include <damrak/wire/ouch/messages_v42.hpp>

namespace damrak::wire::ouch {

// One line per field, as in the specification.
// clang-format off
template <>
struct Layout<v42::EnterOrder>
    : MessageLayout<'O', 49, v42::EnterOrder, AppendageUse::none,
                    Field<&v42::EnterOrder::order_token,      1>,
                    Field<&v42::EnterOrder::side,             15>,
                    Field<&v42::EnterOrder::shares,           16>,
                    Field<&v42::EnterOrder::symbol,           20>,
                    Field<&v42::EnterOrder::price_e4,         28>,
                    Field<&v42::EnterOrder::time_in_force,    32>,
                    Field<&v42::EnterOrder::firm,             36>,
                    Field<&v42::EnterOrder::display,          40>,
                    Field<&v42::EnterOrder::capacity,         41>,
                    Field<&v42::EnterOrder::iso,              42>,
                    Field<&v42::EnterOrder::minimum_quantity, 43>,
                    Field<&v42::EnterOrder::cross_type,       47>,
                    Field<&v42::EnterOrder::customer_type,    48>> {};

template <>
struct Layout<v42::ReplaceOrder>
    : MessageLayout<'U', 47, v42::ReplaceOrder, AppendageUse::none,
                    Field<&v42::ReplaceOrder::existing_token,    1>,
                    Field<&v42::ReplaceOrder::replacement_token, 15>,
                    Field<&v42::ReplaceOrder::shares,            29>,
                    Field<&v42::ReplaceOrder::price_e4,          33>,
                    Field<&v42::ReplaceOrder::time_in_force,     37>,
                    Field<&v42::ReplaceOrder::display,           41>,
                    Field<&v42::ReplaceOrder::iso,               42>,
                    Field<&v42::ReplaceOrder::minimum_quantity,  43>> {};

template <>
struct Layout<v42::CancelOrder>
    : MessageLayout<'X', 19, v42::CancelOrder, AppendageUse::none,
                    Field<&v42::CancelOrder::order_token, 1>,
                    Field<&v42::CancelOrder::shares,      15>> {};

template <>
struct Layout<v42::ModifyOrder>
    : MessageLayout<'M', 20, v42::ModifyOrder, AppendageUse::none,
                    Field<&v42::ModifyOrder::order_token, 1>,
                    Field<&v42::ModifyOrder::side,        15>,
                    Field<&v42::ModifyOrder::shares,      16>> {};

template <>
struct Layout<v42::TradeNow>
    : MessageLayout<'N', 15, v42::TradeNow, AppendageUse::none,
                    Field<&v42::TradeNow::order_token, 1>> {};

template <>
struct Layout<v42::SystemEvent>
    : MessageLayout<'S', 10, v42::SystemEvent, AppendageUse::none,
                    Field<&v42::SystemEvent::timestamp_ns, 1>,
                    Field<&v42::SystemEvent::event_code,   9>> {};

template <>
struct Layout<v42::Accepted>
    : MessageLayout<'A', 66, v42::Accepted, AppendageUse::none,
                    Field<&v42::Accepted::timestamp_ns,     1>,
                    Field<&v42::Accepted::order_token,      9>,
                    Field<&v42::Accepted::side,             23>,
                    Field<&v42::Accepted::shares,           24>,
                    Field<&v42::Accepted::symbol,           28>,
                    Field<&v42::Accepted::price_e4,         36>,
                    Field<&v42::Accepted::time_in_force,    40>,
                    Field<&v42::Accepted::firm,             44>,
                    Field<&v42::Accepted::display,          48>,
                    Field<&v42::Accepted::order_reference,  49>,
                    Field<&v42::Accepted::capacity,         57>,
                    Field<&v42::Accepted::iso,              58>,
                    Field<&v42::Accepted::minimum_quantity, 59>,
                    Field<&v42::Accepted::cross_type,       63>,
                    Field<&v42::Accepted::order_state,      64>,
                    Field<&v42::Accepted::bbo_weight,       65>> {};

template <>
struct Layout<v42::Replaced>
    : MessageLayout<'U', 80, v42::Replaced, AppendageUse::none,
                    Field<&v42::Replaced::timestamp_ns,      1>,
                    Field<&v42::Replaced::replacement_token, 9>,
                    Field<&v42::Replaced::side,              23>,
                    Field<&v42::Replaced::shares,            24>,
                    Field<&v42::Replaced::symbol,            28>,
                    Field<&v42::Replaced::price_e4,          36>,
                    Field<&v42::Replaced::time_in_force,     40>,
                    Field<&v42::Replaced::firm,              44>,
                    Field<&v42::Replaced::display,           48>,
                    Field<&v42::Replaced::order_reference,   49>,
                    Field<&v42::Replaced::capacity,          57>,
                    Field<&v42::Replaced::iso,               58>,
                    Field<&v42::Replaced::minimum_quantity,  59>,
                    Field<&v42::Replaced::cross_type,        63>,
                    Field<&v42::Replaced::order_state,       64>,
                    Field<&v42::Replaced::previous_token,    65>,
                    Field<&v42::Replaced::bbo_weight,        79>> {};

template <>
struct Layout<v42::Canceled>
    : MessageLayout<'C', 28, v42::Canceled, AppendageUse::none,
                    Field<&v42::Canceled::timestamp_ns,     1>,
                    Field<&v42::Canceled::order_token,      9>,
                    Field<&v42::Canceled::decrement_shares, 23>,
                    Field<&v42::Canceled::reason,           27>> {};

template <>
struct Layout<v42::AiqCanceled>
    : MessageLayout<'D', 37, v42::AiqCanceled, AppendageUse::none,
                    Field<&v42::AiqCanceled::timestamp_ns,       1>,
                    Field<&v42::AiqCanceled::order_token,        9>,
                    Field<&v42::AiqCanceled::decrement_shares,   23>,
                    Field<&v42::AiqCanceled::reason,             27>,
                    Field<&v42::AiqCanceled::quantity_prevented, 28>,
                    Field<&v42::AiqCanceled::execution_price_e4, 32>,
                    Field<&v42::AiqCanceled::liquidity_flag,     36>> {};

template <>
struct Layout<v42::Executed>
    : MessageLayout<'E', 40, v42::Executed, AppendageUse::none,
                    Field<&v42::Executed::timestamp_ns,       1>,
                    Field<&v42::Executed::order_token,        9>,
                    Field<&v42::Executed::executed_shares,    23>,
                    Field<&v42::Executed::execution_price_e4, 27>,
                    Field<&v42::Executed::liquidity_flag,     31>,
                    Field<&v42::Executed::match_number,       32>> {};

template <>
struct Layout<v42::ExecutedAtReference>
    : MessageLayout<'G', 45, v42::ExecutedAtReference, AppendageUse::none,
                    Field<&v42::ExecutedAtReference::timestamp_ns,         1>,
                    Field<&v42::ExecutedAtReference::order_token,          9>,
                    Field<&v42::ExecutedAtReference::executed_shares,      23>,
                    Field<&v42::ExecutedAtReference::execution_price_e4,   27>,
                    Field<&v42::ExecutedAtReference::liquidity_flag,       31>,
                    Field<&v42::ExecutedAtReference::match_number,         32>,
                    Field<&v42::ExecutedAtReference::reference_price_e4,   40>,
                    Field<&v42::ExecutedAtReference::reference_price_type, 44>> {};

template <>
struct Layout<v42::TradeCorrection>
    : MessageLayout<'F', 41, v42::TradeCorrection, AppendageUse::none,
                    Field<&v42::TradeCorrection::timestamp_ns,       1>,
                    Field<&v42::TradeCorrection::order_token,        9>,
                    Field<&v42::TradeCorrection::executed_shares,    23>,
                    Field<&v42::TradeCorrection::execution_price_e4, 27>,
                    Field<&v42::TradeCorrection::liquidity_flag,     31>,
                    Field<&v42::TradeCorrection::match_number,       32>,
                    Field<&v42::TradeCorrection::reason,             40>> {};

template <>
struct Layout<v42::BrokenTrade>
    : MessageLayout<'B', 32, v42::BrokenTrade, AppendageUse::none,
                    Field<&v42::BrokenTrade::timestamp_ns, 1>,
                    Field<&v42::BrokenTrade::order_token,  9>,
                    Field<&v42::BrokenTrade::match_number, 23>,
                    Field<&v42::BrokenTrade::reason,       31>> {};

template <>
struct Layout<v42::Rejected>
    : MessageLayout<'J', 24, v42::Rejected, AppendageUse::none,
                    Field<&v42::Rejected::timestamp_ns, 1>,
                    Field<&v42::Rejected::order_token,  9>,
                    Field<&v42::Rejected::reason,       23>> {};

template <>
struct Layout<v42::CancelPending>
    : MessageLayout<'P', 23, v42::CancelPending, AppendageUse::none,
                    Field<&v42::CancelPending::timestamp_ns, 1>,
                    Field<&v42::CancelPending::order_token,  9>> {};

template <>
struct Layout<v42::CancelReject>
    : MessageLayout<'I', 23, v42::CancelReject, AppendageUse::none,
                    Field<&v42::CancelReject::timestamp_ns, 1>,
                    Field<&v42::CancelReject::order_token,  9>> {};

template <>
struct Layout<v42::PriorityUpdate>
    : MessageLayout<'T', 36, v42::PriorityUpdate, AppendageUse::none,
                    Field<&v42::PriorityUpdate::timestamp_ns,    1>,
                    Field<&v42::PriorityUpdate::order_token,     9>,
                    Field<&v42::PriorityUpdate::price_e4,        23>,
                    Field<&v42::PriorityUpdate::display,         27>,
                    Field<&v42::PriorityUpdate::order_reference, 28>> {};

template <>
struct Layout<v42::OrderModified>
    : MessageLayout<'M', 28, v42::OrderModified, AppendageUse::none,
                    Field<&v42::OrderModified::timestamp_ns, 1>,
                    Field<&v42::OrderModified::order_token,  9>,
                    Field<&v42::OrderModified::side,         23>,
                    Field<&v42::OrderModified::shares,       24>> {};

template <>
struct Layout<v42::TradeNowTaken>
    : MessageLayout<'N', 23, v42::TradeNowTaken, AppendageUse::none,
                    Field<&v42::TradeNowTaken::timestamp_ns, 1>,
                    Field<&v42::TradeNowTaken::order_token,  9>> {};

// clang-format on

}  // namespace damrak::wire::ouch
