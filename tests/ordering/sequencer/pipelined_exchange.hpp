// The pipelined wiring on a real journal, with a listener that stores all events, and a replay of
// the resulting journal by one engine. For tests of the wiring.
#pragma once

#include <algorithm>
#include <filesystem>
#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include <damrak/base/runner.hpp>
#include <damrak/journal/journal.hpp>
#include <damrak/sequencer/pipelined_sequencer.hpp>
#include <damrak/standard_exchange/gateway_states.hpp>

#include "support/recorded_engine.hpp"

namespace damrak::sequencer {

struct Told {
    Event event;
    Origin origin;
    std::uint64_t sequence;
    Timestamp timestamp;
    friend bool operator==(const Told&, const Told&) = default;
};

struct Hearing {
    std::vector<Told> events;
    std::vector<Origin> ends;
    void on_event(const Event& event, const Origin& origin, const CommandStamp& stamp) {
        events.push_back({event, origin, stamp.sequence.value, stamp.timestamp});
    }
    void on_command_end(const Origin& origin) { ends.push_back(origin); }
};

/// Applies a journal to one engine.
struct Replayed {
    std::vector<Told> events;
    std::uint64_t state_hash = 0;
    std::uint64_t records = 0;
    std::uint64_t wrong_checkpoints = 0;
};

inline Replayed replay_in_one_engine(const std::filesystem::path& folder,
                                     const EngineConfig& config,
                                     journal::FileSystem& files = journal::real_files()) {
    Replayed result;
    EventRecorder recorder;
    const auto engine = std::make_unique<EngineInto<EventRecorder>>(config, recorder);
    const auto read =
        journal::recover(files, folder, {.cut = false}, [&](std::span<const journal::Record> some) {
            for (const journal::Record& record : some) {
                ++result.records;
                if (record.head.kind == journal::k_checkpoint_kind)
                    result.wrong_checkpoints +=
                        journal::checkpoint_hash(record) == engine->state_hash() ? 0U : 1U;
                if (!journal::is_engine_kind(record.head.kind)) continue;
                recorder.events.clear();
                engine->apply(record.command);
                for (const Event& event : recorder.events)
                    result.events.push_back({event,
                                             {.session = {record.head.session},
                                              .inbound_sequence = record.head.inbound_sequence,
                                              .tag = {record.head.tag}},
                                             record.head.sequence,
                                             record.command.timestamp});
            }
        });
    EXPECT_TRUE(read) << read.error();
    result.state_hash = engine->state_hash();
    return result;
}

class PipelinedTestExchange {
  public:
    PipelinedTestExchange(const journal::JournalConfig& journal, const EngineConfig& engine,
                          PipelineConfig config, Timestamp now,
                          journal::FileSystem& files = journal::real_files())
        : sequencer_(engine, std::move(config), heard_) {
        standard_exchange::ExchangeState<> state{engine};
        auto recovery = journal::recover(files, journal.directory, {},
                                         [&](auto records) { state.apply(records); });
        EXPECT_TRUE(recovery) << recovery.error();
        auto opened = journal::Journal::open(files, journal, *recovery,
                                             {.instance = {1, 2}, .engine = engine}, now);
        EXPECT_TRUE(opened) << opened.error();
        journal_ = std::move(*opened);
        if (recovery->last_sequence > 0) sequencer_.take_over(state);
        taken_over_hash_ = sequencer_.state_hash();
        sequencer_.start(journal_->writer(), now);
    }

    [[nodiscard]] PipelinedSequencer<Hearing>& sequencer() { return sequencer_; }
    [[nodiscard]] journal::Journal& journal() { return *journal_; }
    [[nodiscard]] const Hearing& heard() const { return heard_; }
    [[nodiscard]] std::uint64_t taken_over_hash() const { return taken_over_hash_; }
    void forget_heard() { heard_ = {}; }

  private:
    Hearing heard_;
    std::unique_ptr<journal::Journal> journal_;
    PipelinedSequencer<Hearing> sequencer_;
    std::uint64_t taken_over_hash_ = 0;
};

}  // namespace damrak::sequencer
