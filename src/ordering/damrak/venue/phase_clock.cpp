#include <damrak/venue/phase_clock.hpp>

#include <algorithm>
#include <utility>

#include <damrak/base/time_units.hpp>
#include <damrak/engine/auction_bounds.hpp>
#include <damrak/venue/detail/commands.hpp>
#include <damrak/venue/detail/daily_band.hpp>
#include <damrak/venue/detail/units.hpp>

namespace damrak::venue {

namespace {

// How soon a call is noticed that the engine began, and the end of a halt.
constexpr Timestamp k_glance{k_second_ns};
// How soon after an auction that may have been refused, or that ended an interruption.
constexpr Timestamp k_soon{10 * k_millisecond_ns};

Command phase_command(CommandKind kind, const InstrumentState& in, const PhaseDetails& phase) {
    return detail::phase_command(kind, in.id(), phase);
}

PhaseDetails details_of(const TradingSession& session, const InstrumentState& in) {
    return {.phase = session.phase,
            .auction = session.auction.value_or(in.auction),
            .call = session.call,
            .sealed = session.sealed ? std::uint8_t{1} : std::uint8_t{0},
            .restrictions = session.refuses};
}

bool is_in(const InstrumentState& in, const TradingSession& session, Timestamp since) {
    if (in.phase != session.phase || in.auction != session.auction.value_or(in.auction) ||
        in.restrictions != session.refuses)
        return false;
    return in.phase != Phase::call ||
           (in.call == session.call && in.sealed == session.sealed && in.phase_since >= since);
}

// One that another venue may have begun is none of this one's.
bool is_of(const TradingSession& session, const InstrumentState& in) {
    return session.phase == Phase::call && session.call == in.call && session.interval_ns == 0 &&
           session.sealed == in.sealed && session.auction.value_or(in.auction) == in.auction;
}

Timestamp longest_of(const Extensions& of) {
    return {std::max(of.for_price != 0 ? of.price_time_ns : 0,
                     of.for_market_orders != 0 ? of.market_order_time_ns : 0)};
}

PriceLimitDetails::Margin wider(const InstrumentState& in, const Margin& margin, const Margin& by,
                                std::uint32_t times) {
    const std::int64_t unit = detail::billionths_in_unit(in.definition());
    constexpr std::int64_t k_most_units = std::numeric_limits<std::uint32_t>::max();
    constexpr std::uint32_t k_most_basis_points = 10'000;
    const std::int64_t at_least = (margin.at_least + by.at_least * times) / unit;
    return {.basis_points =
                std::min(margin.basis_points + by.basis_points * times, k_most_basis_points),
            .at_least = static_cast<std::uint32_t>(std::min(at_least, k_most_units))};
}

// A call that the engine began, as a price left its range.
bool is_interruption(const InstrumentState& in) {
    return in.phase == Phase::call &&
           (in.call == CallKind::interruption || in.call == CallKind::reopening);
}

}  // namespace

std::vector<Command> PhaseClock::due(Timestamp now,
                                     std::span<const InstrumentState* const> instruments) {
    next_ = {std::numeric_limits<std::int64_t>::max()};
    Commands commands;
    for (const InstrumentState* const in : instruments)
        if (suits_auctions(in->definition())) visit(*in, now, commands);
    if (venue_->indicative_every_ns != 0) tick(now, instruments, commands);
    return commands;
}

// At whole intervals. One for all instruments.
void PhaseClock::tick(Timestamp now, std::span<const InstrumentState* const> instruments,
                      Commands& commands) {
    const bool is_due = next_tick_ != Timestamp{} && now >= next_tick_;
    next_tick_ = {};
    if (std::ranges::none_of(instruments, [](const InstrumentState* in) {
            return in->phase == Phase::call && !in->sealed;
        }))
        return;
    if (is_due) {
        Command tells{};
        tells.kind = CommandKind::tick;
        commands.push_back(tells);
    }
    const std::int64_t interval = venue_->indicative_every_ns;
    next_tick_ = {(now.value / interval + 1) * interval};
    wake_at(next_tick_);
}

void PhaseClock::visit(const InstrumentState& in, Timestamp now, Commands& commands) {
    const Timetable::Slot slot = timetable_.at(now, in.id());
    const TradingSession& session = timetable_.session(slot.session);
    wake_at(slot.end);
    if (const auto roll = detail::next_daily_band(rules_of(in).daily, in))
        commands.push_back(*roll);
    const bool stays = goes_on(in, slot, now, commands);
    set_corridor(in, commands);
    if (stays) return;
    if (is_interruption(in) && session.phase != Phase::call)
        return end_interruption(in, session.phase, now, commands);
    // One whose extension is over ends, even where the session is a call like it.
    const bool is_over = extended_.contains(in.id()) && !is_interruption(in);
    if (is_over || !is_in(in, session, slot.begin)) return enter(in, slot, now, commands);
    if (session.interval_ns != 0) return end_batch(in, slot, now, commands);
    const Limits& limits = rules_of(in).limits;
    if (session.phase == Phase::continuous && limits.on_breach == OnBreach::interrupt)
        wake_at(now + k_glance);
}

// While a call is extended for its price, its corridor is wider by a step for each extension.
void PhaseClock::set_corridor(const InstrumentState& in, Commands& commands) const {
    const Rules& rules = rules_of(in);
    if (!rules.interruption.widening.exists() && !rules.extensions.widening.exists()) return;
    const auto found = extended_.find(in.id());
    const bool is_extended = found != extended_.end() && in.phase == Phase::call;
    const std::uint32_t all =
        is_interruption(in) ? rules.interruption.extensions : rules.extensions.for_price;
    const Margin& by =
        is_interruption(in) ? rules.interruption.widening : rules.extensions.widening;
    const PriceLimitDetails::Margin wanted =
        wider(in, rules.limits.auction_corridor, by,
              is_extended ? all - std::min(all, found->second.left.for_price) : 0);
    if (in.rules.price_limits.auction_corridor == wanted) return;
    Command command{};
    command.kind = CommandKind::set_price_limits;
    command.instrument = in.id();
    command.price_limits = in.rules.price_limits;
    command.price_limits.auction_corridor = wanted;
    commands.push_back(command);
}

// Whether the session is a further stage of the call that the instrument is in.
bool PhaseClock::goes_on_in(const InstrumentState& in, const Timetable::Slot& slot) const {
    const TradingSession& session = timetable_.session(slot.session);
    if (!session.continues || !is_of(session, in)) return false;
    Timetable::Slot first = slot;
    while (timetable_.session(first.session).continues)
        first = timetable_.at(first.begin - Timestamp{1}, in.id());
    return in.phase_since >= first.begin;
}

void PhaseClock::enter(const InstrumentState& in, const Timetable::Slot& slot, Timestamp now,
                       Commands& commands) {
    const TradingSession& session = timetable_.session(slot.session);
    const PhaseDetails wanted = details_of(session, in);
    const bool trades = wanted.phase == Phase::continuous || wanted.phase == Phase::at_last;
    // A scheduled call takes an interruption over.
    const bool ends_call = in.phase == Phase::call && !goes_on_in(in, slot) &&
                           !(is_interruption(in) && wanted.phase == Phase::call);
    // Orders that collected trade in an auction before others can trade with them.
    const bool needs_auction =
        trades && (in.collects() || wanted.phase == Phase::at_last) && in.phase != wanted.phase;
    if (in.state == TradingState::halted && (ends_call || needs_auction))
        return wake_at(now + k_glance);
    if (needs_auction && in.phase != Phase::call) {
        PhaseDetails missed = details_of(timetable_.before(slot.session), in);
        missed.phase = Phase::call;
        missed.sealed = 0;
        missed.restrictions = 0;
        commands.push_back(phase_command(CommandKind::set_phase, in, missed));
    }
    // What is sealed stays so until it leaves its call.
    const bool unseals = in.sealed && wanted.phase == Phase::call && wanted.sealed == 0;
    const bool is_there = (ends_call || needs_auction) && wanted.phase != Phase::call &&
                          wanted.auction == in.auction && wanted.restrictions == 0;
    if (ends_call || needs_auction) {
        const UncrossConditions::Bits needed = conditions(in);
        // The call that begins has extensions of its own.
        if (needed == 0) extended_.erase(in.id());
        if (needed != 0 && !may_ask(in, now)) return wake_at(now + k_soon);
        const bool pauses = wanted.phase == Phase::call && (unseals || needed != 0);
        commands.push_back(phase_command(
            CommandKind::uncross, in,
            {.phase = pauses ? Phase::pre_open : wanted.phase, .conditions = needed}));
        // The session begins once the auction has taken place.
        if (needed != 0 && !is_there) return wake_at(now + k_soon);
    }
    if (!is_there) commands.push_back(phase_command(CommandKind::set_phase, in, wanted));
    wake_at(session.interval_ns == 0 ? now + k_glance : end_of_batch(slot, now));
}

void PhaseClock::end_interruption(const InstrumentState& in, Phase next, Timestamp now,
                                  Commands& commands) {
    const Interruption& of = rules_of(in).interruption;
    const Timestamp end =
        in.phase_since +
        Timestamp{of.minimum_ns + timetable_.draw(in.phase_since, in.id(), of.random_end_ns)};
    if (now < end) return wake_at(end);
    if (in.state == TradingState::halted) return wake_at(now + k_glance);
    wake_at(now + k_soon);
    if (!may_ask(in, now)) return;
    commands.push_back(
        phase_command(CommandKind::uncross, in, {.phase = next, .conditions = conditions(in)}));
}

// The answer to an auction may be late, where the engine is on another thread: asked again each
// 10 ms, the journal of a slow machine would have each of them.
bool PhaseClock::may_ask(const InstrumentState& in, Timestamp now) {
    const auto [found, is_new] = asked_.try_emplace(in.id());
    Asked& last = found->second;
    if (!is_new && last.call_since == in.phase_since && now < last.time + k_glance) return false;
    last = {.call_since = in.phase_since, .time = now};
    return true;
}

// What the call of an instrument still may be extended, if that was asked before. A call that
// continues after a restart is in its last extension.
PhaseClock::Extended* PhaseClock::extended(const InstrumentState& in, const Timetable::Slot& slot) {
    auto found = extended_.find(in.id());
    if (found != extended_.end() && found->second.call != in.call) {
        extended_.erase(found);
        found = extended_.end();
    }
    const Extensions& of = rules_of(in).extensions;
    const auto is_its_call = [&in](const TradingSession& session) { return is_of(session, in); };
    const bool went_on = !is_interruption(in) && of.exist() &&
                         timetable_.session(slot.session).phase != Phase::call &&
                         in.phase_since >= slot.begin &&
                         std::ranges::any_of(timetable_.sessions(), is_its_call);
    if (found == extended_.end() && went_on)
        found = extended_
                    .emplace(in.id(),
                             Extended{.call = in.call, .until = in.phase_since + longest_of(of)})
                    .first;
    return found == extended_.end() ? nullptr : &found->second;
}

// Whether something else than the timetable decides when a call ends.
bool PhaseClock::goes_on(const InstrumentState& in, const Timetable::Slot& slot, Timestamp now,
                         Commands& commands) {
    if (in.phase != Phase::call) {
        extended_.erase(in.id());
        asked_.erase(in.id());
        return false;
    }
    // The supervisor reopens it in the session in which it stopped it.
    if (in.call == CallKind::reopening && in.phase_since >= slot.begin &&
        timetable_.session(slot.session).phase == Phase::continuous &&
        (rules_of(in).luld.exists() || venue_->market_breaker))
        return true;
    Extended* const one = extended(in, slot);
    if (one == nullptr) return false;
    if (std::exchange(one->is_new, false)) {
        commands.push_back(phase_command(CommandKind::set_phase, in,
                                         {.phase = Phase::call,
                                          .auction = in.auction,
                                          .call = in.call,
                                          .sealed = static_cast<std::uint8_t>(in.sealed),
                                          .restrictions = in.restrictions,
                                          .cause = in.cause}));
        wake_at(std::max(one->until, now + k_glance));
        return true;
    }
    if (now >= one->until) return false;
    wake_at(one->until);
    return true;
}

// What must hold for an auction to take place, as long as its call may be extended.
UncrossConditions::Bits PhaseClock::conditions(const InstrumentState& in) {
    if (in.phase != Phase::call) return {};
    const Rules& rules = rules_of(in);
    const Extensions all =
        is_interruption(in)
            ? Extensions{.for_price = rules.interruption.extensions, .price_time_ns = 0}
            : rules.extensions;
    if (!all.exist()) return {};
    const Extensions& left =
        extended_.try_emplace(in.id(), Extended{.call = in.call, .left = all}).first->second.left;
    UncrossConditions::Bits bits = 0;
    if (left.for_price != 0) bits |= UncrossConditions::k_price_in_corridor;
    if (left.for_market_orders != 0) bits |= UncrossConditions::k_no_market_orders_left;
    return bits;
}

void PhaseClock::on_refused(InstrumentId instrument, Reason reason, Timestamp now) {
    asked_.erase(instrument);
    const auto found = extended_.find(instrument);
    if (found == extended_.end() || found->second.is_new || now < found->second.until) return;
    Extended& one = found->second;
    const bool for_price = reason == Reason::auction_price_outside;
    if (!for_price && reason != Reason::market_orders_left) return;
    std::uint32_t& left = for_price ? one.left.for_price : one.left.for_market_orders;
    if (left == 0) return;
    --left;
    one.until = now + Timestamp{for_price ? one.left.price_time_ns : one.left.market_order_time_ns};
    one.is_new = true;
    next_ = now;
}

// Batches end at whole intervals since the begin of the session.
Timestamp PhaseClock::end_of_batch(const Timetable::Slot& slot, Timestamp begun) const {
    const std::int64_t interval = timetable_.session(slot.session).interval_ns;
    return slot.begin + Timestamp{((begun - slot.begin).value / interval + 1) * interval};
}

// Those that nobody ended in time are one.
void PhaseClock::end_batch(const InstrumentState& in, const Timetable::Slot& slot, Timestamp now,
                           Commands& commands) {
    const Timestamp end = end_of_batch(slot, in.phase_since);
    if (now < end) return wake_at(end);
    if (in.state == TradingState::halted) return wake_at(now + k_glance);
    wake_at(end_of_batch(slot, now));
    commands.push_back(phase_command(CommandKind::uncross, in, {.phase = Phase::call}));
}

}  // namespace damrak::venue
