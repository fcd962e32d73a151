// The client's side of a SoupBinTCP session, as a state machine without I/O: bytes and time in,
// bytes out. It logs in, counts messages, sends heartbeats and detects silence. After a lost
// connection it logs in again at the next message, so its handler gets each message once and in
// order. One thread; no allocation, no virtual call.
//
//   SoupClient client{handler, out, config, login};
//   client.connect(now);                               // for each connection, once established
//   const Received done = client.on_bytes(bytes, now); // for received bytes; pass the rest again
//   client.on_time(now);                               // at deadline() at the latest
//   send out.readable(); close the connection if client.state() is lost or over()
//
// The handler has these members, which must not call the client:
//
//   on_accepted(session, next)        logged in, perhaps again
//   on_message(number, payload)       the message with this number
//   on_unsequenced(payload)           an unnumbered message, from servers of version 4.00
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include <damrak/base/assert.hpp>
#include <damrak/base/time_units.hpp>
#include <damrak/domain/measures.hpp>
#include <damrak/session/output_buffer.hpp>
#include <damrak/session/received.hpp>
#include <damrak/wire/soupbin/packets.hpp>

namespace damrak::session {

/// Intervals and limits of a client.
struct SoupClientConfig {
    std::int64_t heartbeat_ns = k_second_ns;     ///< output interval after which a heartbeat is due
    std::int64_t silence_ns = 15 * k_second_ns;  ///< input interval after which the server is lost
};

enum class SoupState : std::uint8_t {
    idle,        ///< never connected
    logging_in,  ///< until the server answers
    logged_in,
    lost,      ///< connect again; see fault() for the cause, if any
    rejected,  ///< final: see reject_reason()
    ended,     ///< final: the session has no more messages
};

/// Credentials and session of the login. Texts longer than their fields are not sent.
struct SoupCredentials {
    std::array<char, wire::soupbin::k_user_bytes> user{};
    std::array<char, wire::soupbin::k_password_bytes> password{};
    std::array<char, wire::soupbin::k_session_bytes> session{};  ///< zeros: the current one
    std::uint64_t next = 1;  ///< first requested message; 0: the newest, as chosen by the server
};

template <class Handler>
class SoupClient {
  public:
    /// The arguments passed by reference must outlive the client. connect() clears the output
    /// buffer.
    SoupClient(Handler& handler, OutputBuffer& out, const SoupClientConfig& config,
               const SoupCredentials& login)
        : handler_(&handler), out_(&out), config_(config), login_(login) {}
    SoupClient(const SoupClient&) = delete;
    SoupClient& operator=(const SoupClient&) = delete;

    /// A connection is established: requests the session and the next message.
    void connect(Timestamp now);
    /// The connection is lost.
    void disconnected() {
        if (!over()) state_ = SoupState::lost;
    }
    /// Handles the complete packets at the front of `bytes`. The caller passes the rest again.
    Received on_bytes(std::span<const std::byte> bytes, Timestamp now);
    /// Sends an unsequenced message to the server; false if not logged in, or there is no room.
    [[nodiscard]] bool send(std::span<const std::byte> message, Timestamp now) {
        return state_ == SoupState::logged_in &&
               put(now, wire::soupbin::k_header_bytes + message.size(), [&](auto to) {
                   return wire::soupbin::encode(wire::soupbin::PacketType::unsequenced_data,
                                                message, to);
               });
    }
    /// Asks the server to close the connection.
    [[nodiscard]] bool log_out(Timestamp now) {
        return state_ == SoupState::logged_in &&
               put_empty(wire::soupbin::PacketType::logout_request, now);
    }
    /// Sends a heartbeat when due, and detects a silent server.
    void on_time(Timestamp now);
    /// When on_time() is due if nothing else happens.
    [[nodiscard]] Timestamp deadline() const {
        const std::int64_t lost = heard_.value + config_.silence_ns + 1;
        if (state_ != SoupState::logged_in) return {lost};
        return {std::min(lost, sent_.value + config_.heartbeat_ns)};
    }

    [[nodiscard]] SoupState state() const { return state_; }
    [[nodiscard]] bool over() const {
        return state_ == SoupState::rejected || state_ == SoupState::ended;
    }
    /// The number of the next message.
    [[nodiscard]] std::uint64_t next() const { return login_.next; }
    /// The session; before the first login the requested one.
    [[nodiscard]] std::string_view session() const { return text_of(login_.session); }
    [[nodiscard]] wire::soupbin::RejectReason reject_reason() const { return reason_; }
    /// Why the last connection was lost; empty after silence or disconnected().
    [[nodiscard]] std::string_view fault() const { return fault_; }

