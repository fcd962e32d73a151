// The sequencer of the pipelined wiring: gives each command its place and its time, keeps it in the
// journal, and hands it to the shard that has its instrument. What no shard can do alone it does
// itself, once no shard has anything to do. Owns sessions and what is shared between shards.
//
// Where a ring is full, the journal waits for a segment, or shards are still at work that must have
// ended, it goes no further and tries again when it is stepped again: nothing is lost and nothing
// overtakes.
//
// A command costs its journal record and a copy of it.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>

#include <damrak/journal/progress.hpp>
#include <damrak/journal/writer.hpp>
#include <damrak/sequencer/market_clock.hpp>
#include <damrak/sequencer/pipeline_rings.hpp>

namespace damrak::sequencer {

class SequencingAgent {
  public:
    SequencingAgent(Partition& partition, PipelineRings& rings)
        : partition_(&partition), rings_(&rings) {}

    /// From here on `writer` journals commands; `progress` is that of its records. Call before the
    /// first step.
    /// Whose time it goes by, instead of the system's; before begin(). It must outlive this.
    void use(const MarketClock& clock) { clock_ = &clock; }
    void begin(journal::JournalWriter& writer, const journal::Progress& progress);

    void on_start() {}
    std::size_t do_work(std::int64_t now_ns);
    void on_close() {}

    /// From any thread: the journal takes nothing any more (JournalWriter::refusal() says why).
    [[nodiscard]] bool stopped() const { return stopped_.load(std::memory_order_acquire); }
    /// While nobody steps it: every command that the journal has is applied to its end.
    [[nodiscard]] bool has_applied_all() const { return !more_follows_ && is_idle(); }
    /// While nobody steps it.
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

    Partition* partition_;
    PipelineRings* rings_;
    journal::JournalWriter* writer_ = nullptr;
    const MarketClock* clock_ = nullptr;
    journal::Progress progress_;
    std::uint64_t next_checkpoint_ = k_checkpoint_interval;
    /// No order expires before; known for certain only by a look at all shards.
    Timestamp no_expiry_before_{};
    /// The command that is next, not in the journal yet.
    std::optional<journal::Record> current_;
    /// Attachment to write before the current command, or before the gateway's next one.
    std::optional<journal::Record> attachment_;
    bool more_follows_ = false;  ///< of the command that is applied here
    std::atomic<bool> stopped_{false};
};

}  // namespace damrak::sequencer
