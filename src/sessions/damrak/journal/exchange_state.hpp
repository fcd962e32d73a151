// The state of the exchange that follows from a journal: the engine, the sessions, and the order
// state of the gateways. Its only input is records. A restart recovers it, a snapshot contains it,
// and verification, replay and the replica run it.
//
// A class template over the states of the gateways (gateway_states.hpp; the list is in
// standard_exchange/) and over an observer, such as a feed, which runs on the thread that
// applies the records (see also Replica):
//
//   observer.on_command(command, stamp)  optional: each command of the engine, before its events,
//                                      and those that open and close a day
//   observer.on_other_record(sequence) optional: each other record; no event follows from it
//   observer.on_event(event, stamp)    each event, in order, after the gateways' states
//   observer.on_batch_end(caught_up)   some records were applied; true: all existing ones
//
// One thread. A record costs a copy of its command, and the work of the engine and the gateways'
// states.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>

#include <damrak/domain/event.hpp>
#include <damrak/domain/origin.hpp>
#include <damrak/engine/engine.hpp>
#include <damrak/journal/attachment.hpp>
#include <damrak/journal/gateway_states.hpp>
#include <damrak/journal/progress.hpp>
#include <damrak/journal/record.hpp>

namespace damrak::journal {

/// A checkpoint of the journal whose hash differs from that of the replayed state.
struct Divergence {
    std::uint64_t sequence = 0;
    std::uint64_t recorded = 0;
    std::uint64_t replayed = 0;
};

/// Counts the events that an engine emitted.
struct EventCounter {
    std::uint64_t events = 0;
    std::uint64_t trades = 0;
    std::uint64_t rejects = 0;
    void on_event(const Event& event, const CommandStamp& /*stamp*/) {
        ++events;
        trades += event.kind == EventKind::executed && adds_to_volume(event);
        rejects += event.kind == EventKind::rejected;
    }
    void on_batch_end(bool /*caught_up*/) {}
};

template <class Gateways, class Observer = EventCounter>
class ExchangeState {
  public:
    explicit ExchangeState(const EngineConfig& config, Observer observer = {})
        : observer_(std::move(observer)),
          engine_{config},
          gateways_for_(config),
          gateways_(config) {}
    ExchangeState(const ExchangeState&) = delete;
    ExchangeState& operator=(const ExchangeState&) = delete;

    /// Resets to the journal's initial settings, which may be smaller than the current ones. Call
    /// first.
    void begin(const EngineConfig& config) {
        if (config != engine_.config()) engine_ = Engine{config};
        make_room();
    }

    /// Applies records in order, without gaps, any number at a time.
    void apply(std::span<const Record> records) {
        for (const Record& record : records) {
            if (is_engine_kind(record.head.kind)) [[likely]] {
                gateways_.note_record(record.command, origin_of(record.head));
                commands_[waiting_] = record.command;
                heads_[waiting_++] = &record.head;
                if (waiting_ == commands_.size() ||
                    record.command.kind == CommandKind::set_capacities)
                    flush();
                continue;
            }
            flush();
            if (record.head.kind == k_checkpoint_kind) {
                check(record);
            } else if (record.head.kind == k_attachment_kind) {
                attachment_ = record;
            } else if (record.head.kind < k_first_journal_kind) {
                progress_.note_session(record.command, {record.head.session});
                gateways_.note_record(record.command, origin_of(record.head));
                note_for_observers(record);
            }
            if constexpr (requires { observer_.on_other_record(record.head.sequence); })
                observer_.on_other_record(record.head.sequence);
        }
        flush();
    }

    /// Notifies the observer; for callers that follow a growing journal.
    void end_batch(bool caught_up) { observer_.on_batch_end(caught_up); }

    [[nodiscard]] std::uint64_t state_hash() const { return engine_.state_hash(); }
    [[nodiscard]] static constexpr std::uint32_t state_layout() {
        return (Engine::state_layout() ^ Gateways::k_version) * 16'777'619;
    }
    template <class Self, class Archive>
    static void transfer(Self& self, Archive& archive) {
        Engine::transfer(self.engine_, archive);
        if constexpr (!std::is_const_v<Self>) self.make_room();
        Progress::transfer(self.progress_, archive);
        Gateways::transfer(self.gateways_, archive);
        archive.value(self.attachment_);
        archive.value(self.trading_day_);
    }

