// Output: each message is stored first, then sent. Part of session.hpp.
#pragma once

#include <array>
#include <cstring>

#include <damrak/fix_codec/format_into.hpp>
#include <damrak/session/fix/session.hpp>

namespace damrak::session::fix {

template <class App, Store St>
template <class Fill>
bool Session<App, St>::send(std::string_view msg_type, Timestamp now, Fill&& fill,
                            const EventPosition& position, const Routing& routing) {
    now_ = now;
    const auto encode = [&](std::span<char> room, std::uint64_t sequence) {
        MessageWriter writer{room, tools_->times};
        put_header(writer, msg_type, sequence, routing);
        fill(writer);
        return writer.finish();
    };
    return keep_and_send(encode, {.time = now, .position = position}, class_of(msg_type),
                         may_transmit());
}

template <class App, Store St>
template <class Fill>
bool Session<App, St>::send_fleeting(std::string_view msg_type, Timestamp now, Fill&& fill) {
    now_ = now;
    if (!may_transmit()) return false;
    if (claim({}).empty()) [[unlikely]]
        return false;
    const std::uint64_t sequence = store_->next_outgoing();
    MessageWriter writer{tools_->scratch, tools_->times};
    put_header(writer, msg_type, sequence, {});
    fill(writer);
    const std::span<const char> message = writer.finish();
    if (message.empty()) return false;
    store_->set_next_outgoing(sequence + 1, now);
    transmit(message, class_of(msg_type));
    return ended_ == Ended::no;
}

template <class App, Store St>
template <class Encode>
bool Session<App, St>::send_encoded(Timestamp now, Encode&& encode, const EventPosition& position) {
    now_ = now;
    return keep_and_send(encode, {.time = now, .position = position}, MessageClass::orders,
                         may_transmit());
}

template <class App, Store St>
template <class Encode>
bool Session<App, St>::keep_and_send(Encode&& encode, const Kept& kept, MessageClass kind,
                                     bool transmit_now) {
    const std::span<char> room = claim(kept.position);
    if (room.empty()) [[unlikely]]
        return false;
    const std::uint64_t sequence = store_->next_outgoing();
    const std::span<const char> message = encode(room, sequence);
    if (message.empty()) [[unlikely]]
        return false;
    const auto stored = store_->commit(sequence, message, kept);
    if (transmit_now) transmit(stored, kind);
    return true;
}

/// Behind a report that could not be stored nothing is: the next start finds from where reports are
/// missing, and no message takes their numbers.
template <class App, Store St>
std::span<char> Session<App, St>::claim(const EventPosition& position) {
    std::span<char> room;
    if (!lacks_reports_) [[likely]]
        room = store_->claim(settings_->maximum_message_bytes);
    if (room.empty()) [[unlikely]] {
        lacks_reports_ |= position != EventPosition{};
        end(Ended::store_failed, "messages cannot be stored");
    }
    return room;
}

template <class App, Store St>
template <class Fill>
void Session<App, St>::send_admin(std::string_view msg_type, Fill&& fill, const Routing& routing) {
    const auto encode = [&](std::span<char> room, std::uint64_t sequence) {
        MessageWriter writer{room, tools_->times};
        put_header(writer, msg_type, sequence, routing);
        fill(writer);
        return writer.finish();
    };
    static_cast<void>(keep_and_send(encode, {.time = now_, .position = {}, .administrative = true},
                                    MessageClass::session, ended_ == Ended::no));
}

template <class App, Store St>
void Session<App, St>::transmit(std::span<const char> message, MessageClass kind) {
    const std::span<std::byte> room = out_->extend(message.size());
    if (room.empty()) [[unlikely]]
        return end(Ended::slow_reader);
    std::memcpy(room.data(), message.data(), message.size());
    last_sent_ = now_;
    tools_->counters.count_out(kind);
}

/// In ascending tag order, as in the specification; unknown fields are left out.
template <class App, Store St>
void Session<App, St>::put_header(MessageWriter& writer, std::string_view msg_type,
                                  std::uint64_t sequence, const Routing& routing,
                                  bool duplicate) const {
    namespace tag = fix_codec::tag;
    const SessionName& name = settings_->name;
    const auto put_if = [&](Tag tag, std::string_view value, std::string_view otherwise) {
        const std::string_view chosen = value.empty() ? otherwise : value;
        if (!chosen.empty()) writer.put(tag, chosen);
    };
    writer.begin(name.begin_string, msg_type);
    writer.put(tag::msg_seq_num, sequence);
    if (duplicate) writer.put_char(tag::poss_dup_flag, 'Y');
    writer.put(tag::sender_comp_id, name.sender_comp_id);
    put_if(tag::sender_sub_id, routing[Routing::k_sender_sub_id], name.sender_sub_id);
    writer.put_timestamp(tag::sending_time, now_, settings_->time_precision);
    writer.put(tag::target_comp_id, name.target_comp_id);
    put_if(tag::target_sub_id, routing[Routing::k_target_sub_id], name.target_sub_id);
    const auto put_routing = [&](std::size_t first, std::size_t last) {
        for (std::size_t i = first; i < last; ++i) put_if(Routing::k_pairs[i].ours, routing[i], {});
    };
    if (!routing.empty()) put_routing(Routing::k_first_after_ids, Routing::k_first_deliver);
    if (duplicate) writer.put_timestamp(tag::orig_sending_time, now_, settings_->time_precision);
    if (!routing.empty()) put_routing(Routing::k_first_deliver, Routing::k_pairs.size());
}

/// FIX.4.0 and 4.1 have no fields for tag and reason; the text contains both. FIX.4.2 and 4.3 know
/// fewer reasons.
template <class App, Store St>
void Session<App, St>::send_reject(const Message& message, const Fault& fault) {
    namespace tag = fix_codec::tag;
    using fix_codec::BeginString;
    const BeginString version = settings_->name.begin_string;
    const bool has_codes = version >= BeginString::fix42;
    const auto last_reason = version == BeginString::fix42   ? Reason::invalid_msg_type
                             : version == BeginString::fix43 ? Reason::value_includes_delimiter
                                                             : Reason::other;
    std::array<char, 256> buffer{};
    std::string_view text = fault.text.empty() ? fix_codec::text(fault.reason) : fault.text;
    if (!has_codes && fault.tag) {
        const std::size_t length =
            fix_codec::format_into(buffer, "{} ({})", text, fix_codec::shown(*fault.tag));
        text = {buffer.data(), length};
    }
    const auto fill = [&](MessageWriter& writer) {
        writer.put(tag::ref_seq_num, message.sequence()).put(tag::text, text);
        if (!has_codes) return;
        if (fault.tag) writer.put(tag::ref_tag_id, fix_codec::shown(*fault.tag));
        writer.put(tag::ref_msg_type, message.msg_type());
        if (fault.reason <= last_reason)
            writer.put(tag::session_reject_reason, static_cast<unsigned>(fault.reason));
    };
    ++tools_->counters.rejects_out;
    send_admin("3", fill, Routing::reversed(message));
}

/// Introduced by FIX.4.2; earlier versions have only Reject.
template <class App, Store St>
void Session<App, St>::send_business_reject(const Message& message, const Reply& reply) {
    namespace tag = fix_codec::tag;
    const bool unsupported =
        reply.business_reason == BusinessRejectReason::unsupported_message_type;
    if (settings_->name.begin_string < fix_codec::BeginString::fix42)
        return send_reject(
            message,
            {.reason = Reason::other,
             .text = unsupported && reply.text.empty() ? "Unsupported message type" : reply.text});
    const auto fill = [&](MessageWriter& writer) {
        writer.put(tag::ref_seq_num, message.sequence());
        const std::string_view text =
            unsupported && reply.text.empty() ? "Unsupported Message Type" : reply.text;
        if (!text.empty()) writer.put(tag::text, text);
        writer.put(tag::ref_msg_type, message.msg_type());
        if (!reply.ref_id.empty()) writer.put(tag::business_reject_ref_id, reply.ref_id);
        writer.put(tag::business_reject_reason, static_cast<unsigned>(reply.business_reason));
    };
    ++tools_->counters.business_rejects_out;
    static_cast<void>(send("j", now_, fill, {}, Routing::reversed(message)));
}

}  // namespace damrak::session::fix
