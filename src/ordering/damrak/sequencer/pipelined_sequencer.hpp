// The gateways' end of the pipelined wiring: passes commands to the sequencing thread and reports
// their events, in order and once they are durable. It replaces Sequencer of the inline wiring, but
// answers come later, in do_work().
//
// A class template over the listener, like Sequencer. One thread: that of the gateways. A command
// costs a copy into a ring, an event a call; nothing is allocated while there is room (ready()).
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>

#include <damrak/base/assert.hpp>
#include <damrak/base/reserved_array.hpp>
#include <damrak/base/waiting.hpp>
#include <damrak/domain/command.hpp>
#include <damrak/domain/event.hpp>
#include <damrak/journal/attachment.hpp>
#include <damrak/journal/writer.hpp>
#include <damrak/sequencer/detail/pipeline.hpp>
#include <damrak/sequencer/market_clock.hpp>
#include <damrak/sequencer/restart.hpp>

namespace damrak::sequencer {

template <class Listener>
class PipelinedSequencer {
  public:
    PipelinedSequencer(const EngineConfig& engine, PipelineConfig config, Listener& listener)
        : listener_(&listener),
          pipeline_(engine, std::move(config)),
          waiter_(pipeline_.config().waiting),
          definitions_(engine.maximum_instruments) {}
    PipelinedSequencer(const PipelinedSequencer&) = delete;
    PipelinedSequencer& operator=(const PipelinedSequencer&) = delete;

    /// Like Sequencer::use().
    void use(const MarketClock& clock) {
        clock_ = &clock;
        pipeline_.sequencer().use(clock);
    }

    /// Continues from a journal::ExchangeState that someone else replayed; call before start(). The
    /// gateways own their states.
    template <class State>
    void take_over(const State& state) {
        pipeline_.partition().take_over(bytes_of(state.engine()));
        progress_ = state.progress();
        for (std::uint32_t id = 1; id <= definitions_.size(); ++id)
            if (const InstrumentState* in = pipeline_.partition().instrument(InstrumentId{id}))
                definitions_[id - 1U] = in->definition();
    }

    /// Like Sequencer::start(). Steps the agents until the start is complete, like settle().
    void start(journal::JournalWriter& writer, Timestamp now,
               std::span<const AgentRef> helpers = {}) {
        writer_ = &writer;
        reported_position_ = writer.appended_position();
        pipeline_.sequencer().begin(writer, progress_);
        for (const Ending& ending : endings_of(progress_)) {
            if (!submit(ending.command, ending.origin, now)) return;
            settle(now, helpers);
        }
    }
    /// Gives the agents their own threads; call after start().
    void run() { pipeline_.run(); }
    /// Waits until everything submitted is answered, or never will be. If the agents have no
    /// threads, steps them and these `helpers`: those of a journal whose helpers have no threads
    /// either.
    void settle(Timestamp now, std::span<const AgentRef> helpers = {}) {
        while (awaits_answers() && durable_state() != journal::DurableState::refused &&
               do_work(now)) {
            if (pipeline_.runs()) continue;
            for (const AgentRef& agent : pipeline_.agents()) std::ignore = agent.do_work(now.value);
            for (const AgentRef& helper : helpers) std::ignore = helper.do_work(now.value);
        }
    }
    /// Ends the threads. Commands in progress are either in the journal or have no effect.
    void stop() { pipeline_.stop(); }

    [[nodiscard]] bool ready() const {
        constexpr std::size_t k_commands_of_a_message = 2;
        return overflow_.empty() && inbound().has_room(k_commands_of_a_message);
    }
    [[nodiscard]] bool awaits_answers() const { return asked_ != answered_; }
    /// Covers durable records only.
    [[nodiscard]] journal::DurableState durable_state() const {
        return writer_->durable_state() == journal::DurableState::refused
                   ? journal::DurableState::refused
                   : journal::DurableState::all;
    }
    /// Like Sequencer::has_instrument().
    [[nodiscard]] bool has_instrument(InstrumentId id) const { return definition(id) != nullptr; }
    /// Like Sequencer::below_zero().
    [[nodiscard]] bool below_zero(InstrumentId id) const {
        const InstrumentDefinition* const known = definition(id);
        return known != nullptr && known->minimum_price().value < 0;
    }
    /// Like Sequencer::definition().
    [[nodiscard]] const InstrumentDefinition* definition(InstrumentId id) const {
        const std::size_t index = id.value - 1U;
        return index < definitions_.size() && definitions_[index].id ? &definitions_[index]
                                                                     : nullptr;
    }
    /// The last record whose events were all reported.
    [[nodiscard]] std::uint64_t reported_position() const { return reported_position_; }

    /// Submits a command. False: trading has stopped, and the command has no effect. If ready() is
    /// false, for callers that cannot wait (a connection that ends), commands queue here.
    bool submit(const Command& command, const Origin& origin, Timestamp now,
                std::uint32_t delay_ns = 0) {
        if (pipeline_.sequencer().stopped()) return false;
        ++asked_;
        if (defines(command.kind)) [[unlikely]]
            defining_.push_back(command);
        hand_over([&](journal::Record& record) {
            record.head.flags = k_asked_for;
            record.head.session = origin.session.value;
            record.head.inbound_sequence = origin.inbound_sequence;
            record.head.tag = origin.tag.bytes;
            record.head.delay_ns = delay_ns;
            record.command = command;
            record.command.timestamp = market_time(now);
        });
        return true;
    }
    /// Like Sequencer::attach().
    bool attach(const Attachment& attachment, const Origin& origin, Timestamp now) {
        if (pipeline_.sequencer().stopped()) return false;
        hand_over([&](journal::Record& record) {
            record = {};
            journal::put_attachment(record, attachment, origin, market_time(now));
        });
        return true;
    }

