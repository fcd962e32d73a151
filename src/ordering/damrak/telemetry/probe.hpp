// The producer of telemetry, on the polling thread: a gateway calls it at each point of its work.
// It counts, times a sample of the messages, and writes records into a ring for the collector. It
// never locks, allocates, makes a system call or wakes a thread; a full ring loses the record and
// counts the loss.
//
// A disabled function costs one predictable branch at each point. By default the probe only counts.
// published() is for other threads, everything else for the polling thread.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include <damrak/base/cycle_clock.hpp>
#include <damrak/base/inline.hpp>
#include <damrak/base/seqlock.hpp>
#include <damrak/base/spsc_ring.hpp>
#include <damrak/base/stage_timing.hpp>
#include <damrak/telemetry/detail/counters.hpp>
#include <damrak/telemetry/records.hpp>

namespace damrak::telemetry {

using Ring = SpscRing<Slot>;

struct ProbeConfig {
    std::uint32_t sample_every = 0;  ///< one message in this many is timed; zero: none
    bool log_events = false;         ///< all other kinds of record too
    bool stamp_records = false;      ///< with the counter at each record, not only the time of the
                                     ///< turn
    std::size_t ring_records = std::size_t{1} << 16U;  ///< a power of two
};

/// Timed messages of one connection whose answers are not written yet: stored in the connection,
/// used only by the probe.
struct Unwritten {
    std::uint32_t first = 0;  ///< zero: none
};

class Probe {
  public:
    Probe();
    Probe(const Probe&) = delete;
    Probe& operator=(const Probe&) = delete;
    ~Probe();

    /// Call before the first turn, without outstanding messages. `clock` must outlive the probe.
    void start(const ProbeConfig& config, const CycleClock& clock);

    // Connections.
    void on_opened(SessionId session, const Peer& peer, Timestamp now);
    /// `reason` is empty if the client closed the connection.
    void on_closed(SessionId session, std::string_view reason, Timestamp now, Unwritten& unwritten);

    // Input.
    void on_read(std::size_t bytes) {
        ++counters_.reads;
        counters_.received_bytes += bytes;
        if (countdown_.every() != 0) read_ticks_ = clock_->now_ticks();
    }
    /// More bytes of the same read.
    void on_read_more(std::size_t bytes) { counters_.received_bytes += bytes; }
    /// The decoding of a message begins.
    void on_message(SessionId session, RequestKind kind, std::uint8_t wire_type,
                    std::uint32_t sequence) {
        if (stamping_) [[unlikely]]
            message_ticks_ = clock_->now_ticks();
        if (countdown_.due()) [[unlikely]]
            begin(session, kind, wire_type, sequence);
    }
    /// Sets the kind of the message, for a protocol that knows it only after decoding; call before
    /// on_submit().
    void on_recognised(RequestKind kind, std::uint8_t wire_type, std::uint32_t sequence) {
        if (timing_ && !submitted_) [[unlikely]]
            recognise(kind, wire_type, sequence);
    }
    /// The message is decoded; its command goes to the exchange.
    void on_submit() {
        if (timing_) [[unlikely]]
            on_submit_timed();
    }
    /// The command is sequenced and durable.
    void on_durable() {
        if (timing_) [[unlikely]]
            lap(Stage::keep);
    }
    /// The exchange reports an event; on_reported() follows.
    void on_event(const Event& event, const Origin& origin, const CommandStamp& stamp) {
        if (timing_) [[unlikely]]
            lap_if_own(origin, Stage::match);
        count(event);
        if (logging_) [[unlikely]]
            log(event, origin, stamp);
    }
    /// The event's answers are in the buffers.
    void on_reported(const Origin& origin) {
        if (timing_) [[unlikely]]
            lap_if_own(origin, Stage::buffer);
    }
    /// The command has no more events; on_answered() follows.
    void on_command_end(const Origin& origin) {
        if (timing_) [[unlikely]]
            lap_if_own(origin, Stage::match);
    }
    /// All answers to the command are in the buffers, those to its own client in `unwritten`.
    void on_answered(const Origin& origin, Unwritten& unwritten) {
        if (timing_) [[unlikely]]
            finish_if_own(origin, unwritten);
    }
    /// The message was handled, with or without a command.
    void on_handled(SessionId session, RequestKind kind, std::uint8_t wire_type,
                    std::uint32_t sequence, Timestamp now, Unwritten& unwritten) {
        ++counters_.requests[static_cast<std::size_t>(kind)];
        if (timing_ && !submitted_) [[unlikely]]
            finish(unwritten);
        if (logging_) [[unlikely]]
            put_at(message_ticks_, [&] {
                return Request{.request = kind,
                               .wire_type = wire_type,
                               .sequence = sequence,
                               .time = now,
                               .session = session};
            });
    }
    /// The message's session rejected it; call before on_handled().
    void on_refused(const Refusal& refusal) {
        if (logging_) put([&] { return refusal; });
    }
    /// A new order is submitted with this date; call before on_submit().
    void on_good_till(const GoodTill& date) {
        if (logging_ && date.date != GoodTill::k_never) [[unlikely]]
            put([&] { return date; });
    }
    /// The message has to wait and will be received again.
    void on_postponed() {
        if (timing_ && !submitted_) [[unlikely]]
            timing_ = false;
    }

