#include <damrak/market_runs/detail/by_group.hpp>

#include <algorithm>
#include <cstdlib>
#include <functional>

#include <damrak/measures/price_discovery.hpp>

namespace damrak::market_runs {
namespace {

constexpr std::int64_t k_ns_a_second = 1'000'000'000;
constexpr unsigned k_price_decimals = 4;

}  // namespace

MarketMeasures::MarketMeasures(InstrumentId instrument, const measures::Settings& settings,
                               const std::vector<std::string>& group_of,
                               const market_kernel::ExchangeModel& exchange)
    : instrument_(instrument), exchange_(exchange), settings_(settings), measures_(settings) {
    for (const std::string& name : group_of) {
        const auto found = std::ranges::find(groups_, name, &GroupResult::group);
        groups_of_.push_back(static_cast<std::size_t>(found - groups_.begin()));
        if (found != groups_.end()) continue;
        groups_.emplace_back();
        groups_.back().group = name;
    }
    held_since_.resize(groups_.size());
    measures_.on_second([this](std::int64_t second, double mid) {
        if (mids_.empty()) first_second_ = second;
        mids_.push_back(mid);
    });
}

void MarketMeasures::oblige(const measures::Obligation& obligation, Timestamp begin) {
    const auto found = std::ranges::find(groups_, obligation.group, &GroupResult::group);
    if (found == groups_.end()) return;
    const auto group = static_cast<std::size_t>(found - groups_.begin());
    std::vector<bool> is_maker;
    is_maker.reserve(groups_of_.size());
    for (const std::size_t one : groups_of_) is_maker.push_back(one == group);
    watches_.push_back(
        {group, measures::QuotingWatch{obligation, settings_.tick, is_maker, begin}});
}

void MarketMeasures::on_event(const Event& event, const CommandStamp& stamp) {
    if (event.instrument != instrument_) return;
    for (Watch& watch : watches_) watch.quoting.on_event(event, stamp.timestamp);
    using Kind = measures::OrderMessage::Kind;
    // Only what the public book shows, as in a recorded day: an order that trades at once and does
    // not rest was never added, and what an IOC order leaves was never cancelled.
    const bool is_entry = event.command == CommandKind::new_order;
    const bool is_taker = has_flag(event, EventFlags::k_aggressor);
    note_race(event, stamp.timestamp);
    const bool rests = has_flag(event, EventFlags::k_on_book) && event.displayed.value > 0;
    switch (event.kind) {
        case EventKind::accepted:
            if (rests) add_message(Kind::added, event.displayed, event, stamp.timestamp);
            return;
        case EventKind::cancelled:
        case EventKind::expired:
            if (is_entry) return;
            return add_message(event.remaining.value == 0 ? Kind::removed : Kind::reduced,
                               event.quantity, event, stamp.timestamp);
        case EventKind::replaced:
            return add_message(Kind::replaced, event.remaining, event, stamp.timestamp);
        case EventKind::executed:
            if (!is_taker)
                add_message(
                    has_flag(event, EventFlags::k_hidden) ? Kind::executed_hidden : Kind::executed,
                    event.quantity, event, stamp.timestamp);
            else if (rests && is_entry)
                add_message(Kind::added, event.displayed, event, stamp.timestamp);
            return note_fill(event, stamp.timestamp);
        case EventKind::rejected:
            if (event.participant) ++groups_[groups_of_[event.participant.value - 1]].rejected;
            return;
        default:
            return;
    }
}

void MarketMeasures::add_message(measures::OrderMessage::Kind kind, Quantity quantity,
                                 const Event& event, Timestamp time) {
    measures_.on_message({.kind = kind,
                          .time = time,
                          .quantity = quantity,
                          .order = event.order_id,
                          .side = event.side,
                          .price = event.price});
}

void MarketMeasures::note_race(const Event& event, Timestamp time) {
    if (!event.participant) return;
    const bool is_entry = event.command == CommandKind::new_order;
    if (event.kind == EventKind::executed && has_flag(event, EventFlags::k_aggressor))
        races_.take(time, event.participant, event.order_id, event.side, event.price,
                    event.quantity);
    else if (event.kind == EventKind::executed)
        races_.taken(time, event.participant, opposite(event.side));
    else if (event.kind == EventKind::rejected && event.command == CommandKind::cancel_order)
        races_.cancel_failed(time, event.participant);
    else if (is_entry &&
             (event.kind == EventKind::cancelled || event.kind == EventKind::expired ||
              (event.kind == EventKind::rejected && event.time_in_force == TimeInForce::ioc)))
        races_.take_failed(time, event.participant, event.order_id, event.side);
}

void MarketMeasures::note_fill(const Event& event, Timestamp time) {
    settle({time.value - 1});
    const std::size_t group = groups_of_[event.participant.value - 1];
    GroupResult& result = groups_[group];
    const bool is_taker = has_flag(event, EventFlags::k_aggressor);
    const std::int64_t sign = event.side == Side::buy ? 1 : -1;
    const std::int64_t fee = fee_of(exchange_.fees.of(event.participant).of(event), event.price,
                                    event.quantity, k_price_decimals);
    if (held_since_[group].value != 0)
        result.inventory.add(static_cast<double>(result.position),
                             (time - held_since_[group]).value);
    held_since_[group] = time;
    result.cash -= sign * event.price.value * event.quantity.value + fee;
    result.fees += fee;
    result.position += sign * event.quantity.value;
    result.largest_inventory = std::max(result.largest_inventory, std::abs(result.position));
    (is_taker ? result.taker_volume : result.maker_volume) += event.quantity.value;
    if (is_taker || twice_mid_ == 0) return;
    for (auto& fills : fills_) fills.push_back({time, group, sign, twice_mid_});
}

void MarketMeasures::settle(Timestamp until) {
    races_.settle(until, twice_mid_);
    for (std::size_t i = 0; i < fills_.size(); ++i) {
        auto& fills = fills_[i];
        while (!fills.empty() &&
               fills.front().time.value + k_adverse_s[i] * k_ns_a_second <= until.value) {
            const Fill& fill = fills.front();
            groups_[fill.group].adverse_selection[i].add(
                static_cast<double>(fill.sign * (fill.twice_mid - twice_mid_)) / 2);
            fills.pop_front();
        }
    }
}

void MarketMeasures::on_change(InstrumentId instrument, const views::PublicChange& change) {
    if (instrument != instrument_) return;
    settle({change.time.value - 1});
    for (Watch& watch : watches_)
        watch.quoting.set_trading(change.trading_state == TradingState::trading, change.time);
    static_cast<void>(measures_.on_change(change));
    if (change.has_both()) twice_mid_ = change.twice_mid();
}

void MarketMeasures::on_sent(ParticipantId participant, const Command& command,
                             Timestamp /*time*/) {
    if (command.instrument == instrument_) ++groups_[groups_of_[participant.value - 1]].messages;
}

measures::Results MarketMeasures::finish(Timestamp end) {
    settle(end);
    for (Watch& watch : watches_) groups_[watch.group].quoting = watch.quoting.finish(end);
    for (std::size_t i = 0; i < groups_.size(); ++i) {
        GroupResult& group = groups_[i];
        if (held_since_[i].value != 0)
            group.inventory.add(static_cast<double>(group.position), (end - held_since_[i]).value);
        group.has_profit = group.position == 0 || twice_mid_ != 0;
        if (group.has_profit)
            group.twice_profit =
                2 * (group.cash + group.quoting.payment) + group.position * twice_mid_;
    }
    for (const auto& [participant, races] : races_.by_participant()) {
        measures::RaceResult& group = groups_[groups_of_[participant - 1]].races;
        group.entered += races.entered;
        group.won += races.won;
        group.shares += races.shares;
        group.twice_rent += races.twice_rent;
    }
    measures::Results results = measures_.finish(end);
    std::uint64_t messages = 0;
    std::uint64_t rejected = 0;
    for (const GroupResult& group : groups_) {
        messages += group.messages;
        rejected += group.rejected;
    }
    results.add("rejected_messages", "share",
                static_cast<double>(rejected) / static_cast<double>(messages), messages);
    results.add("latency_races", "1", static_cast<double>(races_.races()), races_.races());
    return results;
}

void MarketMeasures::add_price_discovery(market_kernel::Fundamentals& fundamentals,
                                         measures::Results& results) const {
    std::vector<double> values;
    values.reserve(mids_.size());
    for (std::size_t i = 0; i < mids_.size(); ++i)
        values.push_back(fundamentals.value(
            instrument_, {(first_second_ + static_cast<std::int64_t>(i)) * k_ns_a_second}));
    if (std::ranges::adjacent_find(values, std::ranges::not_equal_to{}) == values.end()) return;
    measures::report_price_discovery({.mids = mids_, .values = values}, settings_, results);
}

}  // namespace damrak::market_runs
