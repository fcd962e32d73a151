#include <damrak/exchange/detail/follower.hpp>

#include <algorithm>
#include <chrono>
#include <stop_token>
#include <utility>

#include <damrak/base/assert.hpp>
#include <damrak/base/helper_pacing.hpp>
#include <damrak/base/serialize.hpp>
#include <damrak/exchange/system_time.hpp>

namespace damrak::exchange {

FollowerThread::FollowerThread(FollowedState& state, journal::ReplicaConfig config,
                               const journal::Journal& journal, journal::JournalReader reader,
                               journal::JournalPositions positions, OnNotice on_notice,
                               const std::atomic<bool>* keeps_up,
                               std::atomic<std::int64_t>* last_stamp_ns, std::uint64_t snapshot,
                               PublishedPlaces* used)
    : state_(&state),
      notices_(std::move(on_notice)),
      replica_(journal::real_files(), std::move(config), journal.identity(), std::move(reader),
               state, std::move(positions), snapshot),
      keeps_up_(keeps_up),
      used_(used),
      last_stamp_ns_(last_stamp_ns),
      thread_([this](const std::stop_token& stop) { run(stop); }) {}

void FollowerThread::run(const std::stop_token& stop) {
    using namespace std::chrono_literals;
    set_helper_share(k_quarter);
    // Observers of the market want events at once. Snapshots can wait, and each wake-up takes the
    // core from others for a moment. After a long quiet time the thread sleeps until it is woken.
    constexpr int k_looks = 100;
    int idle_looks = 0;
    while (!stop.stop_requested()) {
        const std::int64_t now_ns = unset_time().value;
        const bool watched = keeps_up_ != nullptr && keeps_up_->load();
        const auto pause = watched ? 1ms : 10ms;
        const auto longest = watched ? 25ms : 50ms;
        const std::size_t work = replica_.do_work(now_ns, watched || !waits(now_ns));
        if (last_stamp_ns_ != nullptr) last_stamp_ns_->store(replica_.last_timestamp().value);
        if (used_ != nullptr) used_->store({.places = state_->engine().used()});
        state_->observer().on_turn(now_ns);
        idle_looks = work > 0 ? 0 : idle_looks + 1;
        if (replica_.is_behind() || (watched && work > 0)) {
            set_pace();
            pause_helper();
            continue;
        }
        tell_trouble();
        if (idle_looks < k_looks)
            sleep_helper(pause);
        else if (nap_.sleep(longest))
            idle_looks = 0;
    }
}

bool FollowerThread::waits(std::int64_t now_ns) {
    const std::uint64_t followed = replica_.position();
    return pace_.waits(now_ns, {.followed = followed,
                                .appended = followed + replica_.lag(),
                                .is_behind = replica_.is_behind(),
                                .is_snapshot_due = replica_.is_due()});
}

// The follower may lag: if cores are scarce, the exchange and its clients come first. But the lag
// must be bounded, or a restart would have ever more to replay. A third of a core keeps up with
// what the rest of the core can trade.
void FollowerThread::set_pace() {
    constexpr std::uint64_t k_far_behind = 2'000'000;
    const bool hurries = replica_.lag() > k_far_behind;
    if (hurries != hurries_) set_helper_share(hurries ? k_third : k_quarter);
    hurries_ = hurries;
}

// Reports each trouble once; the exchange continues.
void FollowerThread::tell_trouble() {
    const std::string trouble = replica_.trouble();
    if (trouble == reported_) return;
    notices_.say("note         behind the exchange: {}", trouble);
    reported_ = trouble;
}

void FollowerThread::stop() {
    thread_.request_stop();
    if (thread_.joinable()) thread_.join();
}

FollowedState& Follower::state_of_snapshots() {
    if (!has_market_) return state_;
    const auto bytes = saved_bytes(
        [this](auto& archive) { FollowedState::transfer(std::as_const(state_), archive); });
    copy_ = std::make_unique<FollowedState>(engine_);
    LoadArchive loaded{bytes};
    FollowedState::transfer(*copy_, loaded);
    DAMRAK_ASSERT(loaded.complete());
    return *copy_;
}

journal::Result<void> Follower::start(journal::Journal& journal, const Settings& settings,
                                      std::uint64_t after, std::uint64_t snapshot) {
    const journal::JournalWriter& writer = journal.writer();
    const auto synced = [&writer] { return writer.synced_position(); };
    // What observers of the market may see of the journal.
    const auto shown = [this, &writer, after](auto position) {
        return [this, &writer, position, held = HeldPosition{after}]() mutable {
            return held.pass((writer.*position)(), unset_time(), {market_delay_ns_.load()});
        };
    };
    const auto reader = [&] {
        return journal::JournalReader::open(journal::real_files(), settings.data, after + 1);
    };
    FollowedState& state = state_of_snapshots();
    state.configure(settings);
    if (copy_) {
        auto of_market = reader();
        if (!of_market) return std::unexpected{of_market.error()};
        market_ = std::make_unique<FollowerThread>(
            state_, journal::ReplicaConfig{.directory = settings.data, .snapshot_every = 0},
            journal, std::move(*of_market),
            journal::JournalPositions{.appended = shown(&journal::JournalWriter::durable_position),
                                      .synced = synced},
            settings.on_notice, &keeps_up_, &last_stamp_ns_, 0, &used_);
    }
    journal::JournalPositions positions{.appended = {}, .synced = synced};
    if (market_)
        positions.appended = [&writer] { return writer.appended_position(); };
    else
        positions.appended = shown(&journal::JournalWriter::appended_position);
    positions.read = [this] {
        return market_ ? std::min(market_->replica().position(), held_()) : held_();
    };
    positions.resumed = [this] { return std::min(state_.observer().kept(), reported_()); };
    auto of_snapshots = reader();
    if (!of_snapshots) return std::unexpected{of_snapshots.error()};
    snapshots_ = std::make_unique<FollowerThread>(
        state,
        journal::ReplicaConfig{.directory = settings.data,
                               .snapshot_every = settings.snapshot_every,
                               .retention = settings.retention()},
        journal, std::move(*of_snapshots), std::move(positions), settings.on_notice,
        market_ ? nullptr : &keeps_up_, market_ ? nullptr : &last_stamp_ns_, snapshot,
        market_ ? nullptr : &used_);
    return {};
}

void Follower::stop() {
    if (!snapshots_) return;
    const std::int64_t now_ns = unset_time().value;
    delay_market(0);
    if (market_) {
        market_->stop();
        market_->replica().catch_up();
        state_.observer().on_turn(now_ns);
        market_->tell_trouble();
    }
    snapshots_->stop();
    snapshots_->replica().finish(now_ns);
    if (!market_) state_.observer().on_turn(now_ns);
    snapshots_->tell_trouble();
    snapshots_.reset();  // before the other follower, which it asks
}

}  // namespace damrak::exchange