  private:
    void handle(const wire::soupbin::Packet& packet);
    void on_accepted(std::span<const std::byte> payload);
    void on_rejected(std::span<const std::byte> payload);
    void fail(std::string_view fault) {
        fault_ = fault;
        state_ = SoupState::lost;
    }
    template <class Encode>
    [[nodiscard]] bool put(Timestamp now, std::size_t length, Encode&& encode) {
        const std::span<std::byte> to = out_->extend(length);
        if (to.size() != length) return false;
        const std::size_t written = encode(to);
        DAMRAK_ASSERT(written == length);
        sent_ = now;
        return true;
    }
    [[nodiscard]] bool put_empty(wire::soupbin::PacketType type, Timestamp now) {
        return put(now, wire::soupbin::k_header_bytes,
                   [type](auto to) { return wire::soupbin::encode(type, to); });
    }
    template <std::size_t n>
    [[nodiscard]] static std::string_view text_of(const std::array<char, n>& field) {
        const std::string_view text{field.data(), n};
        return text.substr(0, text.find('\0'));
    }

    Handler* handler_;
    OutputBuffer* out_;
    SoupClientConfig config_;
    SoupCredentials login_;
    wire::soupbin::RejectReason reason_{};
    std::string_view fault_;
    Timestamp heard_{};
    Timestamp sent_{};
    SoupState state_ = SoupState::idle;
};

template <class Handler>
void SoupClient<Handler>::connect(Timestamp now) {
    DAMRAK_ASSERT(!over());
    out_->consume(out_->readable().size());
    fault_ = {};
    state_ = SoupState::logging_in;
    heard_ = now;
    constexpr std::size_t k_bytes =
        wire::soupbin::k_header_bytes + wire::soupbin::LoginRequestLayout::k_bytes;
    const bool sent = put(now, k_bytes, [this](auto to) {
        return wire::soupbin::encode_login_request(text_of(login_.user), text_of(login_.password),
                                                   session(), login_.next, to);
    });
    DAMRAK_ASSERT(sent);
}

template <class Handler>
Received SoupClient<Handler>::on_bytes(std::span<const std::byte> bytes, Timestamp now) {
    Received done;
    while (state_ == SoupState::logging_in || state_ == SoupState::logged_in) {
        const auto packet = wire::soupbin::decode(bytes.subspan(done.consumed_bytes));
        if (!packet) {
            fail(wire::soupbin::text(packet.error()));
            break;
        }
        if (packet->bytes == 0) break;
        heard_ = now;
        handle(*packet);
        done.consumed_bytes += packet->bytes;
        ++done.messages;
    }
    return done;
}

template <class Handler>
void SoupClient<Handler>::handle(const wire::soupbin::Packet& packet) {
    using wire::soupbin::PacketType;
    if (packet.type == PacketType::debug || packet.type == PacketType::server_heartbeat) return;
    if (state_ == SoupState::logging_in) {
        if (packet.type == PacketType::login_accepted) return on_accepted(packet.payload);
        if (packet.type == PacketType::login_rejected) return on_rejected(packet.payload);
        return fail("the server did not answer the login");
    }
    switch (packet.type) {
        case PacketType::sequenced_data:
            handler_->on_message(login_.next++, packet.payload);
            return;
        case PacketType::unsequenced_data:
            handler_->on_unsequenced(packet.payload);
            return;
        case PacketType::end_of_session:
            state_ = SoupState::ended;
            return;
        default:
            return fail("the server sent a packet of a type that it does not send");
    }
}

template <class Handler>
void SoupClient<Handler>::on_accepted(std::span<const std::byte> payload) {
    const auto accepted = wire::soupbin::decode_login_accepted(payload);
    if (!accepted) return fail(wire::soupbin::text(accepted.error()));
    if (login_.next != 0 && accepted->sequence != login_.next)
        return fail("the server does not begin with the requested message");
    // The padding is not part of the name.
    std::string_view name{accepted->session.data(), accepted->session.size()};
    name.remove_prefix(std::min(name.find_first_not_of(' '), name.size()));
    name = name.substr(0, name.find_last_not_of(' ') + 1);
    login_.session = {};
    std::ranges::copy(name, login_.session.begin());
    login_.next = accepted->sequence;
    state_ = SoupState::logged_in;
    handler_->on_accepted(session(), login_.next);
}

template <class Handler>
void SoupClient<Handler>::on_rejected(std::span<const std::byte> payload) {
    const auto reason = wire::soupbin::decode_login_rejected(payload);
    if (!reason) return fail(wire::soupbin::text(reason.error()));
    reason_ = *reason;
    state_ = SoupState::rejected;
}

template <class Handler>
void SoupClient<Handler>::on_time(Timestamp now) {
    if (state_ != SoupState::logging_in && state_ != SoupState::logged_in) return;
    if (now.value - heard_.value > config_.silence_ns) {
        state_ = SoupState::lost;
        return;
    }
    // If there is no room, there is more to send than a heartbeat.
    if (state_ == SoupState::logged_in && now.value - sent_.value >= config_.heartbeat_ns)
        (void)put_empty(wire::soupbin::PacketType::client_heartbeat, now);
}

}  // namespace damrak::session
