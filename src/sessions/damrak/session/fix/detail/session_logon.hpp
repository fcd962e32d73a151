// Start and end of a connection. Part of session.hpp.
#pragma once

#include <algorithm>
#include <string>
#include <utility>

#include <fmt/format.h>

#include <damrak/session/fix/detail/message_kind.hpp>
#include <damrak/session/fix/session.hpp>

namespace damrak::session::fix {

template <class App, Store St>
void Session<App, St>::connect(OutputBuffer& out, Timestamp now) {
    DAMRAK_ASSERT(!connected());
    DAMRAK_ASSERT(out.room() >= 2 * settings_->maximum_message_bytes);
    now_ = now;
    out_ = &out;
    ended_ = Ended::no;
    ended_text_.clear();
    was_logged_on_ = test_request_sent_ = reset_sent_ = false;
    long_.forget();
    last_received_ = last_sent_ = since_ = now;
    heartbeat_ns_ = 0;
    if (!settings_->schedule.always()) keep_schedule();
    state_ = State::awaiting_logon;
    if (settings_->role == Role::acceptor) return;
    heartbeat_ns_ = std::int64_t{settings_->heartbeat_s} * 1'000'000'000;
    if (settings_->reset_on_logon) reset_numbers();
    send_logon(settings_->reset_on_logon &&
               settings_->name.begin_string >= fix_codec::BeginString::fix41);
}

template <class App, Store St>
void Session<App, St>::send_logon(bool reset) {
    namespace tag = fix_codec::tag;
    logon_sequence_ = store_->next_outgoing();
    const bool initiator = settings_->role == Role::initiator;
    reset_sent_ = reset && initiator;
    send_admin("A", [&](MessageWriter& writer) {
        writer.put(tag::encrypt_method, 0);
        writer.put(tag::heart_bt_int, heartbeat_ns_ / 1'000'000'000);
        if (reset) writer.put_char(tag::reset_seq_num_flag, 'Y');
        if (initiator && !settings_->user_name.empty()) {
            writer.put(tag::username, settings_->user_name);
            if (!settings_->password.empty()) writer.put(tag::password, settings_->password);
        }
        if (settings_->next_expected)
            writer.put(tag::next_expected_msg_seq_num, store_->next_incoming());
        if (settings_->name.begin_string == fix_codec::BeginString::fixt11)
            writer.put(tag::default_appl_ver_id, fix_codec::text(appl_version_));
        if constexpr (requires { application_->fill_logon(*this, writer); })
            application_->fill_logon(*this, writer);
    });
}

/// Until the Logon the peer is unknown, so errors get no answer, except those that an honest client
/// could not detect otherwise.
template <class App, Store St>
void Session<App, St>::on_first_message(const Message& message) {
    const bool initiator = settings_->role == Role::initiator;
    const std::string_view type = message.msg_type();
    if (message.begin_string() != settings_->name.begin_string ||
        (settings_->check_comp_ids && !are_comp_ids_right(message))) {
        tools_->counters.count(LogonRefusal::unknown_session);
        return end(Ended::not_a_logon, "its BeginString or comp ids belong to another session");
    }
    if (initiator && type == "5") {
        if (message.sequence() == store_->next_incoming()) consume(message, message.sequence() + 1);
        return end(Ended::logon_refused, message.text_or_empty(fix_codec::tag::text));
    }
    if (const std::string why = why_no_logon(message); !why.empty()) {
        tools_->counters.count(LogonRefusal::invalid);
        return end(Ended::not_a_logon, why);
    }
    if (may_log_on(message)) log_on(message);
}

/// For the operator; the peer sees none of it. Empty if the message is a Logon.
template <class App, Store St>
std::string Session<App, St>::why_no_logon(const Message& message) const {
    namespace tag = fix_codec::tag;
    if (message.msg_type() != "A")
        return fmt::format("it is of MsgType {}", message.msg_type().substr(0, 8));
    if (message.sequence() == 0) return "MsgSeqNum (34) is not a positive number";
    const auto time = message.timestamp(tag::sending_time);
    if (!time) return "SendingTime (52) is missing or invalid";
    if (settings_->check_sending_time && !is_accurate(*time))
        return fmt::format("SendingTime (52) is {} s off, at most {} are allowed",
                           (*time - now_).value / 1'000'000'000,
                           settings_->sending_time_accuracy_s);
    const auto fault = fault_of(message);
    if (!fault) return {};
    const std::string_view what = fault->text.empty() ? text(fault->reason) : fault->text;
    if (!fault->tag) return std::string{what};
    return fmt::format("{} ({})", what, fix_codec::shown(*fault->tag));
}

template <class App, Store St>
bool Session<App, St>::may_log_on(const Message& logon) {
    namespace tag = fix_codec::tag;
    const bool initiator = settings_->role == Role::initiator;
    const auto refused = [&](LogonRefusal reason, std::string_view why) {
        if (initiator) {
            refuse_logon(reason, why);
        } else {
            refuse_unauthenticated(reason, why);
        }
        return false;
    };
    if (!is_open(now_)) return refused(LogonRefusal::hours, "Outside the session's hours");
    if (initiator) return true;
    if (logon.text_or_empty(tag::encrypt_method) != "0")
        return refused(LogonRefusal::settings, "EncryptMethod is not supported, expecting 0");
    if (!settings_->user_name.empty() &&
        (logon.text_or_empty(tag::username) != settings_->user_name ||
         logon.text_or_empty(tag::password) != settings_->password))
        return refused(LogonRefusal::password, "Unknown user or wrong password");
    const auto heartbeat = logon.integer(tag::heart_bt_int);
    if (!heartbeat || *heartbeat < 0 || *heartbeat > 86'400)
        return refused(LogonRefusal::settings, "HeartBtInt must be from 0 to 86400 seconds");
    heartbeat_ns_ = *heartbeat * 1'000'000'000;
    if constexpr (requires { application_->authenticate(*this, logon); }) {
        const std::string_view why = application_->authenticate(*this, logon);
        if (!why.empty()) return refused(LogonRefusal::not_let_in, why);
    }
    return true;
}

/// Resets the numbers that must be reset. Returns false if those in the Logon are impossible.
template <class App, Store St>
bool Session<App, St>::take_numbers_of(const Message& logon) {
    namespace tag = fix_codec::tag;
    const auto refused = [&](std::string_view why) {
        refuse_logon(LogonRefusal::numbers, why);
        return false;
    };
    const bool initiator = settings_->role == Role::initiator;
    const bool reset = logon.text_or_empty(tag::reset_seq_num_flag) == "Y";
    if (reset && logon.sequence() != 1)
        return refused("ResetSeqNumFlag needs a Logon with MsgSeqNum 1");
    if (initiator) {
        // Our Logon uses number 1 already, whichever side requested the reset.
        if (reset) store_->set_next_incoming(1, now_);
    } else if (reset || settings_->reset_on_logon) {
        reset_numbers();
    }
    const std::uint64_t expected = store_->next_incoming();
    count_unkept_logouts(logon);
    if (logon.sequence() > expected && logon.sequence() - expected > detail::k_furthest_ahead)
        return refused(fmt::format("MsgSeqNum too far ahead, expecting {} but received {}",
                                   expected, logon.sequence()));
    if (logon.sequence() < expected && !detail::is_duplicate(logon))
        return refused(fmt::format("MsgSeqNum too low, expecting {} but received {}", expected,
                                   logon.sequence()));
    const auto asked = logon.integer(tag::next_expected_msg_seq_num);
    if (asked && (*asked < 1 || std::cmp_greater(*asked, store_->next_outgoing())))
        return refused(fmt::format("NextExpectedMsgSeqNum too high, expecting {} but received {}",
                                   store_->next_outgoing(), *asked));
    return true;
}

template <class App, Store St>
void Session<App, St>::log_on(const Message& logon) {
    namespace tag = fix_codec::tag;
    if (!take_numbers_of(logon)) return;
    if (const auto version =
            fix_codec::parse_appl_version(logon.text_or_empty(tag::default_appl_ver_id))) {
        appl_version_ = *version;
        if (settings_->dictionary == nullptr) dictionary_ = &fix_codec::Dictionary::of(*version);
    }
    const bool in_order = logon.sequence() == store_->next_incoming();
    if (in_order) consume(logon, logon.sequence() + 1);
    if (settings_->role == Role::acceptor)
        send_logon(logon.text_or_empty(tag::reset_seq_num_flag) == "Y");
    if (ended_ != Ended::no) return;
    reset_sent_ = false;
    state_ = State::logged_on;
    was_logged_on_ = true;
    ++tools_->counters.logons;
    // Stored by the application while the answer to an initiator's Logon was in transit.
    std::uint64_t from = logon_sequence_ + 1;
    if (const auto asked = logon.integer(tag::next_expected_msg_seq_num);
        asked && std::cmp_less(*asked, logon_sequence_))
        from = static_cast<std::uint64_t>(*asked);
    if (from < store_->next_outgoing()) start_resend(from, store_->next_outgoing() - 1);
    if (!in_order && logon.sequence() > store_->next_incoming()) {
        const std::uint64_t missing =
            early_.keep(logon.sequence(), logon.bytes()) ? logon.sequence() - 1 : logon.sequence();
        // If the other side supports NextExpectedMsgSeqNum, our Logon has already asked for them.
        if (settings_->next_expected && logon.has(tag::next_expected_msg_seq_num)) {
            requested_to_ = missing;
            gap_progress_ = now_;
        }
        ask_for_gap(missing);
    }
    application_->on_logon(*this);
}

template <class App, Store St>
void Session<App, St>::refuse_logon(LogonRefusal reason, std::string_view why) {
    tools_->counters.count(reason);
    end_with_logout(Ended::logon_refused, why);
}

/// Until the peer is known to be the client, the session does not change: the Logout has the next
/// number but does not use it up.
template <class App, Store St>
void Session<App, St>::refuse_unauthenticated(LogonRefusal reason, std::string_view why) {
    tools_->counters.count(reason);
    const std::string kept{why};
    MessageWriter writer{tools_->scratch, tools_->times};
    put_header(writer, "5", store_->next_outgoing(), {});
    writer.put(fix_codec::tag::text, kept);
    transmit(writer.finish(), MessageClass::session);
    ++unkept_logouts_;
    end(Ended::logon_refused, kept);
}

/// If the peer that was rejected before was the real client, it has counted our Logouts: its own
/// numbers have advanced.
template <class App, Store St>
void Session<App, St>::count_unkept_logouts(const Message& logon) {
    const std::uint64_t expected = store_->next_incoming();
    const std::uint64_t unkept = std::exchange(unkept_logouts_, 0);
    if (unkept == 0 || logon.sequence() <= expected) return;
    const std::uint64_t counted = std::min(unkept, logon.sequence() - expected);
    store_->set_next_outgoing(store_->next_outgoing() + counted, now_);
}

/// Within a session a Logon can only mean a reset.
template <class App, Store St>
void Session<App, St>::on_second_logon(const Message& message) {
    if (const auto fault = fault_of(message)) return refuse(message, *fault);
    if (message.text_or_empty(fix_codec::tag::reset_seq_num_flag) != "Y") {
        if (message.sequence() < store_->next_incoming()) return too_late(message, 'A');
        return refuse(message, {.reason = Reason::other, .text = "Already logged on"});
    }
    if (message.sequence() != 1)
        return end_with_logout(Ended::bad_sequence,
                               "ResetSeqNumFlag needs a Logon with MsgSeqNum 1");
    if (reset_sent_) {
        reset_sent_ = false;
        store_->set_next_incoming(2, now_);
        return;
    }
    reset_numbers();
    store_->set_next_incoming(2, now_);
    send_logon(true);
    reset_sent_ = false;  // this Logon is the answer
}

/// Accepted with any number: missing messages will be requested in the next connection.
template <class App, Store St>
void Session<App, St>::on_logout(const Message& message) {
    if (const auto fault = fault_of(message)) return refuse(message, *fault);
    if (message.sequence() == store_->next_incoming()) consume(message, message.sequence() + 1);
    if (state_ != State::logging_out) send_logout({});
    if (settings_->reset_on_logout) reset_numbers();
    end(Ended::logged_out, message.text_or_empty(fix_codec::tag::text));
}

template <class App, Store St>
void Session<App, St>::logout(std::string_view text, Timestamp now) {
    now_ = now;
    if (state_ == State::logged_on && ended_ == Ended::no) send_logout(text);
    if (state_ == State::awaiting_logon && ended_ == Ended::no) end(Ended::logged_out, text);
}

template <class App, Store St>
void Session<App, St>::send_logout(std::string_view text) {
    if (state_ == State::logging_out || ended_ != Ended::no) return;
    send_admin("5", [&](MessageWriter& writer) {
        if (!text.empty()) writer.put(fix_codec::tag::text, text);
    });
    state_ = State::logging_out;
    since_ = now_;
}

template <class App, Store St>
void Session<App, St>::end(Ended reason, std::string_view text) {
    if (ended_ != Ended::no) return;
    ended_ = reason;
    ended_text_ = text;
}

template <class App, Store St>
void Session<App, St>::end_with_logout(Ended reason, std::string_view text) {
    // The text may point into a message whose memory is needed.
    const std::string kept{text};
    send_logout(kept);
    end(reason, kept);
}

template <class App, Store St>
void Session<App, St>::close(Timestamp now) {
    if (!connected()) return;
    now_ = now;
    if (ended_ == Ended::no) end(Ended::logged_out, "connection lost");
    state_ = State::disconnected;
    out_ = nullptr;
    forget_gaps();
    resend_next_ = resend_gap_ = 0;
    if (settings_->reset_on_disconnect) reset_numbers();
    if (was_logged_on_) application_->on_logout(*this, ended_, ended_text_);
    was_logged_on_ = false;
}

template <class App, Store St>
void Session<App, St>::reset(Timestamp now) {
    now_ = now;
    if (state_ == State::logged_on &&
        settings_->name.begin_string >= fix_codec::BeginString::fix41) {
        reset_numbers();
        send_logon(true);
        reset_sent_ = true;
    } else if (!connected()) {
        reset_numbers();
    }
}

template <class App, Store St>
void Session<App, St>::set_next_outgoing(std::uint64_t sequence, Timestamp now) {
    DAMRAK_ASSERT(sequence > 0);
    store_->set_next_outgoing(sequence, now);
    resend_next_ = resend_gap_ = 0;
}

template <class App, Store St>
void Session<App, St>::set_next_incoming(std::uint64_t sequence, Timestamp now) {
    DAMRAK_ASSERT(sequence > 0);
    store_->set_next_incoming(sequence, now);
    ++resets_;
    forget_gaps();
}

template <class App, Store St>
void Session<App, St>::reset_numbers() {
    store_->reset(now_);
    ++resets_;
    forget_gaps();
    resend_next_ = resend_gap_ = 0;
}

template <class App, Store St>
void Session<App, St>::forget_gaps() {
    early_.clear();
    gap_to_ = requested_to_ = 0;
}

/// A message over FIXT.1.1 may be of another version than the Logon said.
template <class App, Store St>
const fix_codec::Dictionary& Session<App, St>::dictionary_for(const Message& message) const {
    if (settings_->name.begin_string != fix_codec::BeginString::fixt11 ||
        settings_->dictionary != nullptr)
        return *dictionary_;
    const auto version =
        fix_codec::parse_appl_version(message.text_or_empty(fix_codec::tag::appl_ver_id));
    return version ? fix_codec::Dictionary::of(*version) : *dictionary_;
}

}  // namespace damrak::session::fix
