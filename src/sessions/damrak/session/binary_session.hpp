// One client of the MiniExchange protocol, as a state machine without I/O: bytes and time in,
// commands and bytes out. The first message selects version 1 (published and capture profile) or 2.
// A gateway owns one for each connection and calls it from one thread.
//
// A class template over its gateway, which takes commands; their events return through on_event(),
// at once or later. A message costs its decoding, one command and the encoding of its answers: no
// allocation, no lock, no virtual call. docs/protocols/binary.md has every rule.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include <damrak/base/token_bucket.hpp>
#include <damrak/domain/command.hpp>
#include <damrak/domain/event.hpp>
#include <damrak/domain/origin.hpp>
#include <damrak/session/binary_rules.hpp>
#include <damrak/session/output_buffer.hpp>
#include <damrak/wire/binary/decode.hpp>
#include <damrak/wire/binary/encode.hpp>

namespace damrak::session {

/// What a session requires of its gateway.
template <class D>
concept BinaryGateway = requires(D& gateway, const D& view, const Command& command,
                                 const Origin& origin, std::span<const std::byte> api_key) {
    /// Sequences, stores and applies a command. Its events may arrive during the call or later.
    gateway.submit(command, origin);
    /// Whether there is room for two more commands.
    { view.ready() } -> std::convertible_to<bool>;
    /// Returns the participant, or why it is refused. In version 2 the key is empty: it has none.
    {
        gateway.authenticate(origin.session, api_key)
    } -> std::same_as<std::expected<ParticipantId, binary::HelloStatus>>;
    { view.has_instrument(command.instrument) } -> std::convertible_to<bool>;
    /// There is such an instrument, with prices at and below zero.
    { view.below_zero(command.instrument) } -> std::convertible_to<bool>;
    /// The client order id of an open order; zero if there is none (OrderNames).
    { view.client_order_id(command.order_id) } -> std::same_as<ClientOrderId>;
};

/// A gateway that tracks logins may have `on_login(session, participant)`, called when the login is
/// reported, and `on_logout(session)`, called when the logout is reported. The session is logged in
/// between the two.
///
/// A gateway that observes messages may have these:
template <class D>
concept WatchingGateway = requires(D& gateway, SessionId session,
                                   const wire::binary::Header& header,
                                   const wire::binary::ModifyAck& answer, Timestamp now) {
    gateway.on_message(session, header);       ///< its decoding begins
    gateway.on_handled(session, header, now);  ///< the message was handled: submitted or answered
    gateway.on_postponed();                    ///< the message has to wait and will be received
                                               ///< again
    gateway.on_refused(session, header, answer);  ///< the session gives this answer itself (of any
                                                  ///< type)
    /// Date of the new order that is submitted next.
    gateway.on_good_till(session, header, std::uint64_t{});
};

template <class Gateway>
class BinarySession {
  public:
    using ClientId = wire::binary::ClientId;
    using Version = wire::binary::Version;

    /// The arguments passed by reference must outlive the session.
    BinarySession(Gateway& gateway, OutputBuffer& out, const BinaryRules& rules, SessionId id,
                  ClientId client_id)
        : gateway_(&gateway),
          out_(&out),
          rules_(&rules),
          id_(id),
          client_id_(client_id),
          bucket_(rules.messages_per_second, rules.burst_messages) {
        static_assert(BinaryGateway<Gateway>);
    }
    BinarySession(const BinarySession&) = delete;
    BinarySession& operator=(const BinarySession&) = delete;

    /// Handles the complete messages at the front of `bytes`. The caller passes unconsumed bytes
    /// again: with more after them, or, if `blocked`, after the next on_command_end().
    Received receive(std::span<const std::byte> bytes, Timestamp now);

    /// An event of this session's participant, with the origin of the command that caused it.
    void on_event(const Event& event, const Origin& cause, const CommandStamp& stamp);
    /// A command of this session is complete: all its events were delivered. Called once per
    /// command.
    void on_command_end(const Origin& cause);

    /// The session was idle for too long. Informs the client; disconnect() then returns the reason.
    void time_out(Timestamp now);
    /// The connection is lost or about to be closed. Ends the login, and cancels its orders if the
    /// rules say so.
    void close();

    /// If not `none`: send what is readable, close the connection, call close().
    [[nodiscard]] Disconnect disconnect() const { return disconnect_; }
    /// Whether inactivity ends it. A client of version 2 sends no heartbeats once it is logged in.
    [[nodiscard]] bool is_supervised() const { return !logged_in_ || version_ == Version::v1; }

    [[nodiscard]] SessionId id() const { return id_; }
    [[nodiscard]] ClientId client_id() const { return client_id_; }
    [[nodiscard]] Version version() const { return version_; }
    [[nodiscard]] bool logged_in() const { return logged_in_; }
    /// Zero before the first login.
    [[nodiscard]] ParticipantId participant() const { return participant_; }
    /// Commands that are not complete yet.
    [[nodiscard]] std::uint32_t pending() const { return pending_; }

  private:
    using Header = wire::binary::Header;
    using NewOrder = wire::binary::NewOrder;
    using CancelOrder = wire::binary::CancelOrder;
    using ModifyOrder = wire::binary::ModifyOrder;
    using Note = binary::Note;

    /// Handled without an answer: its sequence number does not count, in either version.
    static constexpr bool k_ignored = true;

