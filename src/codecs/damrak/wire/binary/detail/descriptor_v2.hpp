// Layout of version 2. Only this header, descriptor_v1.hpp and layout.hpp contain offsets of this
// codec. Source: the MiniExchange server of 26 January 2026 and bytes captured from it. ERROR and
// the types from 30 to 35 are our additions: the original has no such messages in this version.
#pragma once

#include <damrak/wire/binary/detail/layout.hpp>

namespace damrak::wire::binary {

// clang-format off
template <>
struct Layout<Version::v2, Hello>
    : MessageLayout<1, 8> {};

template <>
struct Layout<Version::v2, HelloAck>
    : MessageLayout<2, 16,
                    Field<&HelloAck::client_id, 0>,
                    Field<&HelloAck::status,    8>> {};

template <>
struct Layout<Version::v2, Logout>
    : MessageLayout<3, 8, Field<&Logout::client_id, 0>> {};

template <>
struct Layout<Version::v2, LogoutAck>
    : MessageLayout<4, 16,
                    Field<&LogoutAck::client_id, 0>,
                    Field<&LogoutAck::status,    8>> {};

template <>
struct Layout<Version::v2, NewOrder>
    : MessageLayout<10, 48,
                    Field<&NewOrder::client_id,        0>,
                    Field<&NewOrder::client_order_id,  8>,
                    Field<&NewOrder::instrument,      16>,
                    Field<&NewOrder::side,            20>,
                    Field<&NewOrder::order_type,      21>,
                    Field<&NewOrder::time_in_force,   22>,
                    Field<&NewOrder::quantity,        24>,
                    Field<&NewOrder::price_e2,        32>,
                    Field<&NewOrder::good_till_us,    40>> {};

template <>
struct Layout<Version::v2, OrderAck>
    : MessageLayout<11, 56,
                    Field<&OrderAck::client_id,        0>,
                    Field<&OrderAck::order_id,         8>,
                    Field<&OrderAck::client_order_id, 16>,
                    Field<&OrderAck::price_e2,        24>,
                    Field<&OrderAck::quantity,        32>,
                    Field<&OrderAck::server_time_us,  40>,
                    Field<&OrderAck::instrument,      48>,
                    Field<&OrderAck::status,          52>> {};

template <>
struct Layout<Version::v2, CancelOrder>
    : MessageLayout<12, 32,
                    Field<&CancelOrder::client_id,        0>,
                    Field<&CancelOrder::order_id,         8>,
                    Field<&CancelOrder::client_order_id, 16>,
                    Field<&CancelOrder::instrument,      24>> {};

template <>
struct Layout<Version::v2, CancelAck>
    : MessageLayout<13, 32,
                    Field<&CancelAck::client_id,        0>,
                    Field<&CancelAck::order_id,         8>,
                    Field<&CancelAck::client_order_id, 16>,
                    Field<&CancelAck::instrument,      24>,
                    Field<&CancelAck::status,          28>> {};

template <>
struct Layout<Version::v2, ModifyOrder>
    : MessageLayout<14, 48,
                    Field<&ModifyOrder::client_id,        0>,
                    Field<&ModifyOrder::order_id,         8>,
                    Field<&ModifyOrder::client_order_id, 16>,
                    Field<&ModifyOrder::quantity,        24>,
                    Field<&ModifyOrder::price_e2,        32>,
                    Field<&ModifyOrder::instrument,      40>> {};

template <>
struct Layout<Version::v2, ModifyAck>
    : MessageLayout<15, 56,
                    Field<&ModifyAck::client_id,        0>,
                    Field<&ModifyAck::old_order_id,     8>,
                    Field<&ModifyAck::new_order_id,    16>,
                    Field<&ModifyAck::client_order_id, 24>,
                    Field<&ModifyAck::quantity,        32>,
                    Field<&ModifyAck::price_e2,        40>,
                    Field<&ModifyAck::instrument,      48>,
                    Field<&ModifyAck::status,          52>> {};

template <>
struct Layout<Version::v2, Trade>
    : MessageLayout<16, 56,
                    Field<&Trade::client_id,        0>,
                    Field<&Trade::order_id,         8>,
                    Field<&Trade::client_order_id, 16>,
                    Field<&Trade::trade_id,        24>,
                    Field<&Trade::quantity,        32>,
                    Field<&Trade::price_e2,        40>,
                    Field<&Trade::timestamp_us,    48>> {};

template <>
struct Layout<Version::v2, Error>
    : MessageLayout<100, 16, Field<&Error::code, 0>> {};

template <>
struct Layout<Version::v2, LinkedOrder>
    : MessageLayout<30, 64,
                    Field<&LinkedOrder::client_id,        0>,
                    Field<&LinkedOrder::client_order_id,  8>,
                    Field<&LinkedOrder::instrument,      16>,
                    Field<&LinkedOrder::side,            20>,
                    Field<&LinkedOrder::order_type,      21>,
                    Field<&LinkedOrder::time_in_force,   22>,
                    Field<&LinkedOrder::contingency,     23>,
                    Field<&LinkedOrder::quantity,        24>,
                    Field<&LinkedOrder::price_e2,        32>,
                    Field<&LinkedOrder::good_till_us,    40>,
                    Field<&LinkedOrder::stop_price_e2,   48>,
                    Field<&LinkedOrder::other_order_id,  56>> {};

template <>
struct Layout<Version::v2, Quote>
    : MessageLayout<31, 56,
                    Field<&Quote::client_id,        0>,
                    Field<&Quote::client_order_id,  8>,
                    Field<&Quote::instrument,      16>,
                    Field<&Quote::bid_quantity,    24>,
                    Field<&Quote::bid_price_e2,    32>,
                    Field<&Quote::ask_quantity,    40>,
                    Field<&Quote::ask_price_e2,    48>> {};

template <>
struct Layout<Version::v2, QuoteAck>
    : MessageLayout<32, 64,
                    Field<&QuoteAck::client_id,        0>,
                    Field<&QuoteAck::client_order_id,  8>,
                    Field<&QuoteAck::bid_order_id,    16>,
                    Field<&QuoteAck::ask_order_id,    24>,
                    Field<&QuoteAck::bid_quantity,    32>,
                    Field<&QuoteAck::ask_quantity,    40>,
                    Field<&QuoteAck::server_time_us,  48>,
                    Field<&QuoteAck::instrument,      56>,
                    Field<&QuoteAck::status,          60>,
                    Field<&QuoteAck::reason,          61>> {};

template <>
struct Layout<Version::v2, QuoteProtection>
    : MessageLayout<33, 32,
                    Field<&QuoteProtection::client_id,         0>,
                    Field<&QuoteProtection::instrument,        8>,
                    Field<&QuoteProtection::maximum_quantity, 16>,
                    Field<&QuoteProtection::window_us,        24>> {};

template <>
struct Layout<Version::v2, QuoteProtectionAck>
    : MessageLayout<34, 16,
                    Field<&QuoteProtectionAck::client_id,   0>,
                    Field<&QuoteProtectionAck::instrument,  8>,
                    Field<&QuoteProtectionAck::status,     12>,
                    Field<&QuoteProtectionAck::reason,     13>> {};

template <>
struct Layout<Version::v2, OrderChanged>
    : MessageLayout<35, 56,
                    Field<&OrderChanged::client_id,        0>,
                    Field<&OrderChanged::order_id,         8>,
                    Field<&OrderChanged::client_order_id, 16>,
                    Field<&OrderChanged::lost_quantity,   24>,
                    Field<&OrderChanged::quantity,        32>,
                    Field<&OrderChanged::server_time_us,  40>,
                    Field<&OrderChanged::instrument,      48>,
                    Field<&OrderChanged::change,          52>,
                    Field<&OrderChanged::reason,          53>> {};
// clang-format on

}  // namespace damrak::wire::binary
