// Implementation of SoupFollower; only its header includes it.
#pragma once

#include <damrak/client/itch/soup_follower.hpp>

namespace damrak::client {

template <class Handler>
void SoupFollower<Handler>::on_connected(Timestamp now) {
    connected_ = true;
    wants_close_ = false;
    is_old_ = false;
    if (takes_snapshot_) return snapshot_.connect(now);
    if (!client_) client_.emplace(*this, out_, settings_.soup, login_);
    client_->connect(now);
}

template <class Handler>
session::Received SoupFollower<Handler>::on_bytes(std::span<const std::byte> bytes, Timestamp now) {
    const session::Received done =
        takes_snapshot_ ? snapshot_.on_bytes(bytes, now) : client_->on_bytes(bytes, now);
    after_bytes(now);
    return done;
}

template <class Handler>
void SoupFollower<Handler>::on_time(Timestamp now) {
    if (!connected_ || wants_close_) return;
    if (takes_snapshot_) {
        snapshot_.on_time(now);
    } else {
        client_->on_time(now);
    }
    after_bytes(now);
}

template <class Handler>
void SoupFollower<Handler>::on_lost(std::string_view why, Timestamp now) {
    connected_ = false;
    if (std::exchange(wants_close_, false)) return;
    if (client_) client_->disconnected();
    trouble_ = why;
    retry_.fail(now);
}

template <class Handler>
void SoupFollower<Handler>::on_accepted(std::string_view session, std::uint64_t /*next*/) {
    const wire::moldudp::SessionName name = session_name(session);
    is_old_ = ended_ == name;
    if (is_old_) return;
    ++logins_;
    trouble_.clear();
    retry_.succeed();
    if (std::exchange(is_anew_, false)) handler_->on_session(name);
}

template <class Handler>
void SoupFollower<Handler>::after_bytes(Timestamp now) {
    if (wants_close_) return;
    if (takes_snapshot_) {
        after_snapshot(now);
    } else {
        after_feed(now);
    }
}

template <class Handler>
void SoupFollower<Handler>::after_snapshot(Timestamp now) {
    if (snapshot_.done()) {
        takes_snapshot_ = false;
        is_anew_ = false;
        login_.session = snapshot_.session();
        login_.next = snapshot_.next();
        tell_joined(*handler_, login_.next);
        retry_.succeed();
        close({});
    } else if (snapshot_.failed()) {
        close(snapshot_.fault());
        retry_.fail(now);
    }
}

template <class Handler>
void SoupFollower<Handler>::after_feed(Timestamp now) {
    if (is_old_) {
        begin_anew();
        retry_.wait(now, settings_.session_pause_ns);
        return close("the session is over");
    }
    switch (client_->state()) {
        case session::SoupState::lost:
            close(client_->fault().empty() ? "the server was silent" : client_->fault());
            return retry_.fail(now);
        case session::SoupState::rejected:
            return on_rejected(now);
        case session::SoupState::ended:
            return on_ended(now);
        default:
            return;
    }
}

// A session that no longer exists is over: the exchange continues with another one.
template <class Handler>
void SoupFollower<Handler>::on_rejected(Timestamp now) {
    const bool is_gone =
        client_->reject_reason() == wire::soupbin::RejectReason::session_not_available;
    if (is_gone && !is_anew_ && settings_.follows_sessions) {
        begin_anew();
        takes_snapshot_ = settings_.begins_with_snapshot;
        close("the session is gone");
        return retry_.fail(now);
    }
    over_ = true;
    close(is_gone ? "the login was rejected: there is no such session or message"
                  : "the login was rejected: user or password is wrong");
}

template <class Handler>
void SoupFollower<Handler>::on_ended(Timestamp now) {
    ended_ = session_name(client_->session());
    handler_->on_end_of_session();
    over_ = !settings_.follows_sessions;
    if (over_) return close({});
    begin_anew();
    retry_.wait(now, settings_.session_pause_ns);
    close("the session is over");
}

}  // namespace damrak::client
