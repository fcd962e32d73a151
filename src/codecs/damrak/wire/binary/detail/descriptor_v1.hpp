// Layout of version 1 (as published; the capture profile only adds zeros after two payloads). Only
// this header, descriptor_v2.hpp and layout.hpp contain offsets of this codec. Source: the
// MiniExchange server of 5 November 2025 and bytes captured from it.
#pragma once

#include <damrak/wire/binary/detail/layout.hpp>

namespace damrak::wire::binary {

/// A CANCEL_ORDER of at least this length is of the capture profile; its answer has the same tail.
inline constexpr std::size_t k_capture_cancel_order_length = 32;
inline constexpr std::size_t k_capture_cancel_ack_tail = 8;

// clang-format off
template <>
struct Layout<Version::v1, Hello>
    : MessageLayout<1, 16, Field<&Hello::api_key, 0>> {};

template <>
struct Layout<Version::v1, HelloAck>
    : MessageLayout<2, 16,
                    Field<&HelloAck::client_id, 0>,
                    Field<&HelloAck::status,    8>> {};

template <>
struct Layout<Version::v1, Heartbeat>
    : MessageLayout<3, 8, Field<&Heartbeat::client_id, 0>> {};

template <>
struct Layout<Version::v1, Logout>
    : MessageLayout<4, 8, Field<&Logout::client_id, 0>> {};

template <>
struct Layout<Version::v1, LogoutAck>
    : MessageLayout<5, 16,
                    Field<&LogoutAck::client_id, 0>,
                    Field<&LogoutAck::status,    8>> {};

template <>
struct Layout<Version::v1, SessionTimeout>
    : MessageLayout<6, 16,
                    Field<&SessionTimeout::client_id,      0>,
                    Field<&SessionTimeout::server_time_us, 8>> {};

template <>
struct Layout<Version::v1, NewOrder>
    : MessageLayout<10, 40,
                    Field<&NewOrder::client_id,      0>,
                    Field<&NewOrder::instrument,     8>,
                    Field<&NewOrder::side,          12>,
                    Field<&NewOrder::order_type,    13>,
                    Field<&NewOrder::time_in_force, 14>,
                    Field<&NewOrder::quantity,      16>,
                    Field<&NewOrder::price_e2,      24>,
                    Field<&NewOrder::good_till_us,  32>> {};

template <>
struct Layout<Version::v1, OrderAck>
    : MessageLayout<11, 48,
                    Field<&OrderAck::client_id,       0>,
                    Field<&OrderAck::order_id,        8>,
                    Field<&OrderAck::price_e2,       16>,
                    Field<&OrderAck::quantity,       24>,
                    Field<&OrderAck::server_time_us, 32>,
                    Field<&OrderAck::instrument,     40>,
                    Field<&OrderAck::status,         44>> {};

template <>
struct Layout<Version::v1, CancelOrder>
    : MessageLayout<12, 16,
                    Field<&CancelOrder::client_id, 0>,
                    Field<&CancelOrder::order_id,  8>> {};

template <>
struct Layout<Version::v1, CancelAck>
    : MessageLayout<13, 24,
                    Field<&CancelAck::client_id, 0>,
                    Field<&CancelAck::order_id,  8>,
                    Field<&CancelAck::status,   16>> {};

template <>
struct Layout<Version::v1, ModifyOrder>
    : MessageLayout<14, 32,
                    Field<&ModifyOrder::client_id, 0>,
                    Field<&ModifyOrder::order_id,  8>,
                    Field<&ModifyOrder::quantity, 16>,
                    Field<&ModifyOrder::price_e2, 24>> {};

template <>
struct Layout<Version::v1, ModifyAck>
    : MessageLayout<15, 48,
                    Field<&ModifyAck::client_id,    0>,
                    Field<&ModifyAck::old_order_id, 8>,
                    Field<&ModifyAck::new_order_id, 16>,
                    Field<&ModifyAck::quantity,     24>,
                    Field<&ModifyAck::price_e2,     32>,
                    Field<&ModifyAck::status,       40>> {};

template <>
struct Layout<Version::v1, Trade>
    : MessageLayout<20, 48,
                    Field<&Trade::client_id,     0>,
                    Field<&Trade::order_id,      8>,
                    Field<&Trade::trade_id,     16>,
                    Field<&Trade::quantity,     24>,
                    Field<&Trade::price_e2,     32>,
                    Field<&Trade::timestamp_us, 40>> {};

template <>
struct Layout<Version::v1, Error>
    : MessageLayout<100, 16, Field<&Error::code, 0>> {};
// clang-format on

}  // namespace damrak::wire::binary