    [[nodiscard]] const Engine& engine() const { return engine_; }
    [[nodiscard]] const Progress& progress() const { return progress_; }
    [[nodiscard]] TradingDay trading_day() const { return trading_day_; }
    /// State of one gateway.
    template <class State>
    [[nodiscard]] State& gateway() {
        return gateways_.template get<State>();
    }
    template <class State>
    [[nodiscard]] const State& gateway() const {
        return gateways_.template get<State>();
    }
    /// See GatewayStates.
    [[nodiscard]] bool is_anonymous(OrderId id) const { return gateways_.is_anonymous(id); }
    template <class Settings>
    void configure(const Settings& settings) {
        gateways_.configure(settings);
    }
    [[nodiscard]] Observer& observer() { return observer_; }
    [[nodiscard]] const Observer& observer() const { return observer_; }
    [[nodiscard]] std::uint64_t checkpoints() const { return checkpoints_; }
    /// The first checkpoint with a different hash.
    [[nodiscard]] const std::optional<Divergence>& divergence() const { return divergence_; }

  private:
    static constexpr std::size_t k_batch = 64;

    [[nodiscard]] CommandStamp stamp_of(std::size_t command) const {
        return {{heads_[command]->sequence}, commands_[command].timestamp};
    }
    void on_command(std::size_t command) {
        if constexpr (requires { observer_.on_command(commands_[command], CommandStamp{}); })
            observer_.on_command(commands_[command], stamp_of(command));
    }
    /// What is for observers, and which the engine ignores.
    void note_for_observers(const Record& record) {
        const Command& command = record.command;
        if (command.kind == CommandKind::day_opened || command.kind == CommandKind::day_closed)
            trading_day_ = command.trading_day;
        else if (command.kind != CommandKind::breaker_levels)
            return;
        if constexpr (requires { observer_.on_command(command, CommandStamp{}); })
            observer_.on_command(command, {{record.head.sequence}, command.timestamp});
    }
    void on_event(const Event& event, std::size_t command) {
        const RecordHead& head = *heads_[command];
        const CommandStamp stamp = stamp_of(command);
        gateways_.follow(event,
                         {.command = commands_[command],
                          .origin = origin_of(head),
                          .stamp = stamp,
                          .attachment = attached_to(head)},
                         observer_);
        observer_.on_event(event, stamp);
        if (event.kind == EventKind::capacities_set) make_room();
    }

    /// Makes room for everything that the engine can hold.
    void make_room() {
        if (gateways_for_.has_room_of(engine_.config())) return;
        gateways_for_ = engine_.config();
        gateways_.enlarge(gateways_for_);
    }

    /// Text that a gateway attached to a command; valid until the next attachment.
    [[nodiscard]] std::string_view attached_to(const RecordHead& head) {
        if (!is_attached(attachment_.head, head)) return {};
        text_ = attachment_of(attachment_);
        return text_.view();
    }
    void flush() {
        const auto queued = std::span{commands_}.first(waiting_);
        std::size_t told = 0;
        engine_.apply_queued(queued, [this, &told](std::size_t i, const Slice& slice) {
            if (i == told) on_command(told++);
            for (const Event& event : slice) on_event(event, i);
            if (!slice.more) progress_.note_applied(commands_[i]);
        });
        waiting_ = 0;
    }
    void check(const Record& record) {
        ++checkpoints_;
        const std::uint64_t hash = engine_.state_hash();
        if (hash != checkpoint_hash(record) && !divergence_)
            divergence_ = {.sequence = record.head.sequence,
                           .recorded = checkpoint_hash(record),
                           .replayed = hash};
    }

    Observer observer_;
    Engine engine_;
    EngineConfig gateways_for_;  ///< at least the engine's capacities
    Progress progress_;
    Gateways gateways_;
    TradingDay trading_day_{};
    Record attachment_{};  ///< the latest one
    Attachment text_;
    // Commands that wait to be applied together. Their heads are only referenced, as no command
    // waits longer than the call that passed it.
    std::array<Command, k_batch> commands_{};
    std::array<const RecordHead*, k_batch> heads_{};
    std::size_t waiting_ = 0;
    std::uint64_t checkpoints_ = 0;
    std::optional<Divergence> divergence_;
};

}  // namespace damrak::journal
