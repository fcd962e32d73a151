// What the exchange does with each field of a request for orders: it acts on it, repeats it in
// reports, leaves it alone by right, or refuses the request that has it. A field that would change
// what is asked for is never passed over; one that no list names is refused. docs/fix.md has the
// lists. Called by FixOrderIntake for each request: a look into a table for each field.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include <damrak/fix_codec/message.hpp>

namespace damrak::gateway::fix::detail {

enum class FieldUse : std::uint8_t {
    refused,   ///< the request is refused, and the field named
    ignored,   ///< it says nothing about what is asked for
    repeated,  ///< reports have it as it was sent
    routing,   ///< it says who asks, and so who is answered
    honoured,  ///< it has its effect, or the request is refused for its value
    told,      ///< both: it has its effect, and reports have it as it was sent
    basic,     ///< of a new order: honoured, and most orders have no others that are
};

/// `request` is a MsgType: D, E, F, G, H, i, q, Z, or M for OrderMassStatusRequest (AF). Header,
/// trailer and user-defined fields are ignored.
[[nodiscard]] FieldUse use_of(char request, fix_codec::Tag tag);

/// Whether reports have it as it was sent: of ExecInst, what makes an order follow the market.
[[nodiscard]] bool is_told(char request, fix_codec::Tag tag, std::string_view value);

struct FieldsFound {
    std::optional<fix_codec::Tag> refused;  ///< the first that the request may not have
    bool to_keep = false;                   ///< some are repeated, or say who is answered
    bool is_basic = true;                   ///< of those with an effect all are basic
};
[[nodiscard]] FieldsFound look_at_fields(const fix_codec::Message& message, char request);

}  // namespace damrak::gateway::fix::detail
