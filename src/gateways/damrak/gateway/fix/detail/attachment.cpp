#include <damrak/gateway/fix/detail/attachment.hpp>

#include <damrak/fix_codec/tags.hpp>
#include <damrak/gateway/fix/detail/fields.hpp>
#include <damrak/gateway/fix/detail/fix_attachment.hpp>
#include <damrak/gateway/fix/detail/text.hpp>

namespace damrak::gateway::fix::detail {

namespace {

using fix_codec::ApplVersion;
using fix_codec::Message;
using fix_codec::Tag;
using session::fix::Routing;
namespace tag = fix_codec::tag;

std::unexpected<Refusal> too_much(Tag tag) {
    return std::unexpected{
        Refusal{.code = 99,
                .text = FixText{"field {}: what is to be repeated of an order has {} characters "
                                "here, tags and long ClOrdID included",
                                tag, Attachment::k_capacity}}};
}

// False: there is no room.
bool append(Attachment& attachment, Tag tag, std::string_view value) {
    const FixedText<16> front{"{}=", tag};
    if (front.view().size() + value.size() + 1 > attachment.room()) return false;
    attachment.append(front.view());
    attachment.append(value);
    attachment.append({&FixFields::k_end, 1});
    return true;
}

// What the header says even so.
bool is_of_session(Tag tag, std::string_view value, const session::fix::SessionName& session) {
    return (tag == tag::sender_sub_id && value == session.target_sub_id) ||
           (tag == tag::target_sub_id && value == session.sender_sub_id);
}

bool is_kept(const Message& message, const fix_codec::Field& field, const Keeping& keeping) {
    const FieldUse use = use_of(keeping.request, field.tag);
    if (field.length == 0 || field.tag == tag::text) return false;
    if (use == FieldUse::routing)
        return !is_of_session(field.tag, message.value(field), *keeping.session);
    // FIX.4.1 has OpenClose in orders alone.
    return is_told(keeping.request, field.tag, message.value(field)) &&
           (field.tag != tag::position_effect || keeping.version >= ApplVersion::fix42);
}

// Parties change together.
bool is_said_anew(const Message& message, Tag tag) {
    if (is_of_parties(tag)) return message.has(tag::no_party_ids);
    switch (tag) {
        case tag::security_id:
        case tag::security_id_source:
            return message.has(tag::security_id);
        default:
            return message.has(tag);
    }
}

}  // namespace

Asked<Attachment> read_attachment(const Message& message, const Keeping& keeping) {
    Attachment result;
    const std::string_view name = message.text_or_empty(tag::cl_ord_id);
    // There is room for the longest.
    if (keeping.name_form == FixNote::Form::begun)
        static_cast<void>(
            append(result, tag::cl_ord_id, name.substr(gateway::ShortName::k_length)));
    Attachment fields = result;
    bool says_any = false;
    for (const fix_codec::Field& field : message.fields()) {
        if (!is_kept(message, field, keeping)) continue;
        says_any = true;
        if (!append(fields, field.tag, message.value(field))) return too_much(field.tag);
    }
    std::string_view text;
    if (use_of(keeping.request, tag::text) == FieldUse::repeated)
        text = message.text_or_empty(tag::text);
    // An order continues with what it has.
    if (!says_any && text.empty()) return result;
    for (const FixField& field : FixFields{keeping.kept}) {
        if (field.tag == tag::text) {
            if (text.empty()) text = field.value;
        } else if (!is_said_anew(message, field.tag)) {
            if (!append(fields, field.tag, field.value)) return too_much(field.tag);
        }
    }
    constexpr std::size_t k_around = 4;  // 58= and the end
    if (!text.empty() && fields.room() > k_around)
        static_cast<void>(append(fields, tag::text, text.substr(0, fields.room() - k_around)));
    return fields.view().substr(result.length) == keeping.kept ? result : fields;
}

Routing routing_of(std::string_view fields, fix_codec::BeginString version) {
    Routing routing;
    if (fields.empty()) return routing;
    const std::size_t count = version == fix_codec::BeginString::fix40 ? Routing::k_first_located
                                                                       : Routing::k_pairs.size();
    for (std::size_t i = 0; i < count; ++i)
        routing.set(i, FixFields{fields}.find(Routing::k_pairs[i].theirs));
    return routing;
}

bool is_of_parties(Tag tag) {
    switch (tag) {
        case tag::no_party_ids:
        case tag::party_id:
        case tag::party_id_source:
        case tag::party_role:
        case tag::no_party_sub_ids:
        case tag::party_sub_id:
        case tag::party_sub_id_type:
            return true;
        default:
            return false;
    }
}

bool is_repeated(Tag tag, std::string_view value, char request) {
    return tag != tag::text && is_told(request, tag, value);
}

}  // namespace damrak::gateway::fix::detail
