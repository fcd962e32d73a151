#include <damrak/feed/itch/itch_feed.hpp>

#include <algorithm>
#include <chrono>
#include <utility>

#include <fmt/format.h>

#include <damrak/base/system_time.hpp>

namespace damrak::feed {

namespace {

/// Bytes of messages that wait for a failing file. Beyond this the feed stops until the next start.
constexpr std::size_t k_most_waiting = std::size_t{256} << 20U;

}  // namespace

ItchFeed::ItchFeed(Config config, const EngineConfig& engine)
    : config_(std::move(config)), publisher_(engine, config_.itch) {}

ItchFeed::~ItchFeed() {
    syncer_.request_stop();
    nap_.call();
    if (syncer_.joinable()) syncer_.join();
    if (session_ != nullptr) sync(*session_);
}

std::expected<std::unique_ptr<ItchFeed>, std::string> ItchFeed::open(Config config,
                                                                     const EngineConfig& engine) {
    std::unique_ptr<ItchFeed> feed{new ItchFeed{std::move(config), engine}};
    if (const auto last = FeedSession::last_in(feed->config_.folder)) {
        auto session = FeedSession::open(feed->config_.folder, *last, 0);
        if (!session) return std::unexpected{std::move(session.error())};
        feed->written_ = (*session)->written().record;
        feed->set_session(*std::move(session));
    }
    feed->syncer_ =
        std::jthread{[raw = feed.get()](const std::stop_token& stop) { raw->sync_often(stop); }};
    return feed;
}

std::shared_ptr<const FeedSession> ItchFeed::session() const {
    const std::lock_guard lock{shared_mutex_};
    return shared_session_;
}

std::shared_ptr<const FeedSnapshot> ItchFeed::snapshot(std::uint64_t ticket) const {
    const std::lock_guard lock{shared_mutex_};
    return shared_ticket_ < ticket ? nullptr : shared_snapshot_;
}

void ItchFeed::set_session(std::shared_ptr<FeedSession> session) {
    session_ = session;
    const std::lock_guard lock{shared_mutex_};
    shared_session_ = std::move(session);
}

std::optional<std::uint64_t> ItchFeed::kept() const {
    const std::lock_guard lock{shared_mutex_};
    return shared_session_ == nullptr ? k_any : shared_session_->kept();
}

std::expected<void, std::string> ItchFeed::begin(const Engine& engine, std::uint64_t position) {
    heard_ = position;
    if (session_ != nullptr && written_ < position) drop_session();
    const bool is_open = session_ != nullptr && !session_->ended();
    publisher_.load(engine, is_open, is_open ? session_->last_event() : 'C');
    return {};
}

std::expected<void, std::string> ItchFeed::go_live(std::uint64_t last) {
    if (failing_) return std::unexpected{failure_};
    if (session_ != nullptr && written_ > last) drop_session();
    if (session_ == nullptr) {
        wants_new_session_ = true;
        return {};
    }
    return session_->truncate();
}

void ItchFeed::drop_session() {
    session_->end();
    set_session(nullptr);
    written_ = 0;
    publisher_.forget_session();
}

void ItchFeed::on_command(const Command& command, const CommandStamp& stamp) {
    end_command();
    heard_ = stamp.sequence.value;
    time_ = stamp.timestamp;
    if (command.kind == CommandKind::day_opened)
        begin_session(command.trading_day, stamp);
    else if (command.kind == CommandKind::day_closed)
        end_session(stamp);
    else if (command.kind == CommandKind::breaker_levels)
        set_levels(command.breaker_levels, stamp);
    else
        on_engine_command(command, stamp);
}

// A day may be ended long after its hours.
void ItchFeed::on_engine_command(const Command& command, const CommandStamp& stamp) {
    if (command.kind != CommandKind::end_day) {
        publisher_.on_time(stamp, block_);
        if (heard_ <= written_) block_.clear();
    }
    publisher_.on_command(command);
}

void ItchFeed::on_other_record(std::uint64_t sequence) {
    end_command();
    heard_ = sequence;
}

void ItchFeed::end_command() {
    publisher_.end_command(block_);
    if (heard_ <= written_) block_.clear();
}

// Messages that the file already has are tracked but not published again.
void ItchFeed::begin_session(const TradingDay& day, const CommandStamp& stamp) {
    const FeedSessionId id{.date = day.date, .number = day.feed_session};
    // After a kill before the first sync of the session, its file exists and is open already.
    const bool is_open = session_ != nullptr && !session_->ended();
    if (heard_ > written_ && !(is_open && session_->id() == id)) {
        write(heard_ - 1);
        if (failing_) {
            lose();
        } else {
            if (is_open) {
                session_->end();
                sync(*session_);
            }
            wanted_ = Wanted{.id = id, .after = heard_ - 1};
            static_cast<void>(has_wanted());
        }
    }
    if (heard_ > written_) {
        written_ = heard_ - 1;
        wants_new_session_ = false;
    }
    publisher_.begin_session(stamp.timestamp, block_);
    if (heard_ <= written_) block_.clear();
}

bool ItchFeed::has_wanted() {
    if (!wanted_) return true;
    auto session = FeedSession::open(config_.folder, wanted_->id, wanted_->after);
    if (!session) {
        tell_failure(session.error());
        return false;
    }
    wanted_.reset();
    set_session(*std::move(session));
    return true;
}

// The next start publishes what is missing, from the journal. A later session would keep it from
// that.
void ItchFeed::lose() {
    if (!is_lost_ && config_.on_notice)
        config_.on_notice(
            fmt::format("{}; too much waits for it: start again when it works, and "
                        "the feed publishes what is missing",
                        failure_));
    is_lost_ = true;
    wanted_.reset();
    block_.clear();
}

void ItchFeed::tell_failure(const std::string& what) {
    failure_ = what;
    if (!failing_.exchange(true) && config_.on_notice)
        config_.on_notice(fmt::format("{}; no events are published until it works", what));
}

void ItchFeed::set_levels(const BreakerLevels& levels, const CommandStamp& stamp) {
    publisher_.set_levels(levels, stamp, block_);
    if (heard_ <= written_) block_.clear();
}

void ItchFeed::end_session(const CommandStamp& stamp) {
    publisher_.end_session(stamp.timestamp, block_);
    if (heard_ <= written_) return block_.clear();
    write(heard_);
    if (session_ != nullptr && !failing_) session_->end();
}

void ItchFeed::on_event(const Event& event, const CommandStamp& stamp) {
    publisher_.on_event(event, stamp, block_);
    if (heard_ <= written_) block_.clear();
}

void ItchFeed::on_batch_end(bool /*caught_up*/) {
    end_command();
    write(heard_);
}

// Several requests share a snapshot, and snapshots take at most a tenth of the thread's time, so
// clients cannot keep it busy with requests.
void ItchFeed::on_turn(std::int64_t now_ns) {
    constexpr std::int64_t k_try_again_ns = 1'000'000'000;
    if (failing_ && now_ns >= next_try_ns_) {
        next_try_ns_ = now_ns + k_try_again_ns;
        write(heard_);
    }
    const std::uint64_t wanted = snapshots_wanted_.load(std::memory_order_acquire);
    if (wanted == snapshots_answered_ || now_ns < next_snapshot_ns_) return;
    if (session_ == nullptr || failing_ || !block_.empty()) return;
    if (may_make_snapshot()) {
        constexpr std::int64_t k_pause_ns = 50'000'000;
        constexpr std::int64_t k_share = 10;
        const std::int64_t begin_ns = system_time_ns();
        make_snapshot();
        const std::int64_t took_ns = system_time_ns() - begin_ns;
        next_snapshot_ns_ = now_ns + std::max(k_pause_ns, k_share * took_ns);
    }
    snapshots_answered_ = wanted;
    {
        const std::lock_guard lock{shared_mutex_};
        shared_ticket_ = wanted;
    }
    if (on_change_) on_change_();
}

// A snapshot holds every open order in memory until its slowest reader is done. If too many are
// still being read, further readers get the newest of these and continue from its message.
bool ItchFeed::may_make_snapshot() const {
    constexpr std::ptrdiff_t k_most_read = 8;
    const bool is_current =
        shared_snapshot_ != nullptr && shared_snapshot_->session == session_->id();
    return !is_current || std::ranges::count_if(
                              made_, [](const auto& one) { return !one.expired(); }) < k_most_read;
}

void ItchFeed::write(std::uint64_t record) {
    const bool has_session = wanted_ || (session_ != nullptr && !session_->ended());
    if (!has_session || record <= written_) return block_.clear();
    if (is_lost_ || block_.bytes().size() > k_most_waiting) return lose();
    if (!has_wanted()) return;
    if (const auto written = session_->append(block_.bytes(), record); !written)
        return tell_failure(written.error());
    failing_ = false;
    written_ = record;
    if (block_.empty()) return;
    block_.clear();
    if (on_change_) on_change_();
}

void ItchFeed::make_snapshot() {
    auto made = std::make_shared<FeedSnapshot>();
    made->session = session_->id();
    made->next = session_->messages() + 1;
    publisher_.snapshot(time_, made->messages);
    std::erase_if(made_, [](const auto& one) { return one.expired(); });
    made_.push_back(made);
    const std::lock_guard lock{shared_mutex_};
    shared_snapshot_ = std::move(made);
}

void ItchFeed::sync_often(const std::stop_token& stop) {
    constexpr std::chrono::milliseconds k_pause{1'000};
    std::uint64_t synced = 0;
    while (!stop.stop_requested()) {
        nap_.sleep(k_pause);
        std::shared_ptr<FeedSession> session;
        {
            const std::lock_guard lock{shared_mutex_};
            session = shared_session_;
        }
        if (session == nullptr || session->record() == synced) continue;
        synced = session->record();
        sync(*session);
    }
}

// If the sync fails, the journal still has the records that the file may lose.
void ItchFeed::sync(FeedSession& session) { static_cast<void>(session.sync()); }

}  // namespace damrak::feed
