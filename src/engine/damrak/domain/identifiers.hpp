// Identifiers. Each is a separate type, so that an order id cannot be passed as a participant; all
// are plain integers in memory. Zero means "none".
#pragma once

#include <compare>
#include <cstdint>

namespace damrak {

/// A number that names something; `Tag` separates the types.
template <class Tag, class Rep>
struct Identifier {
    using rep = Rep;
    Rep value{};

    friend constexpr auto operator<=>(const Identifier&, const Identifier&) = default;
    [[nodiscard]] constexpr explicit operator bool() const { return value != Rep{}; }
};

/// Names an order within its instrument. Allocated by the engine as `instrument_index << 40 | n`
/// with n from 1, or given in the command (see OrderIdSource). The engine may count orders that
/// come in displayed and all others apart: see is_private().
using OrderId = Identifier<struct OrderIdTag, std::uint64_t>;
/// The name that a participant gives its order; echoed, never interpreted by the engine.
using ClientOrderId = Identifier<struct ClientOrderIdTag, std::uint64_t>;
/// Joins the two execution events of one trade: `instrument_index << 40 | n`, n from 1.
using TradeId = Identifier<struct TradeIdTag, std::uint64_t>;
/// A trading participant. Valid from 1 up to the engine's capacity.
using ParticipantId = Identifier<struct ParticipantIdTag, std::uint32_t>;
/// A traded instrument. Valid from 1; the instrument index is the id less one.
using InstrumentId = Identifier<struct InstrumentIdTag, std::uint32_t>;
/// Position of a command in the total order that the sequencer makes; from 1.
using SequenceNumber = Identifier<struct SequenceNumberTag, std::uint64_t>;

/// Bits below the instrument index in an allocated order or trade id.
inline constexpr unsigned k_instrument_shift = 40;
/// The instrument index must fit above those bits.
inline constexpr std::uint32_t k_maximum_instruments = 1U << (64 - k_instrument_shift);

[[nodiscard]] constexpr std::uint64_t allocated_id(InstrumentId instrument, std::uint64_t n) {
    return (std::uint64_t{instrument.value - 1} << k_instrument_shift) | n;
}

/// Set in the n of orders that are not displayed when they come in: the ids of the others do not
/// count them.
inline constexpr std::uint64_t k_private_order = std::uint64_t{1} << (k_instrument_shift - 1);

/// Whether an order with this id, which the engine allocated, was not displayed when it came in.
/// The feeds never show the id.
[[nodiscard]] constexpr bool is_private(OrderId id) { return (id.value & k_private_order) != 0; }

/// The instrument of an id that the engine allocated.
[[nodiscard]] constexpr InstrumentId instrument_of(OrderId id) {
    return {static_cast<std::uint32_t>(id.value >> k_instrument_shift) + 1};
}

}  // namespace damrak