    // detail/binary_requests.hpp: each returns false if the message has to wait; then nothing has
    // changed.
    [[nodiscard]] bool watch_and_handle(const Header& header, std::span<const std::byte> payload,
                                        Timestamp now);
    [[nodiscard]] bool handle(const Header& header, std::span<const std::byte> payload,
                              Timestamp now);
    [[nodiscard]] bool on_request(const wire::binary::Hello& hello, const Header& header,
                                  Timestamp now);
    [[nodiscard]] bool on_request(const wire::binary::Logout& logout, const Header& header,
                                  Timestamp now);
    [[nodiscard]] bool on_request(const wire::binary::Heartbeat& heartbeat, const Header& header,
                                  Timestamp now);
    template <std::derived_from<wire::binary::NewOrder> Order>
    [[nodiscard]] bool on_request(const Order& order, const Header& header, Timestamp now);
    [[nodiscard]] bool on_request(const CancelOrder& cancel, const Header& header, Timestamp now);
    [[nodiscard]] bool on_request(const ModifyOrder& modify, const Header& header, Timestamp now);
    [[nodiscard]] bool on_request(const wire::binary::Quote& quote, const Header& header,
                                  Timestamp now);
    [[nodiscard]] bool on_request(const wire::binary::QuoteProtection& protection,
                                  const Header& header, Timestamp now);
    [[nodiscard]] bool trades_in(InstrumentId instrument) const;
    [[nodiscard]] std::optional<Price> price_of(std::uint64_t price_e2,
                                                InstrumentId instrument) const;
    [[nodiscard]] bool is_price(std::optional<Price> price, bool has_one,
                                InstrumentId instrument) const;
    [[nodiscard]] bool make_command(const NewOrder& order, Command& command) const;
    [[nodiscard]] bool make_command(const wire::binary::LinkedOrder& order, Command& command) const;
    [[nodiscard]] Reason make_command(const wire::binary::Quote& quote, Command& command) const;
    [[nodiscard]] Reason make_command(const wire::binary::QuoteProtection& protection,
                                      Command& command) const;
    [[nodiscard]] bool set_time_in_force(const NewOrder& order, Command& command) const;
    [[nodiscard]] Command refused_order(const NewOrder& order) const;
    void end_login(bool cancel_orders, const Note& note, std::uint32_t sequence);
    void submit(const Command& command, const Note& note, std::uint32_t sequence);

    // Answers that the session gives itself. They wait until earlier requests are answered.
    [[nodiscard]] bool may_answer() const { return pending_ == 0; }
    template <class M>
    [[nodiscard]] bool refuse(const Header& header, const M& answer, std::size_t tail = 0);
    [[nodiscard]] bool refuse(const Header& header, binary::ErrorCode code);
    [[nodiscard]] bool refuse_frame(const wire::binary::Scan& found);
    [[nodiscard]] bool refuse_order(const NewOrder& order, const Header& header,
                                    binary::OrderStatus status, Timestamp now);

    // detail/binary_answers.hpp
    template <class M>
    void send(const M& message, std::size_t tail = 0);
    void on_accepted(const Event& event, const Note& note, const CommandStamp& stamp);
    void on_rejected(const Event& event, const Note& note, const Origin& cause,
                     const CommandStamp& stamp);
    void on_executed(const Event& event, bool own_command, const CommandStamp& stamp);
    void on_cancelled(const Event& event, const Note& note);
    void on_unasked(const Event& event, const CommandStamp& stamp);
    void on_quote_event(const Event& event, const Note& note, const Origin& cause,
                        const CommandStamp& stamp);
    void send_protection_ack(const Note& note, Reason reason);
    void send_order_rejected(const Event& event, const Note& note, const CommandStamp& stamp);
    void send_modify_ack(const Event& event, const Note& note, OrderId new_id, Quantity quantity,
                         std::uint8_t status);
    void settle_held_ack();

    [[nodiscard]] bool is_next(std::uint32_t sequence) const {
        return is_v2() || sequence > recorded_;  // version 2 has checked it before
    }
    [[nodiscard]] bool is_v2() const { return version_ == Version::v2; }

    Gateway* gateway_;
    OutputBuffer* out_;
    const BinaryRules* rules_;
    SessionId id_;
    ClientId client_id_;
    ParticipantId participant_{};
    std::uint32_t pending_ = 0;
    /// The client's last sequence number that counts: `recorded_` to check requests, `answered_` as
    /// shown in answers, which lags behind while requests are in progress.
    std::uint32_t recorded_ = 0;
    std::uint32_t answered_ = 0;
    std::uint32_t server_sequence_ = 0;
    Version version_{};
    Disconnect disconnect_{};
    bool logged_in_ = false;
    std::uint64_t trades_ = 0;
    TokenBucket bucket_;
    /// Version 2: the ORDER_ACK at the front of the held bytes, until its outcome is known.
    wire::binary::OrderAck held_ack_{};
    /// The same for a quote.
    wire::binary::QuoteAck held_quote_{};
    bool holds_quote_ = false;
    binary::Unasked unasked_;
    wire::binary::Sequences held_sequences_{};
};

}  // namespace damrak::session

#include <damrak/session/detail/binary_answers.hpp>
#include <damrak/session/detail/binary_orders.hpp>
#include <damrak/session/detail/binary_quotes.hpp>
#include <damrak/session/detail/binary_requests.hpp>
