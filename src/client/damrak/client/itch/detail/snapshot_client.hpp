// A snapshot of the market by GLIMPSE 5.0, without I/O: the state of the system, the directory,
// every displayed order by priority, and the feed message to continue with. One connection per
// snapshot: begin each attempt with connect(). One thread.
//
// The handler is that of the feed: it gets on_session(), the messages with a number of zero, and
// on_joined(next), which is optional.
#pragma once

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string_view>

#include <damrak/session/soupbin/soup_client.hpp>
#include <damrak/wire/moldudp/messages.hpp>

namespace damrak::client {

/// The form of MoldUDP64: ten characters, padded with spaces.
[[nodiscard]] inline wire::moldudp::SessionName session_name(std::string_view text) {
    wire::moldudp::SessionName name;
    name.fill(' ');
    std::memcpy(name.data(), text.data(), std::min(text.size(), name.size()));
    return name;
}

/// Calls on_joined() if the handler has it.
template <class Handler>
void tell_joined(Handler& handler, std::uint64_t next) {
    if constexpr (requires { handler.on_joined(next); }) handler.on_joined(next);
}

template <class Handler>
class SnapshotClient {
  public:
    /// The arguments passed by reference must outlive it.
    SnapshotClient(Handler& handler, session::OutputBuffer& out,
                   const session::SoupClientConfig& config, const session::SoupCredentials& login)
        : handler_(&handler), out_(&out), config_(config), login_(login) {
        login_.session = {};
        login_.next = 1;
    }
    SnapshotClient(const SnapshotClient&) = delete;
    SnapshotClient& operator=(const SnapshotClient&) = delete;

    void connect(Timestamp now) {
        next_ = 0;
        client_.emplace(*this, *out_, config_, login_);
        client_->connect(now);
    }
    session::Received on_bytes(std::span<const std::byte> bytes, Timestamp now) {
        return client_->on_bytes(bytes, now);
    }
    void on_time(Timestamp now) { client_->on_time(now); }
    [[nodiscard]] Timestamp deadline() const { return client_->deadline(); }

    /// The snapshot is complete: continue with message next() of session().
    [[nodiscard]] bool done() const { return next_ != 0; }
    [[nodiscard]] std::uint64_t next() const { return next_; }
    [[nodiscard]] const wire::moldudp::SessionName& session() const { return session_; }
    /// This connection will not deliver the snapshot.
    [[nodiscard]] bool failed() const {
        return !done() && (client_->over() || client_->state() == session::SoupState::lost);
    }
    /// Why it failed.
    [[nodiscard]] std::string_view fault() const {
        if (client_->state() == session::SoupState::rejected) return "the login was rejected";
        if (client_->state() == session::SoupState::ended) return "the snapshot was not whole";
        return client_->fault().empty() ? "the server was silent" : client_->fault();
    }

    // Called by SoupClient:
    void on_accepted(std::string_view session, std::uint64_t /*next*/) {
        session_ = session_name(session);
        handler_->on_session(session_);
    }
    void on_message(std::uint64_t /*number*/, std::span<const std::byte> message) {
        if (done()) return;
        if (!message.empty() && static_cast<char>(message.front()) == 'G') return end(message);
        handler_->on_message(std::uint64_t{0}, message);
    }
    void on_unsequenced(std::span<const std::byte> /*message*/) {}

  private:
    /// After the message type: the number of the next message, padded with spaces or zeros.
    void end(std::span<const std::byte> message) {
        std::string_view digits{reinterpret_cast<const char*>(message.data()), message.size()};
        digits.remove_prefix(std::min(digits.find_first_not_of(' ', 1), digits.size()));
        std::uint64_t next = 0;
        const auto read = std::from_chars(digits.begin(), digits.end(), next);
        if (read.ec == std::errc{} && read.ptr == digits.end()) next_ = next;
    }

    Handler* handler_;
    session::OutputBuffer* out_;
    session::SoupClientConfig config_;
    session::SoupCredentials login_;
    std::optional<session::SoupClient<SnapshotClient>> client_;
    wire::moldudp::SessionName session_{};
    std::uint64_t next_ = 0;
};

}  // namespace damrak::client
