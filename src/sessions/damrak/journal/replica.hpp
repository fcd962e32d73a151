// A second copy of the state that follows the journal behind the exchange and writes the snapshots,
// so that trading never waits for them. An agent on its own thread, or stepped by a test. Consumers
// that may lag a little behind the exchange (market data, records, statistics) are observers of its
// state, see exchange_state.hpp. Consumers that must not wait while a snapshot is written have a
// replica of their own, which writes none.
//
// It applies a record as soon as it is appended. A snapshot gets its name only once the journal is
// on disk up to its position, so it is never ahead of the journal after a power loss.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include <damrak/journal/reader.hpp>
#include <damrak/journal/retention.hpp>
#include <damrak/journal/snapshot.hpp>

namespace damrak::journal {

/// Which journal a replica follows, and when it writes snapshots.
struct ReplicaConfig {
    std::filesystem::path directory{};
    /// Records between snapshots; zero: on request only.
    std::uint64_t snapshot_every = 5'000'000;
    Retention retention{};
};

/// Positions of the journal. All are called on the replica's thread.
struct JournalPositions {
    std::function<std::uint64_t()> appended;
    std::function<std::uint64_t()> synced;
    /// The last record that all other followers are done with, if there are any.
    std::function<std::uint64_t()> read{};
    /// The last record after which other followers resume at a restart, if there are any.
    std::function<std::uint64_t()> resumed{};
};

/// See snapshot.hpp for the requirements of State; it also needs `apply(std::span<const Record>)`.
template <class State>
class Replica {
  public:
    /// `state` is the state after record `reader.position() - 1`; `snapshot` the newest existing
    /// one.
    Replica(FileSystem& files, ReplicaConfig config, const JournalIdentity& identity,
            JournalReader reader, State& state, JournalPositions positions,
            std::uint64_t snapshot = 0)
        : files_(&files),
          config_(std::move(config)),
          identity_(identity),
          reader_(std::move(reader)),
          state_(&state),
          positions_(std::move(positions)),
          snapshot_position_(snapshot) {}

    void on_start() {}
    /// `follows`: whether to apply what was appended; else only a written snapshot is published.
    std::size_t do_work(std::int64_t now_ns, bool follows = true) {
        if (failed_.load(std::memory_order_relaxed)) return 0;
        std::size_t work = follows ? follow() : 0;
        took_its_fill_ = work >= k_records_a_turn;
        if (written_) return work + publish(now_ns);
        const std::uint64_t done = position();
        const bool asked = requested_.exchange(false);
        const bool due =
            config_.snapshot_every != 0 && done - snapshot_position_ >= config_.snapshot_every;
        if ((!asked && !due) || done == snapshot_position_) return work;
        write();
        return work + 1 + publish(now_ns);
    }
    void on_close() {}
    /// Whether the last turn ended before the last appended record. Only the stepping thread may
    /// call it.
    [[nodiscard]] bool is_behind() const { return took_its_fill_; }
    /// Time of the last applied record. Only the stepping thread may call it.
    [[nodiscard]] Timestamp last_timestamp() const { return reader_.last_timestamp(); }
    /// Number of records that the state is behind the journal. Only the stepping thread may call
    /// it.
    [[nodiscard]] std::uint64_t lag() const { return positions_.appended() - position(); }
    /// Whether a snapshot is due once it has caught up. Only the stepping thread may call it.
    [[nodiscard]] bool is_due() const {
        return config_.snapshot_every != 0 &&
               positions_.appended() - snapshot_position_ >= config_.snapshot_every;
    }

    /// Applies all appended records.
    void catch_up() {
        while (!failed_.load() && follow() > 0) continue;
    }
    /// Call at the end, when all records are appended and on disk: catches up, and writes a final
    /// snapshot.
    void finish(std::int64_t now_ns) {
        catch_up();
        if (failed_.load()) return;
        if (written_) static_cast<void>(publish(now_ns));
        if (position() == snapshot_position_) return;
        write();
        static_cast<void>(publish(now_ns));
    }

    // From any thread:

    /// Requests a snapshot of the current durable state.
    void request_snapshot() { requested_.store(true); }
    /// The last record applied to the state.
    [[nodiscard]] std::uint64_t position() const { return position_.load(); }
    [[nodiscard]] std::uint64_t snapshots() const { return snapshots_.load(); }
    /// It stopped because it cannot read the journal; see trouble().
    [[nodiscard]] bool failed() const { return failed_.load(); }
    /// The latest error; empty if none. A snapshot that could not be written is tried again when
    /// the next is due.
    [[nodiscard]] std::string trouble() const {
        const std::scoped_lock lock{mutex_};
        return trouble_;
    }

  private:
    // Few enough that observers soon see the end of a batch, and that the runner can let other
    // threads run in between.
    static constexpr std::uint64_t k_records_a_turn = 512;

    std::size_t follow() {
        std::size_t applied = 0;
        const std::uint64_t appended = positions_.appended();
        while (applied < k_records_a_turn && reader_.position() <= appended) {
            const auto records = reader_.next(
                std::min<std::uint64_t>(JournalReader::k_batch, appended - reader_.position() + 1));
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
        if (applied > 0) state_->end_batch(reader_.position() > appended);
        return applied;
    }

    // Writes the current state; the journal may not be synced that far yet.
    void write() {
        snapshot_position_ = position();
        written_.emplace(*files_, config_.directory,
                         SnapshotInfo{.sequence = snapshot_position_,
                                      .timestamp = reader_.last_timestamp(),
                                      .state_hash = state_->state_hash(),
                                      .layout = State::state_layout(),
                                      .instance = identity_.instance});
        SaveArchive archive{*written_};
        State::transfer(std::as_const(*state_), archive);
        written_->finish();
    }

    std::size_t publish(std::int64_t now_ns) {
        if (positions_.synced() < written_->sequence()) return 0;
        const auto published = written_->publish();
        written_.reset();
        if (!published) {
            tell(published.error());
            return 1;
        }
        snapshots_.fetch_add(1);
        RecordsInUse in_use;
        if (positions_.read) in_use.read = positions_.read();
        if (positions_.resumed) in_use.resumed = positions_.resumed();
        const auto removed = apply_retention(*files_, config_.directory, config_.retention,
                                             Timestamp{now_ns}, in_use);
        if (!removed) tell(removed.error());
        return 1;
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
    JournalPositions positions_;
    bool took_its_fill_ = false;
    std::uint64_t snapshot_position_;      ///< of the last snapshot written or tried
    std::optional<SnapshotSink> written_;  ///< until the journal is on disk up to it
    std::atomic<std::uint64_t> position_{reader_.position() - 1};
    std::atomic<std::uint64_t> snapshots_{0};
    std::atomic<bool> requested_{false};
    std::atomic<bool> failed_{false};
    mutable std::mutex mutex_;
    std::string trouble_;
};

}  // namespace damrak::journal
