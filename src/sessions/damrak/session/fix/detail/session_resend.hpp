// Gaps: requests for messages missing here, and resends of messages missing there. Part of
// session.hpp.
#pragma once

#include <algorithm>
#include <utility>

#include <damrak/session/fix/session.hpp>

namespace damrak::session::fix {

namespace detail {

/// More than a gap fill needs, and more than a message grows when it is resent.
inline constexpr std::size_t k_resend_bytes = 512;

/// Header fields that precede OrigSendingTime in ascending tag order.
[[nodiscard]] inline bool is_before_orig_sending_time(fix_codec::Tag tag) {
    namespace tags = fix_codec::tag;
    switch (tag) {
        case tags::msg_seq_num:
        case tags::sender_comp_id:
        case tags::sender_sub_id:
        case tags::sending_time:
        case tags::target_comp_id:
        case tags::target_sub_id:
        case tags::poss_resend:
        case tags::on_behalf_of_comp_id:
        case tags::on_behalf_of_sub_id:
            return true;
        default:
            return false;
    }
}

}  // namespace detail

/// All messages up to that number are missing. They are requested once, and again only if the
/// answer was incomplete or does not come.
template <class App, Store St>
void Session<App, St>::ask_for_gap(std::uint64_t to) {
    if (gap_to_ == 0) ++tools_->counters.gaps;
    gap_to_ = std::max(gap_to_, to);
    if (requested_to_ < store_->next_incoming()) request_gap();
}

template <class App, Store St>
void Session<App, St>::request_gap() {
    namespace tag = fix_codec::tag;
    const std::uint64_t from = store_->next_incoming();
    // "To the end" is 0; before FIX.4.2 it was a large number.
    std::uint64_t last = settings_->name.begin_string < fix_codec::BeginString::fix42 ? 999'999 : 0;
    requested_to_ = gap_to_;
    const std::uint64_t most = settings_->resend_request_messages;
    if (most != 0) {
        requested_to_ = std::min(gap_to_, from + most - 1);
        last = requested_to_;
    }
    gap_progress_ = now_;
    ++tools_->counters.resend_requests_out;
    send_admin("2", [&](MessageWriter& writer) {
        writer.put(tag::begin_seq_no, from).put(tag::end_seq_no, last);
    });
}

template <class App, Store St>
auto Session<App, St>::on_resend_request(const Message& message) -> std::optional<Fault> {
    namespace tag = fix_codec::tag;
    const auto from = message.integer(tag::begin_seq_no);
    const auto to = message.integer(tag::end_seq_no);
    const std::uint64_t next = store_->next_outgoing();
    ++tools_->counters.resend_requests_in;
    if (!from || *from < 1 || std::cmp_greater_equal(*from, next))
        return Fault{.reason = Reason::value_incorrect, .tag = tag::begin_seq_no};
    if (!to || *to < 0 || (*to != 0 && *to < *from))
        return Fault{.reason = Reason::value_incorrect, .tag = tag::end_seq_no};
    const auto last = static_cast<std::uint64_t>(*to);
    start_resend(static_cast<std::uint64_t>(*from),
                 last == 0 ? next - 1 : std::min(last, next - 1));
    return std::nullopt;
}

/// If a resend is in progress, one resend covers both requests: duplicates are marked and do no
/// harm.
template <class App, Store St>
void Session<App, St>::start_resend(std::uint64_t from, std::uint64_t to) {
    if (resend_next_ != 0) {
        from = std::min(from, resend_gap_ != 0 ? resend_gap_ : resend_next_);
        to = std::max(to, resend_to_);
    }
    resend_next_ = from;
    resend_to_ = to;
    resend_gap_ = 0;
}

/// Resends a part in each turn, and never fills more than half of the output buffer, so that a
/// resend delays neither other clients nor the client's new messages.
template <class App, Store St>
void Session<App, St>::serve_resend() {
    if (resend_next_ == 0) [[likely]]
        return;
    for (std::uint32_t i = 0; i < settings_->resend_batch_messages; ++i) {
        if (!may_transmit() || out_->room() < out_->size() + detail::k_resend_bytes ||
            out_->room() < settings_->maximum_message_bytes + detail::k_resend_bytes)
            return;
        if (resend_next_ > resend_to_) {
            if (resend_gap_ != 0) send_gap_fill(resend_gap_, resend_next_);
            resend_next_ = resend_gap_ = 0;
            return;
        }
        const auto stored = store_->find(resend_next_);
        // What an initiator sent since its Logon is on its way, behind a gap that begins before: a
        // gap fill over what is not stored would take back what has just been said.
        if (!stored && settings_->role == Role::initiator && resend_next_ > logon_sequence_ &&
            resend_gap_ != 0 && resend_gap_ <= logon_sequence_) {
            resend_to_ = resend_next_ - 1;
            continue;
        }
        if (!stored || stored->kept.administrative) {
            if (resend_gap_ == 0) resend_gap_ = resend_next_;
        } else {
            if (resend_gap_ != 0) send_gap_fill(resend_gap_, resend_next_);
            resend_gap_ = 0;
            resend(*stored);
        }
        ++resend_next_;
    }
}

/// Unchanged except for PossDupFlag, SendingTime and OrigSendingTime.
template <class App, Store St>
void Session<App, St>::resend(const Stored& stored) {
    namespace tag = fix_codec::tag;
    Message message;
    const auto scan = tools_->decoder.scan(stored.message, message);
    DAMRAK_ASSERT(scan.status == fix_codec::Scan::Status::message);
    MessageWriter writer{tools_->scratch, tools_->times};
    writer.begin(message.begin_string(), message.msg_type());
    const auto fields = message.fields();
    const std::string_view first_time = message.text_or_empty(tag::sending_time);
    bool time_put = false;
    // The writer adds BeginString, BodyLength and MsgType in front and CheckSum at the end.
    for (const fix_codec::Field& field : fields.subspan(3, fields.size() - 4)) {
        if (!time_put && !detail::is_before_orig_sending_time(field.tag)) {
            writer.put(tag::orig_sending_time, first_time);
            time_put = true;
        }
        if (field.tag == tag::sending_time) {
            writer.put_timestamp(tag::sending_time, now_, settings_->time_precision);
            continue;
        }
        writer.put(field.tag, message.value(field));
        if (field.tag == tag::msg_seq_num) writer.put_char(tag::poss_dup_flag, 'Y');
    }
    if (!time_put) writer.put(tag::orig_sending_time, first_time);
    const auto again = writer.finish();
    DAMRAK_ASSERT(!again.empty());
    ++tools_->counters.messages_resent;
    transmit(again, class_of(message.msg_type()));
}

/// Replaces the messages from one number to the one before another.
template <class App, Store St>
void Session<App, St>::send_gap_fill(std::uint64_t from, std::uint64_t to) {
    MessageWriter writer{tools_->scratch, tools_->times};
    put_header(writer, "4", from, {}, true);
    writer.put(fix_codec::tag::new_seq_no, to).put_char(fix_codec::tag::gap_fill_flag, 'Y');
    ++tools_->counters.sequence_resets_out;
    transmit(writer.finish(), MessageClass::session);
}

/// Replaces messages that are not resent. It moves forward only: at least past its own number.
template <class App, Store St>
std::uint64_t Session<App, St>::on_gap_fill(const Message& message) {
    ++tools_->counters.sequence_resets_in;
    const auto to = message.integer(fix_codec::tag::new_seq_no);
    const std::uint64_t next = message.sequence() + 1;
    if (to && std::cmp_greater_equal(*to, next) &&
        static_cast<std::uint64_t>(*to) - next <= detail::k_furthest_ahead)
        return static_cast<std::uint64_t>(*to);
    send_reject(message, {.reason = Reason::value_incorrect, .tag = fix_codec::tag::new_seq_no});
    return next;
}

/// The other side gives up missing messages: its next number is set, whatever the number of this
/// message.
template <class App, Store St>
void Session<App, St>::on_sequence_reset(const Message& message) {
    ++tools_->counters.sequence_resets_in;
    if (const auto fault = fault_of(message)) return send_reject(message, *fault);
    const auto to = message.integer(fix_codec::tag::new_seq_no);
    const std::uint64_t expected = store_->next_incoming();
    if (!to || std::cmp_less(*to, expected) ||
        static_cast<std::uint64_t>(*to) - expected > detail::k_furthest_ahead)
        return send_reject(message, {.reason = Reason::value_incorrect});
    consume(message, static_cast<std::uint64_t>(*to));
}

}  // namespace damrak::session::fix
