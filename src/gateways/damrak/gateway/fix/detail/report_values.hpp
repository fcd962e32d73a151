// Values of reports for any writer of fields: a MessageWriter, or the one of usual reports
// (execution_reports.hpp).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>

#include <damrak/base/inline.hpp>
#include <damrak/base/wide_integer.hpp>
#include <damrak/domain/event.hpp>
#include <damrak/domain/identifiers.hpp>
#include <damrak/domain/measures.hpp>
#include <damrak/domain/order_terms.hpp>
#include <damrak/fix_codec/tags.hpp>
#include <damrak/fix_codec/versions.hpp>

namespace damrak::gateway::fix::detail {

[[nodiscard]] constexpr char side_char(Side side) { return side == Side::buy ? '1' : '2'; }

[[nodiscard]] constexpr char type_char(OrderType type) {
    constexpr std::array<char, 4> k_types{'2', '1', '3', '4'};
    return k_types[static_cast<std::size_t>(type)];
}

[[nodiscard]] constexpr char time_in_force_char(TimeInForce time_in_force) {
    constexpr std::array<char, 8> k_times{'0', '1', '6', '3', '4', '2', '7', '9'};
    return k_times[static_cast<std::size_t>(time_in_force)];
}

/// AvgPx, rounded to four digits more than a price has, fewer if the number would not fit; halves
/// away from zero.
template <class Writer>
DAMRAK_HOT void put_average(Writer& writer, Quantity executed, Int128 notional,
                            unsigned price_decimals) {
    namespace tag = fix_codec::tag;
    unsigned digits = price_decimals;
    constexpr unsigned k_more_digits = 4;
    constexpr std::int64_t k_scale = 10'000;
    constexpr std::int64_t k_highest = std::numeric_limits<std::int64_t>::max();
    if (executed.value == 0) {
        writer.put_decimal(tag::avg_px, 0, digits);
        return;
    }
    const std::int64_t sign = notional < 0 ? -1 : 1;
    notional *= sign;
    // Nearly always it fits where the processor divides at once.
    if (notional < (k_highest - executed.value) / k_scale) [[likely]] {
        const auto short_total = static_cast<std::int64_t>(notional);
        // Mostly all of it was executed at one price.
        const std::int64_t average = short_total / executed.value;
        if (average * executed.value == short_total)
            writer.put_decimal(tag::avg_px, sign * average, digits);
        else
            writer.put_decimal(
                tag::avg_px, sign * ((short_total * k_scale + executed.value / 2) / executed.value),
                digits + k_more_digits);
        return;
    }
    const Int128 quantity = executed.value;
    constexpr Int128 k_largest = k_highest / 10;
    for (unsigned i = 0; i < k_more_digits && notional / quantity < k_largest; ++i) {
        notional *= 10;
        ++digits;
    }
    const Int128 average = (notional + quantity / 2) / quantity;
    writer.put_decimal(tag::avg_px, sign * static_cast<std::int64_t>(average), digits);
}

/// The field for the id of a trade; zero: FIX.4.2 and before have none.
[[nodiscard]] constexpr fix_codec::Tag trade_tag(fix_codec::ApplVersion version) {
    using fix_codec::ApplVersion;
    if (version >= ApplVersion::fix50sp1) return fix_codec::tag::trd_match_id;
    return version >= ApplVersion::fix43 ? fix_codec::tag::secondary_exec_id : fix_codec::Tag{};
}
/// Whether a report says who came first.
[[nodiscard]] constexpr bool has_liquidity(fix_codec::ApplVersion version) {
    return version >= fix_codec::ApplVersion::fix44;
}
/// FIX.4.4 has no value for auctions, in which all orders rest.
[[nodiscard]] constexpr char liquidity_char(const Event& executed, fix_codec::ApplVersion version) {
    const bool in_cross = has_flag(executed, EventFlags::k_cross);
    if (in_cross && version >= fix_codec::ApplVersion::fix50) return '4';
    return is_taker(executed) ? '2' : '1';
}

}  // namespace damrak::gateway::fix::detail
