// A second copy of the state that follows the journal behind the exchange, and writes the
// snapshots, so that nothing ever waits for one. An agent on a thread of its own, or stepped by a
// test.
//
// It applies a record only once it is on the disk: a snapshot is never ahead of what a power loss
// leaves of the journal.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <mutex>
#include <string>
#include <utility>

#include <damrak/journal/reader.hpp>
#include <damrak/journal/retention.hpp>
#include <damrak/journal/snapshot.hpp>

namespace damrak::journal {

struct ReplicaConfig {
    std::filesystem::path directory{};
    /// A snapshot after so many records; zero: on request only.
    std::uint64_t snapshot_every = 5'000'000;
    Retention retention{};
};

/// See snapshot.hpp for what State needs, and `apply(std::span<const Record>)`.
template <class State>
class Replica {
  public:
    /// `state` is that after record `reader.position() - 1`. `synced()` is how far the journal is
    /// on the disk, and called on the replica's thread.
    Replica(FileSystem& files, ReplicaConfig config, const JournalIdentity& identity,
            JournalReader reader, State& state, std::function<std::uint64_t()> synced)
        : files_(&files),
          config_(std::move(config)),
          identity_(identity),
          reader_(std::move(reader)),
          state_(&state),
          synced_(std::move(synced)),
          snapshot_position_(reader_.position() - 1) {}

    void on_start() {}
    std::size_t do_work(std::int64_t now_ns) {
        if (failed_.load(std::memory_order_relaxed)) return 0;
        std::size_t work = follow(k_records_a_turn);
        const std::uint64_t done = position();
        const bool asked = requested_.exchange(false);
        const bool due =
            config_.snapshot_every != 0 && done - snapshot_position_ >= config_.snapshot_every;
        if (!asked && !due) return work;
        if (done != snapshot_position_) snapshot(now_ns);
        return work + 1;
    }
    void on_close() {}

    /// At the end, when nothing is appended any more and all is on the disk: catches up, and writes
    /// a snapshot of the end.
    void finish(std::int64_t now_ns) {
        while (!failed_.load() && follow(k_records_a_turn) > 0) {
        }
        if (!failed_.load() && position() != snapshot_position_) snapshot(now_ns);
    }

    // From any thread:

    /// A snapshot of what is on the disk, soon.
    void request_snapshot() { requested_.store(true); }
    /// The last record that is in the state.
    [[nodiscard]] std::uint64_t position() const { return position_.load(); }
    [[nodiscard]] std::uint64_t snapshots() const { return snapshots_.load(); }
    /// It met a journal that it cannot read, and has stopped; see trouble().
    [[nodiscard]] bool failed() const { return failed_.load(); }
    /// The last thing that went wrong; empty if nothing did. A snapshot that could not be written
    /// is tried again when the next is due.
    [[nodiscard]] std::string trouble() const {
        const std::scoped_lock lock{mutex_};
        return trouble_;
    }

  private:
    static constexpr std::uint64_t k_records_a_turn = 65'536;

    std::size_t follow(std::uint64_t most) {
        std::size_t applied = 0;
        const std::uint64_t synced = synced_();
        while (applied < most && reader_.position() <= synced) {
            const auto records = reader_.next(
                std::min<std::uint64_t>(JournalReader::k_batch, synced - reader_.position() + 1));
            if (records.empty()) {
                if (reader_.stop() == JournalReader::Stop::end) break;
                tell(reader_.trouble());
                failed_.store(true);
                break;
            }
            state_->apply(records);
            applied += records.size();
        }
        position_.store(reader_.position() - 1);
        return applied;
    }

    void snapshot(std::int64_t now_ns) {
        snapshot_position_ = position();
        const auto written = write_snapshot(*files_, config_.directory,
                                            {.sequence = snapshot_position_,
                                             .timestamp = reader_.last_timestamp(),
                                             .state_hash = state_->state_hash(),
                                             .layout = State::state_layout(),
                                             .instance = identity_.instance},
                                            *state_);
        if (!written) {
            tell(written.error());
            return;
        }
        snapshots_.fetch_add(1);
        const auto removed =
            apply_retention(*files_, config_.directory, config_.retention, Timestamp{now_ns});
        if (!removed) tell(removed.error());
    }

    void tell(std::string what) {
        const std::scoped_lock lock{mutex_};
        trouble_ = std::move(what);
    }

    FileSystem* files_;
    ReplicaConfig config_;
    JournalIdentity identity_;
    JournalReader reader_;
    State* state_;
    std::function<std::uint64_t()> synced_;
    std::uint64_t snapshot_position_;
    std::atomic<std::uint64_t> position_{reader_.position() - 1};
    std::atomic<std::uint64_t> snapshots_{0};
    std::atomic<bool> requested_{false};
    std::atomic<bool> failed_{false};
    mutable std::mutex mutex_;
    std::string trouble_;
};

}  // namespace damrak::journal
