#include <damrak/venue/phase_clock.hpp>

#include <algorithm>

#include <damrak/base/time_units.hpp>
#include <damrak/engine/auction_bounds.hpp>

namespace damrak::venue {

namespace {

// How soon a call is noticed that the engine began, and the end of a halt.
constexpr Timestamp k_glance{k_second_ns};

Command phase_command(CommandKind kind, const InstrumentState& in, const PhaseDetails& phase) {
    Command command{};
    command.kind = kind;
    command.instrument = in.id();
    command.phase = phase;
    return command;
}

PhaseDetails details_of(const Session& session, const InstrumentState& in) {
    return {.phase = session.phase,
            .auction = session.auction.value_or(in.auction),
            .call = session.call,
            .sealed = session.sealed ? std::uint8_t{1} : std::uint8_t{0}};
}

bool is_in(const InstrumentState& in, const Session& session, Timestamp since) {
    if (in.phase != session.phase || in.auction != session.auction.value_or(in.auction))
        return false;
    return in.phase != Phase::call ||
           (in.call == session.call && in.sealed == session.sealed && in.phase_since >= since);
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
    return commands;
}

void PhaseClock::visit(const InstrumentState& in, Timestamp now, Commands& commands) {
    const Timetable::Slot slot = timetable_.at(now, in.id());
    const Session& session = timetable_.session(slot.session);
    wake_at(slot.end);
    if (is_interruption(in) && session.phase == Phase::continuous)
        return end_interruption(in, now, commands);
    if (!is_in(in, session, slot.begin)) return enter(in, slot, now, commands);
    if (session.interval_ns != 0) return end_batch(in, slot, now, commands);
    const Limits& limits = venue_->rules_of(in.definition().symbol.view()).limits;
    if (session.phase == Phase::continuous && limits.on_breach == OnBreach::interrupt)
        wake_at(now + k_glance);
}

void PhaseClock::enter(const InstrumentState& in, const Timetable::Slot& slot, Timestamp now,
                       Commands& commands) {
    const Session& session = timetable_.session(slot.session);
    const PhaseDetails wanted = details_of(session, in);
    const bool trades = wanted.phase == Phase::continuous || wanted.phase == Phase::at_last;
    // A scheduled call takes an interruption over.
    const bool ends_call =
        in.phase == Phase::call && !(is_interruption(in) && wanted.phase == Phase::call);
    // Orders that collected trade in an auction before others can trade with them.
    const bool needs_auction =
        trades && (in.collects() || wanted.phase == Phase::at_last) && in.phase != wanted.phase;
    if (in.state == TradingState::halted && (ends_call || needs_auction))
        return wake_at(now + k_glance);
    if (needs_auction && in.phase != Phase::call) {
        PhaseDetails missed = details_of(timetable_.before(slot.session), in);
        missed.phase = Phase::call;
        missed.sealed = 0;
        commands.push_back(phase_command(CommandKind::set_phase, in, missed));
    }
    // What is sealed stays so until it leaves its call.
    const bool unseals = in.sealed && wanted.phase == Phase::call && wanted.sealed == 0;
    if (ends_call || needs_auction)
        commands.push_back(phase_command(CommandKind::uncross, in,
                                         {.phase = unseals ? Phase::pre_open : wanted.phase}));
    const bool is_there =
        (ends_call || needs_auction) && wanted.phase != Phase::call && wanted.auction == in.auction;
    if (!is_there) commands.push_back(phase_command(CommandKind::set_phase, in, wanted));
    wake_at(session.interval_ns == 0 ? now + k_glance : end_of_batch(slot, now));
}

void PhaseClock::end_interruption(const InstrumentState& in, Timestamp now, Commands& commands) {
    const Interruption& of = venue_->rules_of(in.definition().symbol.view()).interruption;
    const Timestamp end =
        in.phase_since +
        Timestamp{of.minimum_ns + timetable_.draw(in.phase_since, in.id(), of.random_end_ns)};
    if (now < end) return wake_at(end);
    wake_at(now + k_glance);
    if (in.state == TradingState::halted) return;
    commands.push_back(phase_command(CommandKind::uncross, in, {.phase = Phase::continuous}));
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
