// What lives behind the exchange: a thread that follows the journal with a state of its own, writes
// the snapshots and removes what need not be kept; and, if the market has observers that cannot
// wait for a snapshot, another one with another state that tells all observers. Whatever may lag a
// little behind the exchange hangs here, and costs the matching thread nothing.
//
// Observers hear what is kept: no event is told that is less safe than the durability promises.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <thread>

#include <damrak/base/nap.hpp>
#include <damrak/base/seqlock.hpp>
#include <damrak/engine/cross_shard.hpp>
#include <damrak/exchange/market_observers.hpp>
#include <damrak/exchange/settings.hpp>
#include <damrak/feed/market_observer.hpp>
#include <damrak/journal/journal.hpp>
#include <damrak/journal/replica.hpp>

namespace damrak::exchange {

/// What of the pools is in use, shown to other threads.
struct Places {
    PoolPlaces places;
    std::uint32_t zero = 0;
};
using PublishedPlaces = Seqlock<Places>;

/// A thread that follows the journal with a state, and does what a replica does with it.
class FollowerThread {
  public:
    /// All that is referred to must outlive it. `last_stamp_ns`, if it is there, gets the stamp of
    /// the last record that it followed.
    FollowerThread(FollowedState& state, journal::ReplicaConfig config,
                   const journal::Journal& journal, journal::JournalReader reader,
                   journal::JournalPositions positions, OnNotice on_notice,
                   std::atomic<std::int64_t>* last_stamp_ns, std::uint64_t snapshot = 0,
                   PublishedPlaces* used = nullptr);

    /// There is something to follow. Any thread; costs a system call where it was asleep for long,
    /// and a load where it was not.
    void wake() { nap_.call(); }
    /// Ends the thread. What it has not done yet is for the caller, see replica().
    void stop();
    [[nodiscard]] journal::Replica<FollowedState>& replica() { return replica_; }
    void tell_trouble();

  private:
    void run(const std::stop_token& stop);
    void set_pace();

    FollowedState* state_;
    Notices notices_;
    journal::Replica<FollowedState> replica_;
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

    /// What was recovered, before start(): to load, and for observers to begin with.
    [[nodiscard]] FollowedState& state() { return state_; }
    [[nodiscard]] const FollowedState& state() const { return state_; }
    /// Before the journal is replayed; it must live until stop().
    void add(feed::MarketObserver& observer) {
        state_.observer().add(observer);
        has_market_ = true;
    }
    /// The same for one who can wait for a snapshot: where it is alone, it gets no thread of its
    /// own.
    void add_patient(feed::MarketObserver& observer) { state_.observer().add(observer); }

    /// Something was appended: market observers hear of it soon.
    void wake() {
        if (FollowerThread* const one = market_ ? market_.get() : snapshots_.get(); one != nullptr)
            one->wake();
    }
    /// Of the last record that was followed, from start() on. Any thread, until stop().
    [[nodiscard]] Timestamp last_stamp() const { return {last_stamp_ns_.load()}; }

    /// Follows behind record `after`, in which the state is; `snapshot` is the newest there is.
    [[nodiscard]] journal::Result<void> start(journal::Journal& journal, const Settings& settings,
                                              std::uint64_t after, std::uint64_t snapshot);
    /// Any thread's: what of the pools was in use a moment ago.
    [[nodiscard]] PoolPlaces used() const { return used_.load().places; }
    /// Once nothing is appended any more and all is on the disk: catches up, and writes a snapshot
    /// of the end.
    void stop();

  private:
    [[nodiscard]] FollowedState& state_of_snapshots();

    EngineConfig engine_;
    std::atomic<std::int64_t> last_stamp_ns_{INT64_MIN};
    FollowedState state_;
    bool has_market_ = false;              ///< observers who cannot wait for a snapshot
    std::unique_ptr<FollowedState> copy_;  ///< of the snapshots, where there are observers
    PublishedPlaces used_;
    std::unique_ptr<FollowerThread> market_;
    std::unique_ptr<FollowerThread> snapshots_;
};

}  // namespace damrak::exchange
