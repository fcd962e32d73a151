// Gives each command its sequence number and time, journals it, and applies it: the inline wiring,
// in which the thread that polls the gateways does all of this. Answers may be sent once
// journal::JournalWriter::durable_position() has passed the command.
//
// A class template over the listener for events, each with the origin and the stamp of its command.
// One thread. A command costs its journal record and the engine's work; only a login allocates.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <thread>

#include <damrak/domain/command.hpp>
#include <damrak/domain/event.hpp>
#include <damrak/domain/origin.hpp>
#include <damrak/engine/engine.hpp>
#include <damrak/journal/attachment.hpp>
#include <damrak/journal/progress.hpp>
#include <damrak/journal/record.hpp>
#include <damrak/journal/writer.hpp>
#include <damrak/sequencer/market_clock.hpp>
#include <damrak/sequencer/restart.hpp>

namespace damrak::sequencer {

/// `listener.on_event(event, origin, stamp)` for each event, then `listener.on_command_end(origin)`
/// once for each submitted command. A listener that has `on_durable()` hears of each record
/// once it is durable, before its events. While a journal is replayed, only
/// `listener.on_replayed(event, origin)` is called: there are no clients to answer.
/// `Writer` is the journal's, or one that keeps nothing (market/journal.hpp).
template <class Listener, class Writer = journal::JournalWriter>
class Sequencer {
  public:
    Sequencer(const EngineConfig& config, Listener& listener)
        : listener_(&listener), engine_(config) {}
    Sequencer(const Sequencer&) = delete;
    Sequencer& operator=(const Sequencer&) = delete;

    /// Stamps commands with this clock instead of the system's. It must outlive the sequencer.
    void use(const MarketClock& clock) { clock_ = &clock; }

    /// Applies the records of a journal, in order; call before start().
    void replay(std::span<const journal::Record> records) {
        for (const journal::Record& record : records) {
            if (journal::is_engine_kind(record.head.kind)) {
                const Origin origin = journal::origin_of(record.head);
                engine_.apply(record.command,
                              [&](const Event& event) { listener_->on_replayed(event, origin); });
                progress_.note_applied(record.command);
            } else {
                progress_.note_session(record.command, {record.head.session});
            }
        }
    }

    /// The same in one step, from a journal::ExchangeState that someone else replayed; call before
    /// start(). Allocates as much as that state takes. The gateways own their states.
    template <class State>
    void take_over(const State& state) {
        load_bytes(engine_, bytes_of(state.engine()));
        load_bytes(progress_, bytes_of(state.progress()));
        next_checkpoint_ = progress_.commands() + k_checkpoint_interval;
    }

    /// From now on `writer` journals commands; it continues after the replayed records. Ends the
    /// sessions that were open at the end of the journal, and cancels the orders of those that
    /// requested it.
    void start(Writer& writer, Timestamp now) {
        writer_ = &writer;
        for (const Ending& ending : endings_of(progress_))
            if (!submit(ending.command, ending.origin, now)) return;
    }

    /// Whether the journal takes a command at once.
    [[nodiscard]] bool ready() const { return writer_->claim() != nullptr; }

    /// All answers arrive within submit().
    [[nodiscard]] static constexpr bool awaits_answers() { return false; }
    /// Whether the reported answers may be sent.
    [[nodiscard]] journal::DurableState durable_state() const { return writer_->durable_state(); }
    [[nodiscard]] bool has_instrument(InstrumentId id) const {
        return engine_.instrument(id) != nullptr;
    }
    /// Whether there is such an instrument, with prices at and below zero.
    [[nodiscard]] bool below_zero(InstrumentId id) const {
        const InstrumentState* const in = engine_.instrument(id);
        return in != nullptr && in->below_zero();
    }
    /// Null if there is no such instrument. If shards have their own threads, call it only while
    /// handling the event that reports the definition, or while nothing is in progress.
    [[nodiscard]] const InstrumentDefinition* definition(InstrumentId id) const {
        const InstrumentState* const in = engine_.instrument(id);
        return in == nullptr ? nullptr : &in->definition();
    }
    /// The last record whose events were all reported.
    [[nodiscard]] std::uint64_t reported_position() const { return writer_->appended_position(); }

