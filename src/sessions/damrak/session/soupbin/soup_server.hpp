// The server's side of a SoupBinTCP session: login, heartbeats, logout, and numbered messages out.
// A state machine without I/O: bytes and time in, bytes into the connection's output buffer. One
// thread; no allocation. Its owner stores the messages (a feed in its file, OUCH for each user) and
// passes as many as there is room for.
//
//   SoupServer server{config, out, now};
//   server.on_bytes(bytes, now, owner);     // calls the owner:
//       owner.on_login(request) -> LoginAnswer            accepted with a session, or a reason;
//                                                         an optional one: empty, it must wait
//       owner.on_message(payload) -> bool                 unsequenced data from a logged-in client;
//                                                         false: must wait, and is passed again
//   server.send_frames(frames, now);        // messages in order, while is_logged_in()
//   server.on_time(now);                    // at least once a second
//
// When end_reason() is not empty, close the connection once its output is sent.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <span>
#include <string_view>

#include <damrak/base/byte_order.hpp>
#include <damrak/base/time_units.hpp>
#include <damrak/domain/measures.hpp>
#include <damrak/session/output_buffer.hpp>
#include <damrak/session/received.hpp>
#include <damrak/session/soupbin/end_cause.hpp>
#include <damrak/wire/soupbin/packets.hpp>

namespace damrak::session {

/// Intervals and limits of a server.
struct SoupServerConfig {
    std::int64_t heartbeat_ns = k_second_ns;     ///< interval without output before a heartbeat
    std::int64_t silence_ns = 15 * k_second_ns;  ///< allowed silence of a logged-in client
    std::int64_t login_ns = 30 * k_second_ns;    ///< time limit of the login
    std::size_t longest_message = 1'024;         ///< maximum length of a client's message
};

/// The session of a client, and the first message to send.
struct SoupLogin {
    std::array<char, wire::soupbin::k_session_bytes> session{};
    std::uint64_t next = 1;
};
using LoginAnswer = std::expected<SoupLogin, wire::soupbin::RejectReason>;

class SoupServer {
  public:
    SoupServer(const SoupServerConfig& config, OutputBuffer& out, Timestamp now)
        : config_(&config), out_(&out), last_heard_(now), last_sent_(now) {}

    template <class Owner>
    Received on_bytes(std::span<const std::byte> bytes, Timestamp now, Owner&& owner) {
        Received done;
        while (end_reason_.empty()) {
            const auto packet = wire::soupbin::decode(bytes.subspan(done.consumed_bytes));
            if (!packet) {
                end(wire::soupbin::text(packet.error()));
                break;
            }
            if (packet->bytes == 0) {
                check_length(bytes.subspan(done.consumed_bytes));
                break;
            }
            if (packet->payload.size() > config_->longest_message) {
                end(k_too_long);
                break;
            }
            // A client must log in, whatever else it sends.
            if (state_ == State::in) last_heard_ = now;
            if (!on_packet(*packet, now, owner)) {
                done.blocked = true;
                break;
            }
            done.consumed_bytes += packet->bytes;
            ++done.messages;
        }
        if (!end_reason_.empty()) done.consumed_bytes = bytes.size();
        return done;
    }
    /// Sends heartbeats, and ends silent clients.
    void on_time(Timestamp now);

    [[nodiscard]] bool is_logged_in() const { return state_ == State::in; }
    /// Whether the client logged out by itself.
    [[nodiscard]] bool logged_out() const { return logged_out_; }
    /// Number of the next message to send.
    [[nodiscard]] std::uint64_t next() const { return next_; }
    /// Sends as many whole messages as there is room for. Each is preceded in `frames` by its
    /// length in two bytes, big-endian. Returns the number of bytes consumed.
    std::size_t send_frames(std::span<const std::byte> frames, Timestamp now);
    /// No message follows in this session. Ends the connection.
    void end_session();
    /// Tells the client why its connection ends, in a debug packet, which clients may ignore. A
    /// client whose login was rejected knows.
    void say_why(std::string_view reason);

    [[nodiscard]] std::optional<std::string_view> end_reason() const {
        return end_reason_.empty() ? std::nullopt : std::optional{end_reason_};
    }
    /// Of the end that end_reason() describes.
    [[nodiscard]] EndCause end_cause() const { return end_cause_; }

  private:
    enum class State : std::uint8_t { waiting, in, over };
    static constexpr std::string_view k_too_long = "it sent a packet that is too long";

    /// False if the message must wait.
    template <class Owner>
    [[nodiscard]] bool on_packet(const wire::soupbin::Packet& packet, Timestamp now, Owner& owner) {
        using wire::soupbin::PacketType;
        switch (packet.type) {
            case PacketType::login_request:
                if (state_ != State::waiting)
                    end("it logged in twice");
                else if (const auto request = wire::soupbin::decode_login_request(packet.payload))
                    return answer_login(owner.on_login(*request), now);
                else
                    reject_login(wire::soupbin::reject_reason(request.error()),
                                 wire::soupbin::text(request.error()), now);
                break;
            case PacketType::unsequenced_data:
                if (state_ == State::in) return owner.on_message(packet.payload);
                end("it sent data before its login");
                break;
            case PacketType::logout_request:
                logged_out_ = state_ == State::in;
                end("it logged out", EndCause::regular);
                break;
            case PacketType::client_heartbeat:
                if (state_ != State::in) end("it sent a heartbeat before its login");
                break;
            case PacketType::debug:
                break;
            default:
                end("it sent a packet of a type that clients do not send");
        }
        return true;
    }
    [[nodiscard]] bool answer_login(const std::optional<LoginAnswer>& answer, Timestamp now);
    void reject_login(wire::soupbin::RejectReason reason, std::string_view why, Timestamp now);
    void check_length(std::span<const std::byte> bytes);
    void end(std::string_view reason, EndCause cause = EndCause::protocol) {
        state_ = State::over;
        end_reason_ = reason;
        end_cause_ = cause;
    }

    const SoupServerConfig* config_;
    OutputBuffer* out_;
    State state_ = State::waiting;
    bool logged_out_ = false;
    std::uint64_t next_ = 1;
    Timestamp last_heard_;
    Timestamp last_sent_;
    std::string_view end_reason_;
    EndCause end_cause_{};
};

}  // namespace damrak::session