    /// Reports new events. False: trading has stopped.
    bool do_work(Timestamp /*now*/) {
        hand_over_queued();
        announce();
        const std::size_t told = tell_events();
        // The last answers end a wait, too: the next one begins with short pauses.
        if (told > 0 || awaits_answers()) waiter_.after(told);
        return !pipeline_.sequencer().stopped();
    }

    [[nodiscard]] Pipeline& pipeline() { return pipeline_; }
    [[nodiscard]] const Partition& partition() const { return pipeline_.partition(); }
    /// Call before start(), or after stop().
    [[nodiscard]] std::uint64_t state_hash() const { return pipeline_.partition().state_hash(); }
    [[nodiscard]] std::uint64_t commands() const {
        return writer_ == nullptr ? progress_.commands()
                                  : pipeline_.sequencer().progress().commands();
    }
    /// The largest id allocated before start().
    [[nodiscard]] SessionId last_session() const { return progress_.last_session(); }
    [[nodiscard]] ParticipantId last_participant() const { return progress_.last_participant(); }

  private:
    static bool defines(CommandKind kind) {
        return kind == CommandKind::add_instrument || kind == CommandKind::add_tick_band;
    }
    /// Of the oldest command that defines: it is answered by one event.
    void note_defined(const Event& event) {
        const Command command = defining_.front();
        defining_.pop_front();
        const std::size_t index = command.instrument.value - 1U;
        if (event.kind == EventKind::instrument_added)
            definitions_[index] = definition_of(command);
        else if (event.kind == EventKind::tick_band_added)
            DAMRAK_ASSERT(definitions_[index].add_band(command.tick_band) == Reason::none);
    }

    [[nodiscard]] RecordRing& inbound() const { return *inbound_; }
    [[nodiscard]] Timestamp market_time(Timestamp now) const {
        return clock_ == nullptr ? now : clock_->at(now);
    }

    template <class Fill>
    void hand_over(Fill&& fill) {
        journal::Record* const slot = overflow_.empty() ? inbound().claim() : nullptr;
        fill(slot != nullptr ? *slot : overflow_.emplace_back(journal::Record{}));
        if (slot != nullptr) inbound().publish();
    }

    void hand_over_queued() {
        while (!overflow_.empty()) {
            journal::Record* const slot = inbound().claim();
            if (slot == nullptr) return;
            *slot = overflow_.front();
            inbound().publish();
            overflow_.pop_front();
        }
    }

    // Once for all commands of a turn.
    void announce() {
        const std::uint64_t published = inbound().published();
        if (published == announced_) return;
        announced_ = published;
        pipeline_.announce();
    }

    std::size_t tell_events() {
        NoticeRing& notices = pipeline_.rings().notices;
        const std::uint64_t kept = writer_->durable_position();
        std::size_t told = 0;
        for (const Notice& notice : notices.front()) {
            if (notice.stamp.sequence.value > kept) break;
            if (!tell_events(notice, told)) break;
            notices.release(1);
        }
        return told;
    }

    // False if some of its events are still to come.
    bool tell_events(const Notice& notice, std::size_t& told) {
        if (notice.source == Notice::k_no_source) {
            ++told;
            end_command(notice);
            return true;
        }
        EventRing& events = *pipeline_.rings().events[notice.source];
        for (auto batch = events.front(); !batch.empty(); batch = events.front()) {
            for (std::size_t i = 0; i < batch.size(); ++i) {
                const Event& event = batch[i];
                ++told;
                if (is_end(event)) {
                    events.release(i + 1);
                    end_command(notice);
                    return true;
                }
                if (!defining_.empty() && defines(event.command)) [[unlikely]]
                    note_defined(event);
                listener_->on_event(event, notice.origin, notice.stamp);
            }
            events.release(batch.size());
        }
        return false;
    }

    void end_command(const Notice& notice) {
        if (notice.asked_for) ++answered_;
        reported_position_ = notice.stamp.sequence.value;
        listener_->on_command_end(notice.origin);
    }

    Listener* listener_;
    Pipeline pipeline_;
    RecordRing* inbound_ = &pipeline_.rings().inbound;
    Waiter waiter_;
    journal::JournalWriter* writer_ = nullptr;
    const MarketClock* clock_ = nullptr;
    journal::Progress progress_;  ///< of the recovered state
    /// As the events told so far: only a shard's own thread may read its instruments.
    ReservedArray<InstrumentDefinition> definitions_;
    std::deque<Command> defining_;  ///< pending, oldest first
    std::deque<journal::Record> overflow_;
    std::uint64_t announced_ = 0;
    std::uint64_t asked_ = 0;
    std::uint64_t answered_ = 0;
    std::uint64_t reported_position_ = 0;
};

}  // namespace damrak::sequencer
