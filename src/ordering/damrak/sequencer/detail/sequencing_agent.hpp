// The sequencer of the pipelined wiring: gives each command its sequence number and time, journals
// it, and passes it to the shard of its instrument. It applies commands that no shard can apply
// alone itself, once all shards are idle. Owns sessions and the state shared between shards.
//
// If a ring is full, the journal waits for a segment, or it must wait for shards to finish, it
// stops and retries in the next step: nothing is lost or reordered.
//
// A command costs its journal record and a copy of it.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <damrak/base/runner.hpp>
#include <damrak/journal/progress.hpp>
#include <damrak/journal/writer.hpp>
#include <damrak/sequencer/market_clock.hpp>
#include <damrak/sequencer/pipeline_rings.hpp>

namespace damrak::sequencer {

class SequencingAgent {
  public:
    SequencingAgent(Partition& partition, PipelineRings& rings)
        : partition_(&partition), rings_(&rings) {}

    /// Stamps commands with this clock instead of the system's. Call before begin(); the clock must
    /// outlive the agent.
    void use(const MarketClock& clock) { clock_ = &clock; }
    /// The threads of the shards, in their order, which it then calls when they get commands; none
    /// if the caller steps them. Call while nobody steps it; they must outlive the steps.
    void call_shards(std::span<Runner* const> runners);
    /// From now on `writer` journals commands; `progress` is that of its records. Call before the
    /// first step.
    void begin(journal::JournalWriter& writer, const journal::Progress& progress);

    void on_start() {}
    std::size_t do_work(std::int64_t now_ns);
    void on_close() {}
    /// The gateways announce commands; nobody announces room, a segment of the journal, or that the
    /// shards are idle.
    [[nodiscard]] std::int64_t next_step_ns(std::int64_t now_ns) const;

    /// From any thread: the journal accepts nothing more (JournalWriter::refusal() says why).
    [[nodiscard]] bool stopped() const { return stopped_.load(std::memory_order_acquire); }
    /// Call while nobody steps it: whether every journaled command is applied completely.
    [[nodiscard]] bool has_applied_all() const { return !more_follows_ && is_idle(); }
    /// Call while nobody steps it.
    [[nodiscard]] const journal::Progress& progress() const { return progress_; }

  private:
    static constexpr std::uint64_t k_checkpoint_interval = std::uint64_t{1} << 20U;
    static constexpr std::size_t k_commands_a_step = 1'024;

    [[nodiscard]] bool take_next(Timestamp now);
    [[nodiscard]] bool take_from(RecordRing& ring);
    [[nodiscard]] bool place_next(Timestamp now);
    [[nodiscard]] bool place();
    [[nodiscard]] bool keep_checkpoint();
    [[nodiscard]] bool keep_attachment();
    [[nodiscard]] bool place_session(Notice& notice, journal::Record& record);
    [[nodiscard]] bool send(std::size_t shard, Notice& notice, journal::Record& record);
    [[nodiscard]] bool apply_alone(Notice& notice, journal::Record& record);
    [[nodiscard]] bool has_room_for_slice();
    void end_slice(const Slice& slice);
    [[nodiscard]] EventRing& own_events() { return *rings_->events.back(); }
    [[nodiscard]] journal::Record* claim();
    void stamp(journal::Record& record, Notice& notice, std::uint32_t source);
    [[nodiscard]] bool is_own_tick() const;
    [[nodiscard]] bool is_due();
    [[nodiscard]] bool is_idle() const;
    void announce();

    /// A thread that matches, and how many commands it was called for.
    struct Shard {
        Runner* runner;
        const RecordRing* commands;
        std::uint64_t announced;
    };

    Partition* partition_;
    PipelineRings* rings_;
    std::vector<Shard> shards_;
    journal::JournalWriter* writer_ = nullptr;
    const MarketClock* clock_ = nullptr;
    journal::Progress progress_;
    std::uint64_t next_checkpoint_ = k_checkpoint_interval;
    /// No order expires before this time; exact only after reading the state of all shards.
    Timestamp no_expiry_before_{};
    /// The next command, not in the journal yet.
    std::optional<journal::Record> current_;
    /// Attachment to write before the current command, or before the gateway's next one.
    std::optional<journal::Record> attachment_;
    bool more_follows_ = false;  ///< of the command that is applied here
    std::atomic<bool> stopped_{false};
};

}  // namespace damrak::sequencer
