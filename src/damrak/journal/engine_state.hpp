// The state that follows from a journal's engine commands: an engine that is told nothing but
// records. What verification, replay and the replica of a bare engine run. One thread; a record
// costs a copy of its command and the engine's work.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>

#include <damrak/domain/event.hpp>
#include <damrak/engine/engine.hpp>
#include <damrak/journal/record.hpp>

namespace damrak::journal {

/// A checkpoint of the journal with another hash than the replayed state has.
struct Divergence {
    std::uint64_t sequence = 0;
    std::uint64_t recorded = 0;
    std::uint64_t replayed = 0;
};

struct EventCounter {
    std::uint64_t events = 0;
    std::uint64_t trades = 0;
    std::uint64_t rejects = 0;
    void on_event(const Event& event) {
        ++events;
        trades += event.kind == EventKind::executed && !has_flag(event, EventFlags::k_aggressor);
        rejects += event.kind == EventKind::rejected;
    }
};

class EngineState {
  public:
    explicit EngineState(const EngineConfig& config) : engine_{config, counter_} {}
    EngineState(const EngineState&) = delete;
    EngineState& operator=(const EngineState&) = delete;

    /// In order, without gaps, any number at a time.
    void apply(std::span<const Record> records) {
        for (const Record& record : records) {
            if (is_engine_kind(record.head.kind)) [[likely]] {
                commands_[waiting_++] = record.command;
                if (waiting_ == commands_.size()) flush();
            } else if (record.head.kind == k_checkpoint_kind) {
                flush();
                check(record);
            }
        }
        flush();
    }

    [[nodiscard]] std::uint64_t state_hash() const { return engine_.state_hash(); }
    [[nodiscard]] static constexpr std::uint32_t state_layout() {
        return Engine<EventCounter>::state_layout();
    }
    template <class Self, class Archive>
    static void transfer(Self& self, Archive& archive) {
        Engine<EventCounter>::transfer(self.engine_, archive);
    }

    [[nodiscard]] std::uint64_t commands() const { return applied_; }
    [[nodiscard]] std::uint64_t checkpoints() const { return checkpoints_; }
    /// The first checkpoint that did not agree.
    [[nodiscard]] const std::optional<Divergence>& divergence() const { return divergence_; }
    [[nodiscard]] const EventCounter& events() const { return counter_; }
    [[nodiscard]] const Engine<EventCounter>& engine() const { return engine_; }

  private:
    void flush() {
        engine_.apply(std::span{commands_}.first(waiting_), [](std::size_t, bool) {});
        applied_ += waiting_;
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

    EventCounter counter_;
    Engine<EventCounter> engine_;
    std::array<Command, 64> commands_{};
    std::size_t waiting_ = 0;
    std::uint64_t applied_ = 0;
    std::uint64_t checkpoints_ = 0;
    std::optional<Divergence> divergence_;
};

}  // namespace damrak::journal
