// A journal of commands that an engine applied, as a sequencer would leave it, with segments so
// small that they rotate in a test; and the replica that follows it.
#pragma once

#include <memory>
#include <vector>

#include <damrak/journal/replica.hpp>
#include <damrak/standard_exchange/gateway_states.hpp>

#include "small_journal.hpp"
#include "support/command_stream.hpp"
#include "support/differential/engine_subject.hpp"
#include "support/recorded_engine.hpp"

namespace damrak::journal {

class SmallExchange {
  public:
    explicit SmallExchange(FileSystem& files = real_files())
        : files_(&files), config_(differential::config_of(stream_.settings())) {
        journal_config.directory = folder / "journal";
        journal_config.segment_bytes = 3 * k_page_bytes;
        const auto recovery = recover(files, journal_config.directory, {}, [](auto) {});
        auto opened = Journal::open(files, journal_config, *recovery, identity(), Timestamp{1});
        DAMRAK_ASSERT(opened.has_value());
        journal = std::move(*opened);
    }

    [[nodiscard]] JournalIdentity identity() const {
        return {.instance = {5, 6}, .engine = config_};
    }
    void trade(int commands) {
        for (int i = 0; i < commands; ++i) {
            Record record{};
            record.command = stream_.next();
            append(record);
            recorder_.events.clear();
            engine_->apply(record.command);
            stream_.observe(record.command, recorder_.events);
        }
    }
    void append(const Record& record) {
        while (!journal->writer().append(record)) work();
    }
    void checkpoint_now(std::uint64_t wrong_by = 0) {
        append(checkpoint(journal->writer().last_timestamp(), hash() + wrong_by));
    }
    void work() {
        now += journal_config.sync_interval_ns;
        journal->preallocator().do_work(now);
        journal->syncer().do_work(now);
        // The second turn also syncs the page of the next record.
        now += journal_config.sync_interval_ns;
        journal->syncer().do_work(now);
    }
    [[nodiscard]] std::uint64_t hash() const { return engine_->state_hash(); }
    [[nodiscard]] std::uint64_t appended() const { return journal->writer().appended_position(); }
    [[nodiscard]] JournalPositions positions() {
        return {.appended = [this] { return journal->writer().appended_position(); },
                .synced = [this] { return journal->writer().synced_position(); }};
    }
    [[nodiscard]] Replica<standard_exchange::ExchangeState<>> replica(
        standard_exchange::ExchangeState<>& state, ReplicaConfig config = {}) {
        config.directory = journal_config.directory;
        auto reader = JournalReader::open(*files_, config.directory, 1);
        DAMRAK_ASSERT(reader.has_value());
        return {*files_, config, identity(), std::move(*reader), state, positions()};
    }
    [[nodiscard]] std::vector<std::uint64_t> segments() const {
        std::vector<std::uint64_t> first;
        const auto contents = look_into(real_files(), journal_config.directory);
        for (const auto& segment : contents->segments)
            first.push_back(segment.header.first_sequence);
        return first;
    }
    [[nodiscard]] std::vector<std::uint64_t> snapshots() const {
        std::vector<std::uint64_t> sequences;
        const auto listed = list_snapshots(real_files(), journal_config.directory);
        for (const auto& snapshot : *listed) sequences.push_back(snapshot.sequence);
        return sequences;
    }

    damrak::testing::ScratchFolder folder;
    JournalConfig journal_config;
    std::unique_ptr<Journal> journal;
    std::int64_t now = 1;

  private:
    FileSystem* files_;
    CommandStream stream_{stream_profiles().front(), 3};
    EngineConfig config_;
    EventRecorder recorder_;
    std::unique_ptr<EngineInto<EventRecorder>> engine_ =
        std::make_unique<EngineInto<EventRecorder>>(config_, recorder_);
};

}  // namespace damrak::journal