    // Output.
    void on_written(SessionId session, std::uint8_t wire_type, std::uint32_t sequence,
                    std::size_t bytes, Timestamp now, Unwritten& unwritten) {
        ++counters_.writes;
        counters_.sent_bytes += bytes;
        if (unwritten.first != 0) [[unlikely]]
            settle(unwritten, true);
        if (logging_) [[unlikely]]
            put([&] {
                return Write{.wire_type = wire_type,
                             .sequence = sequence,
                             .time = now,
                             .session = session,
                             .bytes = bytes};
            });
    }

    /// Call at the end of each turn: publishes the counters periodically.
    void on_turn(bool busy) {
        ++counters_.turns;
        if (busy) ++counters_.busy_turns;
        if (--turns_to_publish_ == 0 || (!busy && unpublished_)) [[unlikely]]
            publish();
        unpublished_ |= busy;
    }
    void publish() {
        turns_to_publish_ = k_turns_a_publication;
        unpublished_ = false;
        published_.store(counters_);
    }

    [[nodiscard]] const Counters& counters() const { return counters_; }
    [[nodiscard]] bool logging() const { return logging_; }

    /// From any thread: the counters at the end of a recent turn.
    [[nodiscard]] Counters published() const { return published_.load(); }
    /// The ring for the collector; null if nothing is recorded.
    [[nodiscard]] Ring* ring() { return ring_.get(); }

  private:
    static constexpr std::uint32_t k_turns_a_publication = 256;
    static constexpr std::uint32_t k_unwritten = 16'384;

    /// A timed message whose answer is not written yet.
    struct Sample {
        StageLaps laps;
        RequestKind request{};
        std::uint8_t wire_type = 0;
        GatewayNumber gateway{};
        std::uint32_t next = 0;
    };

    void begin(SessionId session, RequestKind kind, std::uint8_t wire_type, std::uint32_t sequence);
    void recognise(RequestKind kind, std::uint8_t wire_type, std::uint32_t sequence);
    void on_submit_timed();
    void lap(Stage stage) { current_.laps.lap(stage, clock_->now_ticks()); }
    void lap_if_own(const Origin& origin, Stage stage) {
        if (is_timed(origin)) lap(stage);
    }
    void finish_if_own(const Origin& origin, Unwritten& unwritten) {
        if (is_timed(origin)) finish(unwritten);
    }
    // The session alone does not identify a message: several may be outstanding.
    [[nodiscard]] bool is_timed(const Origin& origin) const {
        return submitted_ && origin.session == session_ && origin.inbound_sequence == sequence_;
    }
    void finish(Unwritten& unwritten);
    void turn_round(Unwritten& unwritten);
    void settle(Unwritten& unwritten, bool written);
    void count(const Event& event) {
        ++counters_.events[static_cast<std::size_t>(event.kind)];
        if (event.kind == EventKind::executed && has_flag(event, EventFlags::k_aggressor))
            counters_.traded_quantity += static_cast<std::uint64_t>(event.quantity.value);
    }
    void log(const Event& event, const Origin& origin, const CommandStamp& stamp);
    void log_trade(const Event& event, const Origin& origin, const CommandStamp& stamp);
    template <class Make>
    DAMRAK_HOT void put(const Make& make) {
        put_at(stamping_ ? clock_->now_ticks() : 0, make);
    }
    template <class Make>
    DAMRAK_HOT void put_at(std::uint64_t ticks, const Make& make) {
        Slot* const slot = ring_->claim();
        if (slot == nullptr) [[unlikely]] {
            ++counters_.lost_records;
            return;
        }
        slot->put(make);
        slot->stamp(ticks);
        ring_->publish();
    }

    const CycleClock* clock_ = nullptr;
    SampleCountdown countdown_{0};
    bool logging_ = false;
    bool stamping_ = false;
    bool timing_ = false;     ///< a message is being timed
    bool submitted_ = false;  ///< its command was submitted
    bool unpublished_ = false;
    std::uint32_t turns_to_publish_ = k_turns_a_publication;
    std::uint64_t read_ticks_ = 0;
    std::uint64_t message_ticks_ = 0;  ///< when the decoding of the last message began
    Sample current_;
    SessionId session_{};
    std::uint64_t sequence_ = 0;
    Counters counters_;
    Event resting_{};  ///< the first event of a trade, until the second arrives
    std::vector<Sample> samples_;
    std::uint32_t free_sample_ = 0;
    std::unique_ptr<Ring> ring_;
    Seqlock<Counters> published_;
};

}  // namespace damrak::telemetry
