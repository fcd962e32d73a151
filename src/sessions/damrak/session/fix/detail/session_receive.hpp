// Input: the checks of each message, their order, and its handlers. Part of session.hpp.
#pragma once

#include <cstring>
#include <utility>

#include <fmt/format.h>

#include <damrak/session/fix/detail/message_kind.hpp>
#include <damrak/session/fix/session.hpp>

namespace damrak::session::fix {

template <class App, Store St>
Session<App, St>::Session(App& application, St& store, SessionTools& tools,
                          const SessionSettings& settings)
    : application_(&application),
      store_(&store),
      tools_(&tools),
      settings_(&settings),
      dictionary_(settings.dictionary),
      appl_version_(fix_codec::appl_version(settings.name.begin_string)
                        .value_or(settings.default_appl_version)),
      throttle_(settings.messages_per_second, settings.burst_messages),
      early_(settings.early_bytes) {
    static_assert(Application<App, Session>);
    if (dictionary_ == nullptr) dictionary_ = &fix_codec::Dictionary::of(appl_version_);
}

template <class App, Store St>
Received Session<App, St>::receive(std::span<const std::byte> bytes, Timestamp now) {
    now_ = now;
    Received result;
    const std::span text{reinterpret_cast<const char*>(bytes.data()), bytes.size()};
    while (result.consumed_bytes < text.size() && connected() && ended_ == Ended::no) {
        // An answer must fit: a client that does not read is not read from.
        result.blocked = suspended_ || out_->room() < settings_->maximum_message_bytes;
        if (result.blocked) break;
        Message message;
        if constexpr (requires { application_->on_scan(*this); }) application_->on_scan(*this);
        const fix_codec::Scan found = scan(text.subspan(result.consumed_bytes), message);
        const bool is_whole = found.status == fix_codec::Scan::Status::message;
        if constexpr (requires { application_->on_scanned(*this, &message); })
            application_->on_scanned(*this, is_whole ? &message : nullptr);
        if (found.status == fix_codec::Scan::Status::need_more) {
            result.consumed_bytes += found.bytes;
            break;
        }
        if (found.status == fix_codec::Scan::Status::garbled) {
            result.consumed_bytes += found.bytes;
            on_garbled();
            continue;
        }
        result.blocked = !is_long_ && must_wait(message);
        if (result.blocked) {
            if constexpr (requires { application_->on_scanned(*this, &message); })
                application_->on_scanned(*this, nullptr);
            break;
        }
        result.consumed_bytes += found.bytes;
        ++result.messages;
        on_message(message);
        is_long_ = false;
        if constexpr (requires { application_->on_taken(*this); }) application_->on_taken(*this);
        if (gap_to_ != 0) [[unlikely]]
            take_early();
        serve_resend();
    }
    return result;
}

/// The next message, or the kind of bytes found instead. The bytes of a message that is too long
/// are consumed as they come; the message is reported with the last of them.
template <class App, Store St>
fix_codec::Scan Session<App, St>::scan(std::span<const char> bytes, Message& message) {
    if (!long_.under_way()) [[likely]] {
        const fix_codec::Scan found = tools_->decoder.scan(bytes, message);
        if (found.status != fix_codec::Scan::Status::too_long) [[likely]]
            return found;
        long_.begin(message.bytes(), found.bytes);
    }
    return pass_long(bytes, message);
}

template <class App, Store St>
fix_codec::Scan Session<App, St>::pass_long(std::span<const char> bytes, Message& message) {
    using fix_codec::Garbled;
    using fix_codec::Scan;
    const LongMessage::Step passed = long_.pass(bytes);
    if (passed.is == LongMessage::Is::unfinished)
        return {Scan::Status::need_more, passed.bytes, Garbled::none};
    is_long_ = passed.is == LongMessage::Is::whole &&
               tools_->decoder.read_front(long_.front(), message) == Garbled::none;
    if (!is_long_) return {Scan::Status::garbled, passed.bytes, Garbled::too_long};
    return {Scan::Status::message, passed.bytes, Garbled::none};
}

/// A garbled message is ignored, and its number counts as missing. A connection that begins with
/// one is not FIX.
template <class App, Store St>
void Session<App, St>::on_garbled() {
    ++garbled_;
    ++tools_->counters.garbled;
    if (state_ != State::awaiting_logon) return;
    tools_->counters.count(LogonRefusal::invalid);
    end(Ended::not_a_logon);
}

template <class App, Store St>
bool Session<App, St>::must_wait(const Message& message) {
    if constexpr (requires { application_->must_wait(*this, message); })
        if (application_->must_wait(*this, message)) [[unlikely]]
            return logged_on();
    if (settings_->messages_per_second == 0 || settings_->on_throttle != OnThrottle::wait)
        return false;
    if (!logged_on() || detail::admin_type(message.msg_type()) != 0) return false;
    last_received_ = now_;
    return !throttle_.allows(now_.value);
}

template <class App, Store St>
void Session<App, St>::on_message(const Message& message) {
    last_received_ = now_;
    test_request_sent_ = false;
    tools_->counters.count_in(message.msg_type());
    if (state_ == State::awaiting_logon) [[unlikely]]
        return on_first_message(message);
    if (message.begin_string() != settings_->name.begin_string) [[unlikely]]
        return send_logout("Incorrect BeginString");
    const char type = detail::admin_type(message.msg_type());
    const bool as_expected = message.sequence() == store_->next_incoming();
    if (!as_expected || type >= '4' || reset_sent_) [[unlikely]]
        return on_unusual(message, type);
    if (passes_header(message)) in_sequence(message, type);
}

/// Handles messages out of sequence and messages whose meaning does not depend on their number.
template <class App, Store St>
void Session<App, St>::on_unusual(const Message& message, char type) {
    if (reset_sent_ && type != 'A' && type != '5') return;  // it still counts as before the reset
    if (!message.has(fix_codec::tag::msg_seq_num))
        return end_with_logout(Ended::bad_sequence, "MsgSeqNum missing");
    if (!passes_header(message)) return;
    if (type == 'A') return on_second_logon(message);
    if (type == '5') return on_logout(message);
    if (type == '4' && message.text_or_empty(fix_codec::tag::gap_fill_flag) != "Y")
        return on_sequence_reset(message);
    if (message.sequence() == 0)
        return end_with_logout(Ended::bad_sequence, "MsgSeqNum is not a positive number");
    const std::uint64_t expected = store_->next_incoming();
    if (message.sequence() > expected) return too_early(message, type);
    if (message.sequence() < expected) return too_late(message, type);
    in_sequence(message, type);
}

template <class App, Store St>
void Session<App, St>::in_sequence(const Message& message, char type) {
    if (detail::is_duplicate(message) && !passes_duplicate(message, type)) [[unlikely]]
        return;
    if (const auto fault = fault_of(message)) [[unlikely]]
        return refuse(message, *fault);
    const std::uint64_t resets = resets_;
    const std::uint64_t next = handle(message, type);
    if (resets_ != resets) return;  // the application reset the session
    if (!suspended_) [[likely]]
        return consume(message, next);
    const std::span<const char> bytes = to_keep(message);
    suspended_message_.assign(bytes.begin(), bytes.end());
    suspended_next_ = next;
    suspended_resets_ = resets;
}

template <class App, Store St>
void Session<App, St>::complete(Timestamp now) {
    if (!std::exchange(suspended_, false)) return;
    now_ = now;
    if (resets_ == suspended_resets_) keep_consumed(suspended_message_, suspended_next_);
    if (gap_to_ != 0 && connected()) [[unlikely]]
        take_early();
}

/// Returns the number that is expected next.
template <class App, Store St>
std::uint64_t Session<App, St>::handle(const Message& message, char type) {
    const std::uint64_t next = store_->next_incoming() + 1;
    if (type == 0) [[likely]] {
        to_application(message);
        return next;
    }
    if constexpr (requires { application_->on_admin(*this, message); })
        application_->on_admin(*this, message);
    if (type == '3') ++tools_->counters.rejects_in;
    if (type == '1') on_test_request(message);
    if (type == '2')
        if (const auto fault = on_resend_request(message)) send_reject(message, *fault);
    if (type == '4') return on_gap_fill(message);
    return next;
}

template <class App, Store St>
void Session<App, St>::to_application(const Message& message) {
    if (settings_->messages_per_second != 0) {
        if (!throttle_.allows(now_.value)) {
            if (settings_->on_throttle == OnThrottle::disconnect)
                return end_with_logout(Ended::too_fast, "Throttle limit exceeded");
            return send_business_reject(message, Reply::business_reject(BusinessRejectReason::other,
                                                                        "Throttle limit exceeded"));
        }
        throttle_.take();
    }
    const Reply reply = application_->on_message(*this, message);
    if (reply.kind == Reply::Kind::accepted) [[likely]]
        return;
    if (reply.kind == Reply::Kind::pending) {
        suspended_ = true;
        return;
    }
    if (reply.kind == Reply::Kind::business_rejected) return send_business_reject(message, reply);
    send_reject(message, {.reason = reply.reason, .tag = reply.tag, .text = reply.text});
}

/// Earlier messages are missing. A request of the other side is answered nevertheless: if each side
/// waited for the other, neither could continue.
template <class App, Store St>
void Session<App, St>::too_early(const Message& message, char type) {
    const std::uint64_t expected = store_->next_incoming();
    if (message.sequence() - expected > detail::k_furthest_ahead)
        return end_with_logout(Ended::bad_sequence,
                               fmt::format("MsgSeqNum too far ahead, expecting {} but received {}",
                                           expected, message.sequence()));
    if (type == '2' && !fault_of(message))
        if (const auto fault = on_resend_request(message)) send_reject(message, *fault);
    const bool kept = !is_long_ && early_.keep(message.sequence(), message.bytes());
    ask_for_gap(kept ? message.sequence() - 1 : message.sequence());
}

/// A ResendRequest is answered nevertheless: the answer changes no number on either side.
template <class App, Store St>
void Session<App, St>::too_late(const Message& message, char type) {
    if (!detail::is_duplicate(message) && type == '2' && !fault_of(message)) {
        if (const auto fault = on_resend_request(message)) send_reject(message, *fault);
        return;
    }
    if (!detail::is_duplicate(message))
        return end_with_logout(Ended::bad_sequence,
                               fmt::format("MsgSeqNum too low, expecting {} but received {}",
                                           store_->next_incoming(), message.sequence()));
    // A duplicate. It is examined only to check the state of the other side.
    static_cast<void>(passes_duplicate(message, type));
}

/// Handles messages that came early, once the gap before them is closed.
template <class App, Store St>
void Session<App, St>::take_early() {
    while (ended_ == Ended::no && !suspended_ && !early_.empty()) {
        const auto bytes = early_.take(store_->next_incoming());
        if (bytes.empty()) break;
        Message message;
        const auto scan = tools_->decoder.scan(bytes, message);
        DAMRAK_ASSERT(scan.status == fix_codec::Scan::Status::message);
        const char type = detail::admin_type(message.msg_type());
        // Those were answered on arrival.
        if (type == 'A' || type == '2') {
            consume(message, message.sequence() + 1);
        } else {
            in_sequence(message, type);
        }
    }
    if (ended_ != Ended::no || suspended_) return;
    if (!has_gap()) return forget_gaps();
    if (requested_to_ < store_->next_incoming()) request_gap();
}

template <class App, Store St>
bool Session<App, St>::passes_header(const Message& message) {
    if (settings_->check_comp_ids && !are_comp_ids_right(message)) [[unlikely]] {
        // Validation finds missing and empty fields.
        if (!message.text_or_empty(fix_codec::tag::sender_comp_id).empty() &&
            !message.text_or_empty(fix_codec::tag::target_comp_id).empty()) {
            refuse_and_log_out(message, {.reason = Reason::comp_id_problem});
            return false;
        }
    }
    if (settings_->check_sending_time && !has_accurate_time(message)) [[unlikely]] {
        refuse_and_log_out(message, {.reason = Reason::sending_time_accuracy_problem});
        return false;
    }
    return true;
}

/// Most messages have the same second as the previous one, which needs no parsing. Validation finds
/// invalid values.
template <class App, Store St>
bool Session<App, St>::has_accurate_time(const Message& message) {
    const std::string_view text = message.text_or_empty(fix_codec::tag::sending_time);
    if (text.size() >= second_text_.size() &&
        std::memcmp(text.data(), second_text_.data(), second_text_.size()) == 0 &&
        is_accurate(second_) && is_accurate(second_ + Timestamp{1'000'000'000})) [[likely]]
        return true;
    const auto time = fix_codec::parse_timestamp(text);
    if (!time) return true;
    std::memcpy(second_text_.data(), text.data(), second_text_.size());
    second_ = fix_codec::parse_timestamp(text.substr(0, second_text_.size())).value_or(*time);
    return is_accurate(*time);
}

template <class App, Store St>
bool Session<App, St>::are_comp_ids_right(const Message& message) const {
    return message.text_or_empty(fix_codec::tag::sender_comp_id) ==
               settings_->name.target_comp_id &&
           message.text_or_empty(fix_codec::tag::target_comp_id) == settings_->name.sender_comp_id;
}

template <class App, Store St>
bool Session<App, St>::is_accurate(Timestamp sending_time) const {
    const std::int64_t limit = std::int64_t{settings_->sending_time_accuracy_s} * 1'000'000'000;
    const std::int64_t off = (now_ - sending_time).value;
    return off <= limit && -off <= limit;
}

/// A message sent again carries the time of its first transmission, which cannot be later. Gap
/// fills may omit it.
template <class App, Store St>
bool Session<App, St>::passes_duplicate(const Message& message, char type) {
    if (type == '4') return true;
    if (!message.has(fix_codec::tag::orig_sending_time)) {
        refuse(message,
               {.reason = Reason::required_tag_missing, .tag = fix_codec::tag::orig_sending_time});
        return false;
    }
    const auto first = message.timestamp(fix_codec::tag::orig_sending_time);
    const auto now = message.timestamp(fix_codec::tag::sending_time);
    if (first && now && *first > *now) {
        refuse_and_log_out(message, {.reason = Reason::sending_time_accuracy_problem});
        return false;
    }
    return true;
}

template <class App, Store St>
auto Session<App, St>::fault_of(const Message& message) const -> std::optional<Fault> {
    if (is_long_) [[unlikely]]
        return Fault{.reason = Reason::other, .text = tools_->too_long};
    if (!settings_->validate) {
        for (const Tag tag : {fix_codec::tag::sender_comp_id, fix_codec::tag::target_comp_id,
                              fix_codec::tag::sending_time})
            if (!message.has(tag)) return Fault{.reason = Reason::required_tag_missing, .tag = tag};
        return std::nullopt;
    }
    const auto violation = dictionary_for(message).validate(message, settings_->rules);
    if (!violation) [[likely]]
        return std::nullopt;
    if (violation->reason == Reason::invalid_msg_type) return Fault{.reason = violation->reason};
    return Fault{.reason = violation->reason, .tag = violation->tag};
}

template <class App, Store St>
std::span<const char> Session<App, St>::to_keep(const Message& message) {
    if (!detail::may_have_password(message.msg_type())) [[likely]]
        return message.bytes();
    return detail::without_passwords(message.bytes(), tools_->scratch);
}

template <class App, Store St>
void Session<App, St>::consume(const Message& message, std::uint64_t next) {
    keep_consumed(to_keep(message), next);
}

template <class App, Store St>
void Session<App, St>::keep_consumed(std::span<const char> message, std::uint64_t next) {
    store_->take_incoming(next, message, now_);
    if (gap_to_ != 0) [[unlikely]]
        gap_progress_ = now_;
}

/// A rejected message has arrived: its number counts.
template <class App, Store St>
void Session<App, St>::refuse(const Message& message, const Fault& fault) {
    send_reject(message, fault);
    if (message.sequence() == store_->next_incoming()) consume(message, message.sequence() + 1);
}

template <class App, Store St>
void Session<App, St>::refuse_and_log_out(const Message& message, const Fault& fault) {
    refuse(message, fault);
    send_logout({});
}

template <class App, Store St>
void Session<App, St>::on_test_request(const Message& message) {
    const std::string_view id = message.text_or_empty(fix_codec::tag::test_req_id);
    send_admin("0", [&](MessageWriter& writer) { writer.put(fix_codec::tag::test_req_id, id); });
}

}  // namespace damrak::session::fix
