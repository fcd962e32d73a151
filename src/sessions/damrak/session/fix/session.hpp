// One FIX session, acceptor or initiator, FIX.4.0 to FIXT.1.1, as a state machine without I/O:
// bytes and time in, calls of the application and bytes out. Its owner gives it a connection with
// connect(), passes received bytes and the time, sends the output buffer, and closes the connection
// when disconnect() says so. A session spans many connections; its numbers and messages are in its
// store.
//
// A class template over the application and the store, so that no call goes through a pointer. A
// message in sequence costs its decoding, the checks of its header, the dictionary if enabled, and
// the application: no allocation, no lock. One thread. The rules are those of the FIX session-layer
// specification (FIX Trading Community, 2.0) and its test cases; docs/fix.md has them.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <damrak/base/inline.hpp>
#include <damrak/base/token_bucket.hpp>
#include <damrak/fix_codec/decode.hpp>
#include <damrak/fix_codec/dictionary.hpp>
#include <damrak/fix_codec/encode.hpp>
#include <damrak/session/fix/counters.hpp>
#include <damrak/session/fix/detail/early_messages.hpp>
#include <damrak/session/fix/detail/hidden_passwords.hpp>
#include <damrak/session/fix/detail/long_message.hpp>
#include <damrak/session/fix/detail/reply.hpp>
#include <damrak/session/fix/detail/store.hpp>
#include <damrak/session/fix/routing.hpp>
#include <damrak/session/fix/settings.hpp>
#include <damrak/session/output_buffer.hpp>
#include <damrak/session/received.hpp>

namespace damrak::session::fix {

/// Shared by the sessions of one thread. Apart from the counters, its contents last for one call
/// only.
struct SessionTools {
    /// A message of this many bytes cannot have more fields.
    static constexpr std::size_t k_message_bytes = std::size_t{1} << 16U;
    static constexpr std::size_t k_message_fields = k_message_bytes / 3;

    explicit SessionTools(std::size_t maximum_fields = k_message_fields,
                          std::size_t maximum_message_bytes = k_message_bytes);

    fix_codec::Decoder decoder;
    fix_codec::TimestampCache times;
    std::vector<char> scratch;
    std::string too_long;  ///< text about a message that is too long
    SessionCounters counters;
};

/// Why a session requests to close its connection.
enum class Ended : std::uint8_t {
    no,
    logged_out,
    logon_refused,
    not_a_logon,   ///< the first message was not a Logon, or not one that this session can answer
    timed_out,     ///< silence, after a TestRequest
    bad_sequence,  ///< MsgSeqNum missing, too low, or an impossible reset
    too_fast,
    slow_reader,
    store_failed,
};
[[nodiscard]] std::string_view text(Ended reason);

/// An application of a session of type S. It may also have
///   std::string_view authenticate(S&, const Message& logon): the reason to reject it, or empty;
///   void fill_logon(S&, MessageWriter&): further fields of our Logon;
///   void on_admin(S&, const Message&): receives each session message in sequence;
///   bool must_wait(S&, const Message&): whether an application message must wait; it is passed
///     again in a later turn, or handled anyway if it came out of sequence;
///   void on_scan(S&), on_scanned(S&, const Message*), on_taken(S&): for measurements: the scan for
///     the next message begins; it found this one, or none is complete; it was handled.
template <class A, class S>
concept Application =
    requires(A& application, S& session, const fix_codec::Message& message, std::string_view text) {
        /// From here on the session can send; messages sent earlier are stored, and resent on
        /// request.
        application.on_logon(session);
        /// The session was logged on, and its connection was lost or ended.
        application.on_logout(session, Ended{}, text);
        { application.on_message(session, message) } -> std::same_as<Reply>;
    };

template <class App, Store St>
class Session {
  public:
    using Message = fix_codec::Message;
    using MessageWriter = fix_codec::MessageWriter;

    /// The arguments passed by reference must outlive the session. The settings have been
    /// checked().
    Session(App& application, St& store, SessionTools& tools, const SessionSettings& settings);
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;

    /// A connection is established; an initiator sends Logon. The buffer holds at least two
    /// messages.
    void connect(OutputBuffer& out, Timestamp now);
    /// Handles the complete messages at the front of `bytes`. The caller passes unconsumed bytes
    /// again: with more after them, or, if `blocked`, when time has passed or output was sent.
    Received receive(std::span<const std::byte> bytes, Timestamp now);
    /// The commands of the last message with the reply `pending` are durable: its number counts,
    /// and the messages after it are handled. No effect if there is no such message.
    void complete(Timestamp now);
    /// Heartbeats, timeouts, the schedule, and the rest of a resend. A few comparisons.
    void on_time(Timestamp now);
    /// Sends Logout. The connection ends when the other side answers, or does not answer in time.
    void logout(std::string_view text, Timestamp now);
    /// The connection is lost or closed.
    void close(Timestamp now);

