#include <damrak/market_runs/timeline.hpp>

#include <algorithm>

#include <damrak/venue/rule_commands.hpp>

namespace damrak::market_runs {
namespace {

void set_halt(market_kernel::Market& market, InstrumentId wanted, bool is_halted) {
    for (const InstrumentDefinition& instrument : market.instruments()) {
        if (wanted && instrument.id != wanted) continue;
        Command command{};
        command.kind = CommandKind::set_trading_state;
        command.instrument = instrument.id;
        command.trading_state = is_halted ? TradingState::halted : TradingState::trading;
        market.submit(command);
    }
}

// Not more than these, or again as many as any participant.
void set_limits(market_kernel::Market& market, ParticipantId participant,
                const LimitDetails& limits, bool begins) {
    Command command{};
    command.kind = CommandKind::set_limits;
    command.participant = participant;
    command.limits = limits;
    if (!begins) command.flags = CommandFlags::k_default_limits;
    market.submit(command);
}

void change_rules(market_kernel::Market& market, const RuleChange& change, bool begins) {
    const InstrumentState& in = *market.engine().instrument(change.instrument);
    // The file was read only if the instruments can have both.
    const auto plan =
        venue::rule_commands(begins ? change.during : change.usual, in.definition(), in.rules);
    for (const Command& command : plan.value()) market.submit(command);
}

void set_call(market_kernel::Market& market, const TimelineEntry& entry, bool begins) {
    for (const InstrumentDefinition& instrument : market.instruments()) {
        if (entry.instrument && entry.instrument != instrument.id) continue;
        Command command{};
        command.kind = begins ? CommandKind::set_phase : CommandKind::uncross;
        command.instrument = instrument.id;
        if (begins)
            command.phase = {
                .phase = Phase::call, .auction = entry.auction, .call = CallKind::interruption};
        else
            command.phase = {.phase = Phase::continuous};
        market.submit(command);
    }
}

}  // namespace

std::string_view name_of(TimelineEntry::Kind kind) {
    switch (kind) {
        case TimelineEntry::Kind::halt:
            return "halt";
        case TimelineEntry::Kind::news:
            return "news";
        case TimelineEntry::Kind::disconnect:
            return "disconnect";
        case TimelineEntry::Kind::data_outage:
            return "data_outage";
        case TimelineEntry::Kind::latency:
            return "latency";
        case TimelineEntry::Kind::service_time:
            return "service_time";
        case TimelineEntry::Kind::taker_bump:
            return "taker_bump";
        case TimelineEntry::Kind::limits:
            return "limits";
        case TimelineEntry::Kind::rules:
            return "rules";
        case TimelineEntry::Kind::auction:
            return "auction";
        case TimelineEntry::Kind::sell_programme:
            return "sell_programme";
        case TimelineEntry::Kind::fat_finger:
            return "fat_finger";
        case TimelineEntry::Kind::quote_stuffing:
            return "quote_stuffing";
    }
    return "";
}

std::vector<TimelineAction> actions_of(const MarketFile& file) {
    std::vector<TimelineAction> actions;
    for (const TimelineEntry& entry : file.timeline) {
        if (entry.kind == TimelineEntry::Kind::news) continue;  // planned at the start
        if (trades(entry.kind)) continue;                       // its participant knows when
        actions.push_back({entry.at_ns, &entry, true});
        if (entry.for_ns) actions.push_back({entry.at_ns + *entry.for_ns, &entry, false});
    }
    std::ranges::stable_sort(actions, {}, &TimelineAction::at_ns);
    return actions;
}

void plan_news(const MarketFile& file, market_kernel::Market& market) {
    const Timestamp begin = market.now();
    for (const TimelineEntry& entry : file.timeline) {
        if (entry.kind != TimelineEntry::Kind::news) continue;
        for (const InstrumentDescription& instrument : file.instruments) {
            const InstrumentId id = instrument.definition.id;
            if (entry.instrument && entry.instrument != id) continue;
            const Timestamp at = begin + Timestamp{entry.at_ns};
            market.fundamentals().plan({id, at, entry.value});
            if (entry.for_ns)
                market.fundamentals().plan({id, at + Timestamp{*entry.for_ns}, -entry.value});
        }
    }
}

void act(market_kernel::Market& market, const TimelineAction& action,
         const market_kernel::ExchangeModel& usual) {
    const TimelineEntry& entry = *action.entry;
    if (entry.kind == TimelineEntry::Kind::halt)
        return set_halt(market, entry.instrument, action.begins);
    if (entry.kind == TimelineEntry::Kind::service_time)
        return market.set_service_time(action.begins ? entry.time_ns : usual.service_ns);
    if (entry.kind == TimelineEntry::Kind::taker_bump)
        return market.set_taker_bump(action.begins ? entry.time_ns : usual.delay.taking.fixed_ns);
    if (entry.kind == TimelineEntry::Kind::auction) return set_call(market, entry, action.begins);
    if (entry.kind == TimelineEntry::Kind::rules) {
        for (const RuleChange& change : entry.changes) change_rules(market, change, action.begins);
        return;
    }
    for (std::uint32_t i = 1; i <= market.participants(); ++i) {
        const ParticipantId id{i};
        const market_kernel::Seat& seat = market.seat(id);
        const bool is_any = entry.group.empty() && !seat.is_background;
        if (!is_any && seat.group != entry.group) continue;
        if (entry.kind == TimelineEntry::Kind::limits)
            set_limits(market, id, entry.limits, action.begins);
        else if (entry.kind == TimelineEntry::Kind::disconnect)
            market.set_disconnected(id, action.begins);
        else if (entry.kind == TimelineEntry::Kind::data_outage)
            market.set_data_outage(id, action.begins);
        else
            market.scale_latency(id, action.begins ? entry.value : 1);
    }
}

}  // namespace damrak::market_runs
