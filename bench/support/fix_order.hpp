// The order of the FIX benchmarks, of which 11, 34, 38, 44, 52 and 60 change from message to
// message, and the template that it is encoded with.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include <damrak/domain/measures.hpp>
#include <damrak/fix_codec/encode_template.hpp>

namespace damrak::bench {

/// The varying fields of message number `sequence`, from 1.
struct FixOrder {
    explicit FixOrder(std::uint64_t number)
        : sequence(number),
          quantity(1 + number % 500),
          price_cents(1'000'000 + static_cast<std::int64_t>(number * 7 % 1'000)),
          transact_time{k_first_time.value + static_cast<std::int64_t>(number) * 1'713},
          sending_time{transact_time.value + 389} {}

    std::uint64_t sequence;  ///< also its ClOrdID
    std::uint64_t quantity;
    std::int64_t price_cents;
    Timestamp transact_time;
    Timestamp sending_time;

    static constexpr Timestamp k_first_time{1'767'205'296'457'245'600};  // 20251231-18:21:36
};

[[nodiscard]] inline fix_codec::MessageTemplate fix_order_template() {
    fix_codec::MessageTemplate order{fix_codec::BeginString::fixt11, "D"};
    order.slot(34).put(49, "CLIENT1").slot(52).put(56, "EXECUTOR").put(50, "SNDR_SUB");
    order.put(57, "SRVR_SUB").slot(11).put(55, "NOKIA.HE").put(54, "1").slot(38).slot(44);
    order.put(40, "2").put(59, "0").put(453, "2");
    order.put(448, "PARTY1").put(447, "D").put(452, "1");
    order.put(448, "PARTY2").put(447, "D").put(452, "3").slot(60);
    return order;
}

/// Into `room`, which the store gave.
[[nodiscard]] inline std::span<const char> encode(const fix_codec::MessageTemplate& message,
                                                  const FixOrder& order, std::span<char> room,
                                                  fix_codec::TimestampCache& times) {
    constexpr auto k_precision = fix_codec::TimePrecision::nanoseconds;
    fix_codec::TemplateWriter writer{message, room, times};
    writer.put(order.sequence).put_timestamp(order.sending_time, k_precision);
    writer.put(order.sequence).put(order.quantity).put_decimal(order.price_cents, 2);
    writer.put_timestamp(order.transact_time, k_precision);
    return writer.finish();
}

}  // namespace damrak::bench
