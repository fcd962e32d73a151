#include <damrak/venue/supervisor.hpp>

#include <algorithm>
#include <limits>
#include <utility>

#include <damrak/venue/detail/commands.hpp>

namespace damrak::venue {

namespace {

using BreakerPhase = auction::MarketBreaker::Phase;

constexpr Timestamp k_never{std::numeric_limits<std::int64_t>::max()};
constexpr Timestamp k_at_once{std::numeric_limits<std::int64_t>::min()};
/// How soon the reopening of an instrument is tried again.
constexpr Timestamp k_again = auction::seconds(1);

auction::BestQuotes quotes_of(const InstrumentState& in, const Engine& engine) {
    const auto best = [&](Side side) -> std::optional<Price> {
        const DepthLevel level = in.book.best(engine.store(), side);
        if (level.quantity == Quantity{}) return std::nullopt;
        return in.price_of(level.tick);
    };
    return {.bid = best(Side::buy), .offer = best(Side::sell)};
}

HaltCause cause_of(int level) {
    return static_cast<HaltCause>(std::to_underlying(HaltCause::market_wide_1) + level - 1);
}

bool needs_supervisor(const Rules& rules) {
    return rules.luld.exists() || rules.extensions.exist() || rules.interruption.extensions != 0;
}

}  // namespace

bool Supervisor::is_needed(const Venue& venue) {
    return venue.market_breaker || needs_supervisor(venue.rules) ||
           std::ranges::any_of(venue.groups, needs_supervisor, &Group::rules);
}

Supervisor::Supervisor(std::shared_ptr<const Venue> venue, const Timetable& timetable)
    : venue_(std::move(venue)), hours_(timetable), next_(k_never) {}

void Supervisor::begin(const Engine& engine, Timestamp now) {
    next_ = k_at_once;
    if (venue_->market_breaker) breaker_.emplace(*venue_->market_breaker, hours_, now);
    std::optional<Timestamp> halted_since;
    std::optional<Timestamp> closed_since;
    for (std::uint32_t id = 1; id <= engine.config().maximum_instruments; ++id) {
        const InstrumentState* const in = engine.instrument(InstrumentId{id});
        if (in == nullptr) continue;
        watch(*in, now);
        Watched& one = *find(in->id());
        // One that never changed its phase does not tell the day.
        const Timestamp since = in->phase_since == Timestamp{} ? now : in->phase_since;
        if (one.is_closed) closed_since = std::max(closed_since, std::optional{since});
        if (!breaker_ || in->phase != Phase::call || in->call != CallKind::reopening ||
            (one.luld && one.luld->is_paused()))
            continue;
        one.is_halted = true;
        halted_since = in->phase_since;
    }
    if (!breaker_) return;
    breaker_->restore(now, halted_since, closed_since);
    if (breaker_->phase() == BreakerPhase::closed) level_ = auction::MarketBreaker::k_levels;
}

Supervisor::Watched* Supervisor::find(InstrumentId instrument) {
    if (instrument.value >= watched_.size()) return nullptr;
    Watched& one = watched_[instrument.value];
    return one.id == instrument && instrument ? &one : nullptr;
}

void Supervisor::watch(const InstrumentState& in, Timestamp now) {
    if (in.id().value >= watched_.size()) watched_.resize(in.id().value + 1);
    Watched& one = watched_[in.id().value];
    one.id = in.id();
    const Luld& luld = venue_->rules_of(in.definition().symbol.view()).luld;
    if (luld.exists())
        one.luld = std::make_unique<detail::LuldWatch>(luld, in.definition(), hours_);
    if (breaker_ && !venue_->has_combination(in.definition().symbol.view()))
        breaker_->add(in.definition(), in.price_of(in.last_trade));
    note_phase(one, in, now);
    note_state(one, in);
    if (one.luld) one.luld->begin(in, now);
}

void Supervisor::on_event(const Event& event, Timestamp now, const Engine& engine) {
    const InstrumentState* const in = engine.instrument(event.instrument);
    if (in == nullptr) return;
    if (find(in->id()) == nullptr) watch(*in, now);
    Watched& one = *find(in->id());
    switch (event.kind) {
        case EventKind::executed:
            if (!adds_to_volume(event)) break;
            if (one.luld) one.luld->on_trade(now, event.price);
            if (breaker_) breaker_->on_price(one.id, event.price);
            if (one.is_regular) look_at_index(now);
            break;
        case EventKind::uncrossed:
            if (one.luld) one.luld->on_auction(event.price);
            break;
        case EventKind::phase_changed:
            on_phase(one, *in, now);
            if (one.luld) one.luld->on_phase(*in, now);
            break;
        case EventKind::trading_state_changed:
            note_state(one, *in);
            break;
        case EventKind::rejected:
            if (event.command == CommandKind::uncross) on_refused(one, event.reason, now);
            break;
        default:
            break;
    }
    if (!one.luld) return;
    one.luld->on_quotes(*in, quotes_of(*in, engine), now);
    next_ = std::min(next_, one.luld->next());
}

void Supervisor::note_phase(Watched& one, const InstrumentState& in, Timestamp now) const {
    one.auction = in.auction;
    one.phase = in.phase;
    one.call = in.call;
    one.is_regular = in.phase == Phase::continuous && hours_.is_regular(now, one.id);
    if (in.phase != Phase::call || in.call != CallKind::reopening) one.is_halted = false;
}

// On the day of the last level nobody else trades either: neither a new instrument nor one that the
// operator resumes.
void Supervisor::note_state(Watched& one, const InstrumentState& in) {
    const bool is_halted = in.state == TradingState::halted;
    one.is_closed = is_halted && in.cause == HaltCause::market_wide_3;
    one.is_held = is_halted && !one.is_closed;
    if (is_halted || !breaker_ || breaker_->phase() != BreakerPhase::closed) return;
    level_ = auction::MarketBreaker::k_levels;
    next_ = k_at_once;
}

void Supervisor::on_phase(Watched& one, const InstrumentState& in, Timestamp now) {
    const bool closes = one.phase == Phase::call && one.call == CallKind::closing;
    note_phase(one, in, now);
    if (!breaker_) return;
    if (closes && in.phase != Phase::call) breaker_->on_close(one.id);
    if (!one.is_regular) return;
    look_at_index(now);
    // It opens while the others are halted.
    if (breaker_->phase() != BreakerPhase::halted || level_) return;
    level_ = std::max(breaker_->reached(), 1);
    next_ = k_at_once;
}

void Supervisor::on_refused(Watched& one, Reason reason, Timestamp now) {
    if (one.luld && one.luld->is_paused()) return one.luld->on_refused(reason, now);
    refusals_.push_back({one.id, reason, now});
    next_ = k_at_once;
}

void Supervisor::look_at_index(Timestamp now) {
    if (!breaker_) return;
    if (const auto level = breaker_->look(now)) {
        level_ = level;
        next_ = k_at_once;
    }
    if (breaker_->has_new_levels()) next_ = k_at_once;
}

std::vector<Command> Supervisor::due(Timestamp now) {
    std::vector<Command> commands;
    if (breaker_) obey_breaker(now, commands);
    next_ = breaker_ ? breaker_->next() : k_never;
    for (Watched& one : watched_) {
        if (one.is_halted && breaker_->phase() == BreakerPhase::trading)
            next_ = std::min(next_, next_reopening_);
        if (!one.luld) continue;
        if (one.luld->next() <= now) one.luld->due(now, commands);
        next_ = std::min(next_, one.luld->next());
    }
    return commands;
}

void Supervisor::obey_breaker(Timestamp now, std::vector<Command>& commands) {
    breaker_->on_time(now);
    if (const auto levels = breaker_->take_levels()) levels_ = levels;
    if (const auto level = std::exchange(level_, std::nullopt)) {
        if (*level == auction::MarketBreaker::k_levels)
            set_all(TradingState::halted, commands);
        else
            halt_all(cause_of(*level), commands);
    }
    if (breaker_->phase() == BreakerPhase::reopening) breaker_->resume();
    if (breaker_->phase() != BreakerPhase::trading) return;
    set_all(TradingState::trading, commands);
    if (now >= next_reopening_) reopen_all(now, commands);
}

void Supervisor::halt_all(HaltCause cause, std::vector<Command>& commands) {
    for (Watched& one : watched_) {
        const bool is_stopped = one.phase == Phase::call && (one.call == CallKind::interruption ||
                                                             one.call == CallKind::reopening);
        if (one.is_halted || !(one.is_regular || is_stopped)) continue;
        one.is_halted = true;
        if (one.luld) one.luld->stand_aside();
        commands.push_back(detail::reopening_call(one.id, one.auction, cause));
    }
}

// Halts all for the day, or ends what this began.
void Supervisor::set_all(TradingState state, std::vector<Command>& commands) {
    const bool closes = state == TradingState::halted;
    for (Watched& one : watched_) {
        if (!one.id || one.is_held || one.is_closed == closes) continue;
        one.is_closed = closes;
        if (one.luld) one.luld->stand_aside();
        Command command{};
        command.kind = CommandKind::set_trading_state;
        command.instrument = one.id;
        command.trading_state = state;
        if (closes) command.flags = CommandFlags::k_market_wide;
        commands.push_back(command);
    }
}

void Supervisor::reopen_all(Timestamp now, std::vector<Command>& commands) {
    next_reopening_ = now + k_again;
    for (const Watched& one : watched_)
        if (one.is_halted && !one.is_held && hours_.is_regular(now, one.id))
            commands.push_back(detail::resumption(one.id, {}));
}

std::vector<Supervisor::Refusal> Supervisor::take_refusals() {
    return std::exchange(refusals_, {});
}

std::optional<auction::LuldPhase> Supervisor::luld_phase(InstrumentId instrument) const {
    if (instrument.value >= watched_.size() || !watched_[instrument.value].luld)
        return std::nullopt;
    return watched_[instrument.value].luld->phase();
}

}  // namespace damrak::venue
