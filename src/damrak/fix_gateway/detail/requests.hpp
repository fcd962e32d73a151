// What a FIX client asks for, as a command: the fields of NewOrderSingle, OrderCancelReplaceRequest
// and OrderMassCancelRequest, each exact or refused with a text that says what would be right.
// Called by FixOrderEntry for each request. Pure; no allocation; a look at a dozen fields.
#pragma once

#include <cstdint>
#include <expected>

#include <damrak/domain/command.hpp>
#include <damrak/domain/instrument.hpp>
#include <damrak/fix_codec/message.hpp>
#include <damrak/fix_gateway/detail/text.hpp>
#include <damrak/fix_gateway/fix_orders.hpp>

namespace damrak::gateway::detail {

/// Codes are those of FIX.5.0SP2: OrdRejReason for a new order, CxlRejReason for a change.
struct Refusal {
    int code = 99;
    FixText text;
};
template <class T>
using Asked = std::expected<T, Refusal>;

/// Of an instrument that exists. Without participant.
[[nodiscard]] Asked<Command> read_new_order(const fix_codec::Message& message,
                                            const InstrumentDefinition& instrument);

/// The order that it changes is known to be the client's, and was entered with these terms. What a
/// replace cannot change it may state as it is.
[[nodiscard]] Asked<Command> read_replace(const fix_codec::Message& message,
                                          const gateway::FixOrder& order,
                                          const gateway::FixTerms& terms,
                                          const InstrumentDefinition& instrument);
[[nodiscard]] Asked<Command> read_cancel(const fix_codec::Message& message,
                                         const gateway::FixOrder& order);

/// Whether the side that a request for an order states is that of the order. Side 2 names any sell,
/// but in a replace (`exact`), where it would be another side.
[[nodiscard]] Asked<void> check_side(const fix_codec::Message& message,
                                     const gateway::FixOrder& order, bool exact);

/// Side 5 and 6 (sell short, short exempt) are sells.
[[nodiscard]] Asked<Side> read_side(const fix_codec::Message& message);
/// Of FixNote::flags: what the command does not have of side and time in force.
[[nodiscard]] std::uint8_t note_flags(const fix_codec::Message& message);
[[nodiscard]] Asked<OrderType> read_type(const fix_codec::Message& message);
[[nodiscard]] Asked<TimeInForce> read_time_in_force(const fix_codec::Message& message);

}  // namespace damrak::gateway::detail