    /// Stamps, journals and applies a command. False: the journal accepts nothing more
    /// (JournalWriter::refusal() says why) and the command has no effect. A speed bump says what
    /// delay it drew.
    bool submit(const Command& command, const Origin& origin, Timestamp now,
                std::uint32_t delay_ns = 0) {
        journal::Record* const record = claim();
        if (record == nullptr) return false;
        const Timestamp time = std::max(market_time(now), progress_.last_timestamp());
        record->head.session = origin.session.value;
        record->head.inbound_sequence = origin.inbound_sequence;
        record->head.tag = origin.tag.bytes;
        if (delay_ns != 0) record->head.delay_ns = delay_ns;
        record->command = command;
        record->command.timestamp = time;
        const CommandStamp stamp{SequenceNumber{writer_->publish()}, time};
        if constexpr (requires { listener_->on_durable(); }) listener_->on_durable();
        apply(record->command, origin, stamp);
        listener_->on_command_end(origin);
        if (progress_.commands() >= next_checkpoint_) [[unlikely]]
            keep_checkpoint();
        return true;
    }

    /// Journals the attachment of the next submitted command, from the same origin. False: as in
    /// submit().
    bool attach(const Attachment& attachment, const Origin& origin, Timestamp now) {
        journal::Record* const record = claim();
        if (record == nullptr) return false;
        const Timestamp time = std::max(market_time(now), progress_.last_timestamp());
        journal::put_attachment(*record, attachment, origin, time);
        writer_->publish();
        return true;
    }

    /// Once per turn: expires due orders. False: the journal accepts nothing more.
    bool do_work(Timestamp now) {
        // Without this check, requests would wait forever for a journal that has failed.
        if (writer_->standing() == journal::Standing::refused) return false;
        if (engine_.next_expiry() > market_time(now)) return true;
        Command due{};
        due.kind = CommandKind::tick;
        return submit(due, {}, now);
    }

    [[nodiscard]] const Engine& engine() const { return engine_; }
    [[nodiscard]] std::uint64_t state_hash() const { return engine_.state_hash(); }
    /// Engine commands applied, replayed ones included.
    [[nodiscard]] std::uint64_t commands() const { return progress_.commands(); }
    /// The largest id allocated, as far as logins recorded it.
    [[nodiscard]] SessionId last_session() const { return progress_.last_session(); }
    [[nodiscard]] ParticipantId last_participant() const { return progress_.last_participant(); }
    [[nodiscard]] std::size_t open_sessions() const { return progress_.open_sessions().size(); }

  private:
    static constexpr std::uint64_t k_checkpoint_interval = std::uint64_t{1} << 20U;

    [[nodiscard]] Timestamp market_time(Timestamp now) const {
        return clock_ == nullptr ? now : clock_->at(now);
    }

    // The next segment is prepared ahead of time; if it is not ready, trading waits for it.
    [[nodiscard]] journal::Record* claim() {
        for (;;) {
            if (journal::Record* const record = writer_->claim(); record != nullptr) [[likely]]
                return record;
            if (writer_->standing() == journal::Standing::refused) return nullptr;
            std::this_thread::yield();
        }
    }

    void apply(const Command& command, const Origin& origin, const CommandStamp& stamp) {
        if (command.kind >= CommandKind::session_opened) [[unlikely]]
            return progress_.note_session(command, origin.session);
        engine_.apply(command,
                      [&](const Event& event) { listener_->on_event(event, origin, stamp); });
        progress_.note_applied(command);
    }

    void keep_checkpoint() {
        next_checkpoint_ = progress_.commands() + k_checkpoint_interval;
        journal::Record* const record = claim();
        if (record == nullptr) return;
        *record = journal::checkpoint(progress_.last_timestamp(), engine_.state_hash());
        writer_->publish();
    }

    Listener* listener_;
    Writer* writer_ = nullptr;
    const MarketClock* clock_ = nullptr;
    Engine engine_;
    journal::Progress progress_;
    std::uint64_t next_checkpoint_ = k_checkpoint_interval;
};

}  // namespace damrak::sequencer