    /// Sends an application message: `fill(writer)` writes the body. It is stored first, with the
    /// event that it reports; without a logon it is only stored. Returns false if it could not be
    /// stored: too long, or the store has failed.
    template <class Fill>
    bool send(std::string_view msg_type, Timestamp now, Fill&& fill,
              const EventPosition& position = {}, const Routing& routing = {});
    /// The same for messages without later value: only the number is stored, and a gap fill
    /// replaces the message in a resend. Without a logon nothing is sent and no number used.
    template <class Fill>
    bool send_fleeting(std::string_view msg_type, Timestamp now, Fill&& fill);
    /// Like send(), for callers with a template of the whole message about an order: `encode(room,
    /// sequence)` writes it, header included, and returns it.
    template <class Encode>
    bool send_encoded(Timestamp now, Encode&& encode, const EventPosition& position = {});

    /// Resets both numbers to 1: by a Logon with ResetSeqNumFlag if there is a connection.
    void reset(Timestamp now);
    void set_next_outgoing(std::uint64_t sequence, Timestamp now);
    void set_next_incoming(std::uint64_t sequence, Timestamp now);

    /// If not `no`: send what is readable, close the connection, call close().
    [[nodiscard]] Ended ended() const { return ended_; }
    [[nodiscard]] std::string_view ended_text() const { return ended_text_; }
    [[nodiscard]] bool connected() const { return state_ != State::disconnected; }
    [[nodiscard]] bool logged_on() const { return was_logged_on_ && state_ >= State::logged_on; }
    /// Our Logout was sent; the connection ends soon.
    [[nodiscard]] bool logging_out() const { return state_ == State::logging_out; }
    /// Outside its schedule a session refuses logons, and an initiator should not connect.
    [[nodiscard]] bool is_open(Timestamp now) const { return settings_->schedule.is_open(now); }
    [[nodiscard]] std::uint64_t next_outgoing() const { return store_->next_outgoing(); }
    [[nodiscard]] std::uint64_t next_incoming() const { return store_->next_incoming(); }
    /// Whether messages wait for missing earlier ones.
    [[nodiscard]] bool has_gap() const { return gap_to_ >= store_->next_incoming(); }
    [[nodiscard]] bool is_resending() const { return resend_next_ != 0; }
    /// The latest time passed in: that of the message which the application handles.
    [[nodiscard]] Timestamp now() const { return now_; }
    [[nodiscard]] std::uint64_t garbled() const { return garbled_; }
    [[nodiscard]] const SessionSettings& settings() const { return *settings_; }
    /// For application messages without an ApplVerID.
    [[nodiscard]] fix_codec::ApplVersion appl_version() const { return appl_version_; }
    [[nodiscard]] const St& store() const { return *store_; }
    /// A report could not be stored; so nothing more is, until the process starts again.
    [[nodiscard]] bool lacks_reports() const { return lacks_reports_; }

  private:
    using Tag = fix_codec::Tag;
    using Reason = fix_codec::SessionRejectReason;

    enum class State : std::uint8_t { disconnected, awaiting_logon, logged_on, logging_out };

    /// Why a message is rejected at the session level; without a tag the field is left out.
    struct Fault {
        Reason reason;
        std::optional<Tag> tag = std::nullopt;
        std::string_view text = {};  ///< empty: text of the reason
    };

    // detail/session_receive.hpp
    [[nodiscard]] fix_codec::Scan scan(std::span<const char> bytes, Message& message);
    [[nodiscard]] fix_codec::Scan pass_long(std::span<const char> bytes, Message& message);
    void on_garbled();
    [[nodiscard]] bool must_wait(const Message& message);
    void on_message(const Message& message);
    void on_unusual(const Message& message, char type);
    void in_sequence(const Message& message, char type);
    [[nodiscard]] std::uint64_t handle(const Message& message, char type);
    void to_application(const Message& message);
    void too_early(const Message& message, char type);
    void too_late(const Message& message, char type);
    void take_early();
    [[nodiscard]] bool passes_header(const Message& message);
    [[nodiscard]] bool passes_duplicate(const Message& message, char type);
    [[nodiscard]] bool has_accurate_time(const Message& message);
    [[nodiscard]] bool is_accurate(Timestamp sending_time) const;
    [[nodiscard]] bool are_comp_ids_right(const Message& message) const;
    [[nodiscard]] std::optional<Fault> fault_of(const Message& message) const;
    [[nodiscard]] std::span<const char> to_keep(const Message& message);
    void consume(const Message& message, std::uint64_t next);
    void keep_consumed(std::span<const char> message, std::uint64_t next);
    void refuse(const Message& message, const Fault& fault);
    void refuse_and_log_out(const Message& message, const Fault& fault);
    void on_test_request(const Message& message);

