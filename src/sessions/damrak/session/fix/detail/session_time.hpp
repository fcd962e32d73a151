// Timers. Part of session.hpp.
#pragma once

#include <damrak/base/time_units.hpp>
#include <damrak/session/fix/session.hpp>

namespace damrak::session::fix {

template <class App, Store St>
void Session<App, St>::on_time(Timestamp now) {
    now_ = now;
    if (!connected()) {
        if (!settings_->schedule.always()) keep_schedule();
        return;
    }
    if (ended_ != Ended::no) return;
    const auto has_waited = [&](std::uint32_t limit_s) {
        return (now - since_).value >= limit_s * k_second_ns;
    };
    if (state_ == State::awaiting_logon) {
        if (has_waited(settings_->logon_timeout_s)) end(Ended::timed_out);
        return;
    }
    if (!settings_->schedule.always()) keep_schedule();
    if (state_ == State::logging_out && has_waited(settings_->logout_timeout_s))
        return end(Ended::logged_out, "no answer to our Logout");
    if (heartbeat_ns_ != 0) keep_alive();
    serve_resend();
}

/// Sends a TestRequest after 1.2 heartbeat intervals of silence, and ends the connection after
/// twice as much. No Heartbeat is sent while the answer to a TestRequest is due.
template <class App, Store St>
void Session<App, St>::keep_alive() {
    const std::int64_t patience = heartbeat_ns_ / 5 * 6;
    const std::int64_t silent = (now_ - last_received_).value;
    if (silent >= 2 * patience) {
        ++tools_->counters.timeouts;
        return end(Ended::timed_out);
    }
    if (silent >= patience) {
        if (test_request_sent_) return;
        test_request_sent_ = true;
        ++tools_->counters.heartbeats_missed;
        send_admin("1",
                   [](MessageWriter& writer) { writer.put(fix_codec::tag::test_req_id, "TEST"); });
    } else if ((now_ - last_sent_).value >= heartbeat_ns_) {
        send_admin("0", [](MessageWriter&) {});
    }
    // An answer to a ResendRequest can be lost like any message.
    if (has_gap() && (now_ - gap_progress_).value >= heartbeat_ns_) request_gap();
}

/// At the end of its hours a session logs out. In the next hours its numbers begin at 1.
template <class App, Store St>
void Session<App, St>::keep_schedule() {
    const bool is_over = !is_open(now_) || store_->began() < settings_->schedule.last_start(now_);
    if (!is_over) return;
    if (state_ == State::logged_on) send_logout("Session hours are over");
    if (!connected() && is_open(now_)) reset_numbers();
}

}  // namespace damrak::session::fix
