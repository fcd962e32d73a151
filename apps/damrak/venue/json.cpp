#include "venue/json.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include <damrak/base/time_units.hpp>
#include <damrak/domain/phase_names.hpp>

namespace damrak::app {

namespace {

using Json = nlohmann::ordered_json;

constexpr auto k_steps = std::to_array<std::string_view>(
    {"none", "top", "lead_makers", "split", "pro_rata", "leveling", "size", "same_broker"});
constexpr auto k_breaches = std::to_array<std::string_view>({"rest", "cancel", "interrupt"});
constexpr auto k_crosses =
    std::to_array<std::string_view>({"rest_undisplayed", "refuse", "reprice"});
constexpr auto k_closes = std::to_array<std::string_view>({"none", "last_trade", "last_auction"});
constexpr auto k_roundings = std::to_array<std::string_view>({"down", "nearest", "up"});
constexpr auto k_weekdays =
    std::to_array<std::string_view>({"mon", "tue", "wed", "thu", "fri", "sat", "sun"});

double percent(std::uint32_t basis_points) { return basis_points / 100.0; }
double currency(std::int64_t billionths) { return static_cast<double>(billionths) / 1e9; }
Json currency_or_null(std::int64_t billionths) {
    return billionths == 0 ? Json(nullptr) : Json(currency(billionths));
}
double in_seconds(std::int64_t ns) {
    return static_cast<double>(ns) / static_cast<double>(k_second_ns);
}

Json to_json(const venue::Margin& margin) {
    if (!margin.exists()) return nullptr;
    return {{"percent", percent(margin.basis_points)}, {"at_least", currency(margin.at_least)}};
}

Json to_json(const AllocationDetails& allocation) {
    Json steps = Json::array();
    Json object = Json::object();
    for (const AllocationStep step : allocation.steps)
        if (step != AllocationStep::none) steps.push_back(k_steps[std::to_underlying(step)]);
    const auto has = [&](AllocationStep step) {
        return std::ranges::find(allocation.steps, step) != allocation.steps.end();
    };
    object["steps"] = std::move(steps);
    if (has(AllocationStep::top)) {
        object["top_minimum"] = allocation.top_minimum.value;
        if (allocation.top_maximum.value == INT64_MAX)
            object["top_maximum"] = nullptr;
        else
            object["top_maximum"] = allocation.top_maximum.value;
    }
    if (has(AllocationStep::split)) {
        object["split_percent"] = percent(allocation.split_basis_points);
        object["split_rounding"] = k_roundings[allocation.split_rounding];
    }
    if (has(AllocationStep::pro_rata))
        object["pro_rata_minimum"] = allocation.pro_rata_minimum.value;
    return object;
}

Json to_json(const venue::Daily& daily) {
    Json table = Json::array();
    for (const venue::Daily::Step& step : daily.table)
        table.push_back(
            {{"below", currency_or_null(step.below)}, {"amount", currency(step.amount)}});
    return {{"close", k_closes[std::to_underlying(daily.close)]},
            {"previous_close", currency_or_null(daily.previous_close)},
            {"limits", to_json(daily.limits)},
            {"table", std::move(table)}};
}

Json group_json(std::string_view name, const std::vector<std::string>& symbols,
                const venue::Rules& rules) {
    Json object{{"name", name}, {"symbols", symbols}};
    object.update(app::to_json(rules));
    return object;
}

}  // namespace

std::string time_of_day(std::int64_t after_midnight_ns) {
    const std::int64_t seconds = after_midnight_ns / k_second_ns;
    const std::int64_t rest = after_midnight_ns % k_second_ns;
    std::string text = fmt::format("{:02}:{:02}", seconds / 3'600, seconds / 60 % 60);
    if (seconds % 60 != 0 || rest != 0) text += fmt::format(":{:02}", seconds % 60);
    return rest == 0 ? text : fmt::format("{}.{:09}", text, rest);
}

std::vector<std::string> words_of(venue::Weekdays days) {
    std::vector<std::string> words;
    for (std::size_t i = 0; i < k_weekdays.size(); ++i)
        if ((days >> i & 1U) != 0) words.emplace_back(k_weekdays[i]);
    return words;
}

std::vector<std::string_view> refused(const venue::TradingSession& session) {
    std::vector<std::string_view> words;
    for (std::size_t i = 0; i < venue::k_restriction_names.size(); ++i)
        if ((session.refuses >> i & 1U) != 0) words.push_back(venue::k_restriction_names[i]);
    return words;
}

Json to_json(const venue::TradingSession& session) {
    Json object{{"name", session.name},
                {"at", time_of_day(session.at_ns)},
                {"days", words_of(session.days)},
                {"phase", name(session.phase)}};
    if (session.phase == Phase::call) object["call"] = name(session.call);
    if (session.auction) object["auction"] = name(*session.auction);
    if (session.phase == Phase::call) {
        object["random_end_s"] = in_seconds(session.random_end_ns);
        object["sealed"] = session.sealed;
    }
    if (session.continues) object["continues"] = true;
    if (session.interval_ns != 0) object["interval_s"] = in_seconds(session.interval_ns);
    if (session.refuses != 0) object["refuses"] = refused(session);
    return object;
}

Json to_json(const venue::Rules& rules) {
    Json makers = Json::array();
    for (const venue::LeadMaker& maker : rules.lead_makers)
        makers.push_back(
            {{"participant", maker.participant.value}, {"percent", percent(maker.basis_points)}});
    const venue::Limits& limits = rules.limits;
    Json object{{"allocation", to_json(rules.allocation)},
                {"lead_makers", std::move(makers)},
                {"dynamic_corridor", to_json(limits.dynamic_corridor)},
                {"static_corridor", to_json(limits.static_corridor)},
                {"market_collar", to_json(limits.market_collar)},
                {"entry_limit", to_json(limits.entry_limit)},
                {"auction_corridor", to_json(limits.auction_corridor)},
                {"on_breach", k_breaches[std::to_underlying(limits.on_breach)]},
                {"interruption", nullptr},
                {"on_own_cross", k_crosses[std::to_underlying(limits.on_own_cross)]},
                {"refuse_reached_stops", limits.refuse_reached_stops},
                {"band", nullptr},
                {"extensions", nullptr},
                {"luld", nullptr},
                {"daily", nullptr}};
    if (limits.on_breach == OnBreach::interrupt)
        object["interruption"] = {{"minimum_s", in_seconds(rules.interruption.minimum_ns)},
                                  {"random_end_s", in_seconds(rules.interruption.random_end_ns)},
                                  {"extensions", rules.interruption.extensions},
                                  {"widening", to_json(rules.interruption.widening)}};
    if (const venue::Extensions& of = rules.extensions; of.exist())
        object["extensions"] = {{"price", of.for_price},
                                {"price_time_s", in_seconds(of.price_time_ns)},
                                {"widening", to_json(of.widening)},
                                {"market_orders", of.for_market_orders},
                                {"market_order_time_s", in_seconds(of.market_order_time_ns)}};
    if (const venue::Luld& luld = rules.luld; luld.exists())
        object["luld"] = {
            {"tier", luld.tier},
            {"leverage", percent(static_cast<std::uint32_t>(luld.leverage_hundredths))},
            {"previous_close", currency_or_null(luld.previous_close)},
            {"straddle_pause_s", luld.straddle_pause_ns == 0
                                     ? Json(nullptr)
                                     : Json(in_seconds(luld.straddle_pause_ns))}};
    if (rules.daily.exists()) object["daily"] = to_json(rules.daily);
    if (rules.band != venue::Band{})
        object["band"] = {{"lower", currency(rules.band.lower)},
                          {"upper", currency(rules.band.upper)},
                          {"reference", currency(rules.band.reference)}};
    return object;
}

namespace {

Json parts_json(const std::vector<venue::BreakerRule::Part>& parts) {
    Json rows = Json::array();
    for (const venue::BreakerRule::Part& part : parts)
        rows.push_back({{"symbol", part.symbol}, {"weight", part.weight}});
    return rows;
}

Json to_json(const FeeRates& rates) {
    const auto one = [](const FeeRate& rate) {
        return Json{{"per_share", currency(rate.per_share)},
                    {"percent", static_cast<double>(rate.millionths) / 1e4}};
    };
    return {
        {"maker", one(rates.maker)}, {"taker", one(rates.taker)}, {"auction", one(rates.auction)}};
}

std::vector<std::uint32_t> numbers(const std::vector<ParticipantId>& participants) {
    std::vector<std::uint32_t> all;
    all.reserve(participants.size());
    for (const ParticipantId one : participants) all.push_back(one.value);
    return all;
}

Json to_json(const venue::Delay& delay) {
    return {{"taking_s", in_seconds(delay.taking.fixed_ns)},
            {"taking_random_s", in_seconds(delay.taking.random_ns)},
            {"other_s", in_seconds(delay.other.fixed_ns)},
            {"other_random_s", in_seconds(delay.other.random_ns)},
            {"reports_s", in_seconds(delay.reports_ns)},
            {"market_data_s", in_seconds(delay.market_data_ns)}};
}

Json to_json(const Fees& fees) {
    Json object = to_json(fees.all);
    Json groups = Json::array();
    for (const Fees::Group& group : fees.groups) {
        Json one{{"name", group.name}, {"participants", numbers(group.participants)}};
        one.update(to_json(group.rates));
        groups.push_back(std::move(one));
    }
    object["groups"] = std::move(groups);
    return object;
}

Json to_json(const venue::Combination& of) {
    const auto price = [](const std::optional<std::int64_t>& billionths) {
        return billionths ? Json(currency(*billionths)) : Json(nullptr);
    };
    Json legs = Json::array();
    for (const venue::Combination::Leg& leg : of.legs)
        legs.push_back({{"symbol", leg.symbol}, {"ratio", leg.ratio}});
    return {{"symbol", of.symbol},
            {"kind", of.kind == CombinationKind::spread ? "spread" : "basket"},
            {"legs", std::move(legs)},
            {"tick", currency_or_null(of.tick)},
            {"minimum_price", price(of.minimum_price)},
            {"maximum_price", price(of.maximum_price)}};
}

Json to_json(const venue::Obligation& of) {
    return {{"name", of.name},
            {"participants", numbers(of.participants)},
            {"symbols", of.symbols},
            {"presence", of.presence_percent},
            {"spread", currency(of.most_spread)},
            {"quantity", of.least_quantity},
            {"period_s", in_seconds(of.period_ns)}};
}

}  // namespace

Json to_json(const venue::BreakerRule& breaker) {
    Json index = parts_json(breaker.index);
    Json levels = Json::array();
    for (const std::int64_t fall : breaker.fall_basis_points)
        levels.push_back(percent(static_cast<std::uint32_t>(fall)));
    return {{"index", std::move(index)},
            {"previous_close", currency_or_null(breaker.previous_close)},
            {"levels", std::move(levels)},
            {"halt_s", in_seconds(breaker.halt_ns)},
            {"quiet_before_close_s", in_seconds(breaker.quiet_before_close_ns)}};
}

Json to_json(const venue::Venue& venue) {
    Json sessions = Json::array();
    for (const venue::TradingSession& session : venue.sessions)
        sessions.push_back(to_json(session));
    Json groups = Json::array();
    groups.push_back(group_json("default", {}, venue.rules));
    for (const venue::Group& group : venue.groups)
        groups.push_back(group_json(group.name, group.symbols, group.rules));
    Json combinations = Json::array();
    for (const venue::Combination& one : venue.combinations) combinations.push_back(to_json(one));
    Json obligations = Json::array();
    for (const venue::Obligation& one : venue.obligations) obligations.push_back(to_json(one));
    Json index;
    if (venue.index)
        index = {{"name", venue.index->name}, {"parts", parts_json(venue.index->parts)}};
    return {{"name", venue.name},
            {"about", venue.about},
            {"zone", venue.zone},
            {"day",
             {{"begin", time_of_day(venue.day_begin_ns)}, {"end", time_of_day(venue.day_end_ns)}}},
            {"sessions", std::move(sessions)},
            {"indicative_every_s",
             venue.indicative_every_ns != 0 ? Json(in_seconds(venue.indicative_every_ns)) : Json()},
            {"groups", std::move(groups)},
            {"combinations", std::move(combinations)},
            {"market_breaker", venue.market_breaker ? to_json(*venue.market_breaker) : Json()},
            {"delay", venue.delay.exists() ? to_json(venue.delay) : Json()},
            {"fees", venue.fees.exist() ? to_json(venue.fees) : Json()},
            {"obligations", std::move(obligations)},
            {"index", std::move(index)},
            {"sources", venue.sources},
            {"leaves_out", venue.leaves_out}};
}

}  // namespace damrak::app