    // detail/session_send.hpp
    [[nodiscard]] DAMRAK_HOT std::span<char> claim(const EventPosition& position);

    // detail/session_logon.hpp
    [[nodiscard]] const fix_codec::Dictionary& dictionary_for(const Message& message) const;
    void send_logon(bool reset);
    void on_first_message(const Message& message);
    [[nodiscard]] bool may_log_on(const Message& logon);
    [[nodiscard]] bool take_numbers_of(const Message& logon);
    void log_on(const Message& logon);
    void refuse_logon(LogonRefusal reason, std::string_view why);
    void refuse_unauthenticated(LogonRefusal reason, std::string_view why);
    void count_unkept_logouts(const Message& logon);
    [[nodiscard]] std::string why_no_logon(const Message& message) const;
    void on_second_logon(const Message& message);
    void on_logout(const Message& message);
    void send_logout(std::string_view text);
    void end(Ended reason, std::string_view text = {});
    void end_with_logout(Ended reason, std::string_view text);
    void reset_numbers();
    void forget_gaps();

    // detail/session_send.hpp
    [[nodiscard]] bool may_transmit() const { return logged_on() && ended_ == Ended::no; }
    void put_header(MessageWriter& writer, std::string_view msg_type, std::uint64_t sequence,
                    const Routing& routing, bool duplicate = false) const;
    template <class Encode>
    bool keep_and_send(Encode&& encode, const Kept& kept, MessageClass kind, bool transmit);
    template <class Fill>
    void send_admin(std::string_view msg_type, Fill&& fill, const Routing& routing = {});
    void transmit(std::span<const char> message, MessageClass kind);
    void send_reject(const Message& message, const Fault& fault);
    void send_business_reject(const Message& message, const Reply& reply);

    // detail/session_resend.hpp
    [[nodiscard]] std::uint64_t on_gap_fill(const Message& message);
    void on_sequence_reset(const Message& message);
    void ask_for_gap(std::uint64_t to);
    void request_gap();
    [[nodiscard]] std::optional<Fault> on_resend_request(const Message& message);
    void start_resend(std::uint64_t from, std::uint64_t to);
    void serve_resend();
    void resend(const Stored& stored);
    void send_gap_fill(std::uint64_t from, std::uint64_t to);

    // detail/session_time.hpp
    void keep_alive();
    void keep_schedule();

    App* application_;
    St* store_;
    SessionTools* tools_;
    const SessionSettings* settings_;
    const fix_codec::Dictionary* dictionary_;
    OutputBuffer* out_ = nullptr;
    Timestamp now_{};

    State state_ = State::disconnected;
    Ended ended_ = Ended::no;
    bool was_logged_on_ = false;  ///< in this connection
    bool test_request_sent_ = false;
    bool lacks_reports_ = false;
    bool reset_sent_ = false;  ///< a Logon with ResetSeqNumFlag awaits its answer
    fix_codec::ApplVersion appl_version_;
    std::string ended_text_;
    Timestamp last_received_{};
    Timestamp last_sent_{};
    Timestamp since_{};  ///< start of the wait for a Logon or a Logout
    std::int64_t heartbeat_ns_ = 0;
    std::uint64_t logon_sequence_ = 0;  ///< of our Logon
    std::uint64_t resets_ = 0;
    std::uint64_t garbled_ = 0;
    std::uint64_t unkept_logouts_ = 0;  ///< sent in answer to unauthenticated Logons
    TokenBucket throttle_;
    // Until complete(): the number to expect from then on, unless a reset comes first.
    bool suspended_ = false;
    std::uint64_t suspended_next_ = 0;
    std::vector<char> suspended_message_;
    std::uint64_t suspended_resets_ = 0;
    std::array<char, 17> second_text_{};  ///< YYYYMMDD-HH:MM:SS of the last SendingTime
    Timestamp second_{};

    // Messages missing here: up to gap_to_, of which those up to requested_to_ were requested.
    LongMessage long_;
    bool is_long_ = false;  ///< the current message is too long; only the fields at its front are
                            ///< known
    EarlyMessages early_;
    std::uint64_t gap_to_ = 0;
    std::uint64_t requested_to_ = 0;
    Timestamp gap_progress_{};

    // Messages missing at the other side: the next one to resend, zero if none; and the start of
    // the pending gap fill, zero if none.
    std::uint64_t resend_next_ = 0;
    std::uint64_t resend_to_ = 0;
    std::uint64_t resend_gap_ = 0;
};

}  // namespace damrak::session::fix

#include <damrak/session/fix/detail/session_logon.hpp>
#include <damrak/session/fix/detail/session_receive.hpp>
#include <damrak/session/fix/detail/session_resend.hpp>
#include <damrak/session/fix/detail/session_send.hpp>
#include <damrak/session/fix/detail/session_time.hpp>
