// The threads that follow the journal behind the exchange. One has its own state, writes the
// snapshots and removes files that are no longer needed. If the market has observers that cannot
// wait for a snapshot, another one with another state calls all observers. Anything that may lag a
// little belongs here, and costs the matching thread nothing.
//
// If nobody looks at what they follow, they leave the core to the exchange while it is busy: the
// records of a burst are applied after it, or once a snapshot is due.
//
// Observers only get events that are as safe as the durability promises.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <utility>

#include <damrak/base/nap.hpp>
#include <damrak/base/seqlock.hpp>
#include <damrak/engine/cross_shard.hpp>
#include <damrak/exchange/detail/burst_pace.hpp>
#include <damrak/exchange/detail/held_position.hpp>
#include <damrak/exchange/detail/market_observers.hpp>
#include <damrak/exchange/settings.hpp>
#include <damrak/feed/market_observer.hpp>
#include <damrak/journal/journal.hpp>
#include <damrak/journal/replica.hpp>

namespace damrak::exchange {

/// Used places of the pools, published to other threads.
struct Places {
    PoolPlaces places;
    std::uint32_t zero = 0;
};
using PublishedPlaces = Seqlock<Places>;

/// A thread that follows the journal with a state, as a replica.
class FollowerThread {
  public:
    /// Everything referred to must outlive it. `last_stamp_ns`, if given, gets the time stamp of
    /// the last record followed. Unless told to keep up, it waits while the exchange is busy.
    FollowerThread(FollowedState& state, journal::ReplicaConfig config,
                   const journal::Journal& journal, journal::JournalReader reader,
                   journal::JournalPositions positions, OnNotice on_notice,
                   const std::atomic<bool>* keeps_up, std::atomic<std::int64_t>* last_stamp_ns,
                   std::uint64_t snapshot = 0, PublishedPlaces* used = nullptr);

    /// There are new records. Any thread; costs a system call if the thread has slept for long,
    /// else a load.
    void wake() { nap_.call(); }
    /// Ends the thread. The caller does the remaining work, see replica().
    void stop();
    [[nodiscard]] journal::Replica<FollowedState>& replica() { return replica_; }
    void tell_trouble();

  private:
    void run(const std::stop_token& stop);
    [[nodiscard]] bool waits(std::int64_t now_ns);
    void set_pace();

    FollowedState* state_;
    Notices notices_;
    journal::Replica<FollowedState> replica_;
    const std::atomic<bool>* keeps_up_;
    detail::BurstPace pace_;
    bool hurries_ = false;
    PublishedPlaces* used_;
    std::string reported_;
    std::atomic<std::int64_t>* last_stamp_ns_;
    Nap nap_;
    std::jthread thread_;
};

class Follower {
  public:
    explicit Follower(const EngineConfig& engine) : engine_(engine), state_(engine) {}

    /// The recovered state, before start(): to load it, and for observers to begin with.
    [[nodiscard]] FollowedState& state() { return state_; }
    [[nodiscard]] const FollowedState& state() const { return state_; }
    /// Call it before the journal is replayed. The observer must live until stop().
    void add(feed::MarketObserver& observer) {
        state_.observer().add(observer);
        has_market_ = true;
        keep_up();
    }
    /// The same for an observer that can wait for a snapshot: without others it gets no thread of
    /// its own, and its events may wait for a pause of the exchange, see keep_up().
    void add_patient(feed::MarketObserver& observer) { state_.observer().add(observer); }
    /// From now on patient observers get events as soon as others, except during a snapshot. Any
    /// thread.
    void keep_up() { keeps_up_.store(true); }

    /// The journal keeps all records after this one, from any thread, as long as it says so. Before
    /// start(); what it refers to must live until stop().
    void hold_records(std::function<std::uint64_t()> after) { held_ = std::move(after); }

    /// A restart replays the records after this one, from any thread, so a snapshot that is not
    /// later stays. Before start(); what it refers to must live until stop().
    void replay_after(std::function<std::uint64_t()> reported) { reported_ = std::move(reported); }

    /// From now on market observers get an event at least this long after it is durable. Any
    /// thread.
    void delay_market(std::int64_t delay_ns) { market_delay_ns_.store(delay_ns); }

    /// Something was appended: market observers get it soon.
    void wake() {
        if (FollowerThread* const one = market_ ? market_.get() : snapshots_.get(); one != nullptr)
            one->wake();
    }
    /// Time stamp of the last record followed, from start() on. Any thread, until stop().
    [[nodiscard]] Timestamp last_stamp() const { return {last_stamp_ns_.load()}; }

    /// Follows the records after `after`, the position of the state. `snapshot` is the newest
    /// snapshot.
    [[nodiscard]] journal::Result<void> start(journal::Journal& journal, const Settings& settings,
                                              std::uint64_t after, std::uint64_t snapshot);
    /// Recently used places of the pools. Any thread.
    [[nodiscard]] PoolPlaces used() const { return used_.load().places; }
    /// Call it after the last append and sync: catches up and writes a final snapshot.
    void stop();

  private:
    [[nodiscard]] FollowedState& state_of_snapshots();

    EngineConfig engine_;
    std::atomic<std::int64_t> last_stamp_ns_{INT64_MIN};
    FollowedState state_;
    std::atomic<std::int64_t> market_delay_ns_{0};
    bool has_market_ = false;  ///< observers that cannot wait for a snapshot
    std::atomic<bool> keeps_up_{false};
    std::function<std::uint64_t()> held_ = [] { return UINT64_MAX; };
    std::function<std::uint64_t()> reported_ = [] { return UINT64_MAX; };
    std::unique_ptr<FollowedState> copy_;  ///< for snapshots, if there are observers
    PublishedPlaces used_;
    std::unique_ptr<FollowerThread> market_;
    std::unique_ptr<FollowerThread> snapshots_;
};

}  // namespace damrak::exchange
