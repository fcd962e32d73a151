// What is kept with a FIX request in the journal, and with its order while that lives: the rest of
// a long ClOrdID, the fields that reports repeat, and who is to be answered
// (gateway/fix/detail/fix_attachment.hpp has the form). Called by FixOrderIntake for requests that
// have any of it. Pure; no allocation.
#pragma once

#include <string_view>

#include <damrak/domain/attachment.hpp>
#include <damrak/fix_codec/message.hpp>
#include <damrak/fix_codec/versions.hpp>
#include <damrak/gateway/fix/detail/fix_order.hpp>
#include <damrak/gateway/fix/detail/order_values.hpp>
#include <damrak/session/fix/routing.hpp>
#include <damrak/session/fix/settings.hpp>

namespace damrak::gateway::fix::detail {

struct Keeping {
    char request = '\0';  ///< D, F, G or q
    fix_codec::ApplVersion version{};
    const session::fix::SessionName* session = nullptr;
    FixNote::Form name_form{};
    std::string_view kept{};  ///< by the order until now: what the request does not say stays
};

/// Refused if it does not fit; Text is cut off instead.
[[nodiscard]] Asked<Attachment> read_attachment(const fix_codec::Message& message,
                                                const Keeping& keeping);

/// Of what answers a request with these fields.
[[nodiscard]] session::fix::Routing routing_of(std::string_view fields,
                                               fix_codec::BeginString version);

/// NoPartyIDs and what its entries have.
[[nodiscard]] bool is_of_parties(fix_codec::Tag tag);

/// Whether a report has it: who is answered stands in the header, and a name in its own place.
/// `request`: of a new order, or of one in a list, which is where what is kept may come from.
[[nodiscard]] bool is_repeated(fix_codec::Tag tag, std::string_view value, char request = 'E');

}  // namespace damrak::gateway::fix::detail
