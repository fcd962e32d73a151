#include <damrak/exchange/exchange.hpp>

#include <algorithm>
#include <new>
#include <random>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <damrak/archive/archiver.hpp>
#include <damrak/archive/event_log.hpp>
#include <damrak/base/affinity.hpp>
#include <damrak/base/number_text.hpp>
#include <damrak/base/random.hpp>
#include <damrak/base/time_units.hpp>
#include <damrak/exchange/changes.hpp>
#include <damrak/exchange/check.hpp>
#include <damrak/exchange/detail/journal_helpers.hpp>
#include <damrak/exchange/detail/trade_recorder.hpp>
#include <damrak/exchange/detail/venue_watch.hpp>
#include <damrak/exchange/recorded_market.hpp>
#include <damrak/exchange/surroundings.hpp>
#include <damrak/exchange/system_time.hpp>
#include <damrak/feed/feed_session.hpp>
#include <damrak/gateway/feeds/feed_settings.hpp>
#include <damrak/journal/folder.hpp>
#include <damrak/recorded_market/replayed_day.hpp>
#include <damrak/standard_exchange/feeds.hpp>

namespace damrak::exchange {

namespace {

journal::JournalIdentity new_identity(const EngineConfig& engine) {
    std::random_device chance;
    const auto draw = [&chance] { return std::uint64_t{chance()} << 32U | chance(); };
    return {.instance = {draw(), draw()}, .engine = engine};
}

gateway::Identities::Key new_key() {
    std::random_device chance;
    gateway::Identities::Key key{};
    for (std::byte& byte : key) byte = static_cast<std::byte>(chance());
    return key;
}

Settings with_own_key(Settings settings) {
    settings.own_key = new_key();
    settings.identified_only = settings.has_identities() && !settings.anonymous;
    return settings;
}

std::string told(const Misfit& misfit) { return fmt::format("{}: {}", misfit.key, misfit.what); }

}  // namespace

journal::Result<std::unique_ptr<Exchange>> Exchange::start(Settings settings,
                                                           const Observers& observers,
                                                           const MakeTrading& make) try {
    if (const auto misfit = complete_settings(settings)) return std::unexpected{told(*misfit)};
    if (const auto taken = check_ports(settings)) return std::unexpected{told(*taken)};
    auto exchange = recover(std::move(settings), observers, make);
    if (!exchange) return exchange;
    if (auto opened = (*exchange)->open(); !opened)
        return std::unexpected{std::move(opened.error())};
    return exchange;
} catch (const std::bad_alloc&) {
    return std::unexpected{
        std::string{"capacity: these capacities need more memory than this machine provides"}};
}

journal::Result<std::unique_ptr<Exchange>> Exchange::recover(Settings settings,
                                                             const Observers& observers,
                                                             const MakeTrading& make) {
    // Before anything is written, as a directory that cannot be read stays as it is.
    if (const auto readable = journal::look_into(journal::real_files(), settings.data); !readable)
        return std::unexpected{readable.error()};
    std::unique_ptr<Exchange> exchange{new Exchange{with_own_key(std::move(settings)), make}};
    if (auto opened = exchange->open_feeds(observers); !opened)
        return std::unexpected{std::move(opened.error())};
    if (auto restored = exchange->restore(); !restored)
        return std::unexpected{std::move(restored.error())};
    return exchange;
}

Exchange::Exchange(Settings settings, const MakeTrading& make)
    : settings_(std::move(settings)),
      trades_(std::make_unique<TradeRecorder>()),
      watch_(std::make_unique<VenueWatch>()),
      trading_(make(settings_)),
      follower_(std::make_unique<Follower>(settings_.capacity)) {
    for (feed::MarketObserver* const observer : trading_->observers(settings_.capacity)) {
        follower_->add_patient(*observer);
        follower_->keep_up();
    }
    follower_->add_patient(*trades_);
    if (settings_.port("http")) follower_->keep_up();
    if (settings_.venue && venue::Supervisor::is_needed(*settings_.venue))
        follower_->add(*watch_);
    else
        follower_->add_patient(*watch_);
}

Exchange::~Exchange() = default;

const feed::TradeTape& Exchange::trades() const { return trades_->tape(); }

const feed::StatusBoard& Exchange::statuses() const { return trades_->statuses(); }

journal::Result<void> Exchange::restore() {
    const auto check = [this](const journal::Recovery& found) -> journal::Result<void> {
        follower_->state().configure(settings_);
        if (!found.identity)
            if (auto begins = trading_->check_new_journal(); !begins) return begins;
        if (auto fits = trading_->check_replayed(follower_->state()); !fits) return fits;
        if (found.last_sequence == 0 || settings_.replayed) return {};
        return check_clock(settings_, found.last_timestamp, system_time());
    };
    assembly_ =
        std::make_unique<Assembly>(Surrounding{.files = &journal::real_files(),
                                               .now = system_time,
                                               .journal = settings_.journal(),
                                               .check = check},
                                   new_identity(settings_.capacity), *trading_, follower_->state());
    follower_->state().configure(settings_);
    follower_->replay_after([this] { return trading_->latest_snapshot(); });
    if (auto restored = assembly_->restore(); !restored) return restored;
    if (const std::uint64_t last = recovered().journal.last_sequence;
        settings_.replayed && last > 0)
        if (auto resumed = resume_recorded_day(settings_, last); !resumed) return resumed;
    auto calendar = TradingCalendar::make(settings_.day);
    if (!calendar) return std::unexpected{"day.zone: " + calendar.error()};
    TradingDay published{};
    if (const auto last = feed::FeedSession::last_in(settings_.feed_folder()))
        published = {.date = last->date, .feed_session = last->number};
    day_clock_.emplace(*calendar, follower_->state().trading_day(), published);
    const bool lacks_messages = follower_->state().observer().want_new_session();
    if (lacks_messages && follower_->state().trading_day().is_open != 0)
        Notices{settings_.on_notice}.say(
            "feed         a new session begins: the day so far is not in {}",
            settings_.feed_folder().string());
    if (settings_.of<gateway::feeds::FeedSettings>().new_session ||
        recovered().journal.cut_records > 0 || lacks_messages)
        day_clock_->renew_feed_session();
    return {};
}

// Called before the journal is replayed, because some observers need the end of the replay.
journal::Result<void> Exchange::open_feeds(const Observers& observers) {
    for (const gateway::feeds::FeedGateway& gateway : standard_exchange::feed_gateways()) {
        if (std::ranges::none_of(gateway.gateways,
                                 [&](auto name) { return settings_.port(name).has_value(); }))
            continue;
        auto opened = gateway.open(settings_);
        if (!opened) return std::unexpected{std::move(opened.error())};
        follower_->add(*opened->feed);
        if (opened->event_log) follower_->add(*opened->event_log);
        if (opened->archiver)
            follower_->hold_records([archiver = opened->archiver] { return archiver->kept(); });
        ports_.merge(opened->ports);
        feeds_.push_back(*std::move(opened));
    }
    for (feed::MarketObserver* const observer : observers) follower_->add(*observer);
    return {};
}

const gateway::feeds::OpenFeed& Exchange::order_feed() const {
    static const gateway::feeds::OpenFeed none{};
    const auto found =
        std::ranges::find_if(feeds_, [](const auto& one) { return one.session != nullptr; });
    return found == feeds_.end() ? none : *found;
}

std::shared_ptr<const feed::FeedSession> Exchange::feed_session() const {
    return has_order_feed() ? order_feed().session() : nullptr;
}

bool Exchange::has_order_feed() const { return order_feed().session != nullptr; }

journal::Result<void> Exchange::open() {
    helpers_ = std::make_unique<JournalHelpers>(journal());
    const std::uint64_t last = recovered().journal.last_sequence;
    assembly_->start();
    is_open_ = true;
    // The first day begins with the instruments in their phases; what others missed is in theirs.
    const bool is_first = last == 0 && !feed::FeedSession::last_in(settings_.feed_folder());
    if (!is_first)
        if (auto begun = begin_day(); !begun) return begun;
    if (const auto applied = apply(settings_); !applied) return std::unexpected{applied.error()};
    if (auto follows = follow_venue(); !follows) return follows;
    watch_->on_turn(0);
    if (!turn_phases(market_time(system_time())))
        return std::unexpected{journal().writer().refusal()};
    if (is_first)
        if (auto begun = begin_day(); !begun) return begun;
    if (auto started = follower_->start(journal(), settings_, last, recovered().snapshot); !started)
        return started;
    if (auto used = trading_->use_certificates(settings_); !used) return used;
    if (auto listens = trading_->listen(); !listens) return listens;
    ports_.merge(trading_->ports());
    return {};
}

// How long a turn may wait. Any input ends the wait at once, so the longer wait of an idle exchange
// only delays deadlines, by some milliseconds.
int Exchange::patience_ms() {
    constexpr std::uint64_t k_short_turns = 100;
    constexpr std::int64_t k_long_ms = 20;
    if (settings_.spin) return 0;
    if (idle_turns_ < k_short_turns) return 1;
    if (!phase_clock_) return k_long_ms;
    const Timestamp now = system_time();
    const Timestamp next = std::min(phase_clock_->next(), watch_->next());
    if (now >= next) return 0;
    return static_cast<int>(std::min(k_long_ms, (next.value - now.value) / k_millisecond_ns + 1));
}

std::size_t Exchange::step() {
    const std::size_t messages = trading_->do_work(patience_ms());
    turn_day(market_time(trading_->time()));
    turn_phases(market_time(trading_->time()));
    serve_operator();
    idle_turns_ = messages > 0 ? 0 : idle_turns_ + 1;
    if (messages > 0) {
        helpers_->call();
        follower_->wake();
    }
    return messages;
}

Timestamp Exchange::market_time(Timestamp system) const {
    return settings_.replayed ? settings_.replayed->clock().at(system) : system;
}

bool Exchange::submit(const std::vector<Command>& commands) {
    if (commands.empty()) return true;
    if (!trading_->submit(commands)) return false;
    follower_->wake();
    return true;
}

journal::Result<void> Exchange::begin_day() {
    if (!turn_day(market_time(system_time()))) return std::unexpected{journal().writer().refusal()};
    const TradingDay& day = day_clock_->day();
    if (!has_order_feed() || day.is_open == 0) return {};
    return order_feed().check_session(day);
}

bool Exchange::turn_day(Timestamp now) { return submit(day_clock_->due(now)); }

bool Exchange::turn_phases(Timestamp now) {
    if (!phase_clock_) return true;
    if (now >= watch_->next() && !obey_supervisor(now)) return false;
    if (!phase_clock_->is_due(now)) return true;
    trading_->settle();
    return submit(phase_clock_->due(now, trading_->market().instruments));
}

bool Exchange::serve_operator() {
    const std::vector<OperatorDesk::Asked> all = operator_desk_.take();
    for (const auto& [command, tag] : all)
        if (!trading_->submit(command, tag)) return false;
    if (!all.empty()) follower_->wake();
    return true;
}

bool Exchange::obey_supervisor(Timestamp now) {
    if (!submit(watch_->due(now))) return false;
    for (const venue::Supervisor::Refusal& one : watch_->take_refusals())
        phase_clock_->on_refused(one.instrument, one.reason, one.time);
    return true;
}

// Random ends are those of this journal: the same after a restart, and unknown to clients.
journal::Result<void> Exchange::follow_venue() {
    phase_clock_.reset();
    watch_->want(nullptr, {});
    trading_->set_fees(settings_.venue ? settings_.venue->fees : Fees{});
    trading_->set_delay(
        settings_.venue ? settings_.venue->delay : venue::Delay{},
        mix_bits(journal().identity().instance[1] ^ recovered().journal.last_sequence));
    follower_->delay_market(settings_.venue ? settings_.venue->delay.market_data_ns : 0);
    if (!settings_.venue) return {};
    auto timetable =
        venue::Timetable::make(*settings_.venue, mix_bits(journal().identity().instance[0]));
    if (!timetable) return std::unexpected{"run.venue: " + timetable.error()};
    if (venue::Supervisor::is_needed(*settings_.venue)) {
        watch_->want(std::make_unique<venue::Supervisor>(settings_.venue, *timetable),
                     market_time(system_time()));
        follower_->keep_up();
    }
    phase_clock_.emplace(*settings_.venue, *std::move(timetable));
    if (!turn_phases(market_time(system_time())))
        return std::unexpected{journal().writer().refusal()};
    return {};
}

void Exchange::run(const std::stop_token& stop) {
    if (!settings_.cores.empty() && !pin_this_thread(settings_.cores.front()))
        Notices{settings_.on_notice}.say("warning      cannot run on core {}",
                                         settings_.cores.front());
    while (!stop.stop_requested() && !failed()) step();
}

void Exchange::stop() {
    if (!is_open_ || failed()) return;
    is_open_ = false;
    assembly_->close();
    helpers_.reset();
    follower_->stop();
}

// Submits the commands that turn the market into the wanted one. Returns their number.
journal::Result<std::size_t> Exchange::apply(const Settings& wanted) {
    const auto room = capacities_command(wanted, trading_->market().capacities);
    if (room && !trading_->submit(*room)) return std::unexpected{journal().writer().refusal()};
    const auto plan = plan_changes(wanted, trading_->market());
    if (!plan) return std::unexpected{plan.error()};
    if (!trading_->submit(*plan)) return std::unexpected{journal().writer().refusal()};
    return plan->size() + (room ? 1 : 0);
}

journal::Result<std::string> Exchange::reload(const Settings& wanted) {
    if (const auto fixed = fixed_differences(settings_, wanted); !fixed.empty())
        return std::unexpected{
            fmt::format("{} cannot change while the exchange runs", fmt::join(fixed, ", "))};
    if (auto used = trading_->use_certificates(wanted); !used)
        return std::unexpected{std::move(used.error())};
    trading_->settle();
    const auto applied = apply(wanted);
    if (!applied) return std::unexpected{applied.error()};
    const auto own_key = settings_.own_key;
    const auto on_notice = settings_.on_notice;
    const auto replayed = settings_.replayed;
    const bool identified_only =
        (settings_.identified_only || wanted.has_identities()) && !wanted.anonymous;
    settings_ = wanted;
    settings_.own_key = own_key;
    settings_.on_notice = on_notice;
    settings_.replayed = replayed;
    settings_.identified_only = identified_only;
    trading_->set_identities(settings_);
    if (auto follows = follow_venue(); !follows) return std::unexpected{follows.error()};
    const bool nobody = identified_only && !wanted.has_identities();
    return fmt::format("{}; {}{}", counted(static_cast<std::int64_t>(*applied), "command"),
                       wanted.credentials(),
                       nobody ? ": nobody can log in until a reload brings one (a start without "
                                "identities is open to everyone)"
                              : "");
}

}  // namespace damrak::exchange
