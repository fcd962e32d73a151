#include <damrak/venue/detail/rules_reader.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <utility>

#include <damrak/domain/price_limit_names.hpp>
#include <damrak/engine/instrument_state.hpp>

namespace damrak::venue::detail {

namespace {

using files::TableReader;
using enum AllocationStep;

constexpr double k_billion = 1e9;
constexpr double k_hundred = 100;
constexpr std::int64_t k_most_extensions = 100;
constexpr auto k_steps = std::to_array<std::string_view>(
    {"top", "lead_makers", "split", "pro_rata", "leveling", "size", "same_broker"});
constexpr double k_most_price = 1e9;
constexpr auto k_closes = std::to_array<std::string_view>({"none", "last_trade", "last_auction"});
constexpr auto k_roundings = std::to_array<std::string_view>({"down", "nearest", "up"});

/// Without its steps: those of price and time.
struct Policy {
    std::string_view name;
    std::array<AllocationStep, 5> steps{};
    std::int64_t pro_rata_minimum = 1;
};
constexpr std::array k_policies{Policy{"price-time"},
                                Policy{"cme-f"},
                                Policy{"cme-a", {top, pro_rata}, 2},
                                Policy{"cme-c", {pro_rata}},
                                Policy{"cme-k", {top, lead_makers, split, pro_rata}},
                                Policy{"cme-o", {top, pro_rata}},
                                Policy{"cme-q", {top, lead_makers, pro_rata}},
                                Policy{"cme-s", {top, lead_makers}},
                                Policy{"cme-t", {lead_makers}},
                                Policy{"size-time", {size}},
                                Policy{"price-broker-time", {same_broker}}};

template <class Words>
std::vector<std::string_view> list_of(const Words& words) {
    return {words.begin(), words.end()};
}

/// The place of a text among the words of an enumeration.
template <class Enum, class Words>
Enum enum_of(TableReader& in, std::string_view key, Enum preset, const Words& words) {
    const std::string word =
        in.word(key, words[static_cast<std::size_t>(std::to_underlying(preset))], list_of(words));
    const auto found = std::ranges::find(words, std::string_view{word});
    return static_cast<Enum>(found - words.begin());
}

bool has(const AllocationDetails& allocation, AllocationStep step) {
    return std::ranges::find(allocation.steps, step) != allocation.steps.end();
}

/// Of a table of its own.
void read_margin(TableReader& in, Margin& margin) {
    margin.basis_points = basis_points(in, "percent", 100);
    margin.at_least = amount(in, "at_least");
}

void read_margin(TableReader& outer, std::string_view key, Margin& margin) {
    const toml::node* const node = outer.take(key);
    if (node == nullptr) return;
    if (!node->is_table())
        return outer.refuse(*node, key, "a table such as { percent = 2.5, at_least = 0.10 }");
    TableReader in{*node->as_table(), std::string{key}, outer.mistake()};
    const bool was_there = margin.exists();
    read_margin(in, margin);
    in.finish();
    if (!margin.exists() && !was_there)
        in.complain("it needs percent or at_least above zero, such as { percent = 2.5 }");
}

void read_steps(TableReader& in, AllocationDetails& made) {
    const toml::node* const node = in.take("steps");
    const std::vector<std::string> steps = in.texts("steps");
    const std::string wanted = fmt::format("at most {} different words of \"{}\"",
                                           made.steps.size(), fmt::join(k_steps, "\", \""));
    if (steps.size() > made.steps.size()) return in.refuse(*node, "steps", wanted);
    for (std::size_t i = 0; i < steps.size(); ++i) {
        const auto found = std::ranges::find(k_steps, steps[i]);
        const auto step = static_cast<AllocationStep>(found - k_steps.begin() + 1);
        if (found == k_steps.end() || has(made, step)) return in.refuse(*node, "steps", wanted);
        made.steps[i] = step;
    }
}

// A parameter belongs to its step, and the steps to each other.
void check_steps(TableReader& in, const AllocationDetails& made) {
    struct Owned {
        std::string_view key;
        AllocationStep step;
        std::string_view name;
    };
    for (const Owned& one :
         {Owned{"split_percent", split, "split"}, Owned{"split_rounding", split, "split"},
          Owned{"top_minimum", top, "top"}, Owned{"top_maximum", top, "top"},
          Owned{"pro_rata_minimum", pro_rata, "pro_rata"}, Owned{"leveling", pro_rata, "pro_rata"}})
        if (in.has(one.key) && !has(made, one.step))
            in.complain(fmt::format("{} belongs to the step \"{}\", which is not there", one.key,
                                    one.name));
    if (has(made, split) && made.split_basis_points == 0)
        in.complain("the step \"split\" needs split_percent");
    const auto place = [&](AllocationStep step) { return std::ranges::find(made.steps, step); };
    if (has(made, leveling) && (!has(made, pro_rata) || place(leveling) < place(pro_rata)))
        in.complain("the step \"leveling\" comes after \"pro_rata\"");
    if (made.top_minimum > made.top_maximum)
        in.complain("top_minimum must not be above top_maximum");
}

void read_allocation(TableReader& outer, AllocationDetails& allocation) {
    const toml::node* const node = outer.take("allocation");
    if (node == nullptr) return;
    if (!node->is_table())
        return outer.refuse(*node, "allocation", R"(a table such as { policy = "cme-a" })");
    TableReader in{*node->as_table(), "allocation", outer.mistake()};
    AllocationDetails made;
    if (in.has("policy") == in.has("steps"))
        in.complain("give it either a policy or steps of its own");
    read_steps(in, made);
    std::vector<std::string_view> names;
    names.reserve(k_policies.size());
    for (const Policy& policy : k_policies) names.push_back(policy.name);
    const std::string name = in.word("policy", "", names);
    for (const Policy& policy : k_policies) {
        if (policy.name != name) continue;
        made.steps = policy.steps;
        made.pro_rata_minimum = {policy.pro_rata_minimum};
    }
    if (in.truth("leveling", false) && !has(made, leveling) && has(made, pro_rata))
        *std::ranges::find(made.steps, none) = leveling;
    constexpr std::int64_t k_most = INT64_MAX;
    made.split_basis_points = basis_points(in, "split_percent", 100);
    made.split_rounding = static_cast<std::uint8_t>(
        std::ranges::find(k_roundings, in.word("split_rounding", "nearest", list_of(k_roundings))) -
        k_roundings.begin());
    if (!has(made, split)) made.split_rounding = 0;
    made.top_minimum = {in.whole("top_minimum", 1, 1, k_most)};
    made.top_maximum = {in.whole("top_maximum", k_most, 1, k_most)};
    made.pro_rata_minimum = {in.whole("pro_rata_minimum", made.pro_rata_minimum.value, 1, k_most)};
    check_steps(in, made);
    in.finish();
    allocation = made;
}

void read_lead_makers(TableReader& outer, Rules& rules) {
    if (outer.take("lead_makers") == nullptr) return;
    rules.lead_makers.clear();
    std::uint32_t sum = 0;
    for (const toml::table* const table : outer.tables("lead_makers")) {
        TableReader in{*table, "lead_makers", outer.mistake()};
        const LeadMaker maker{
            .participant = {static_cast<std::uint32_t>(in.whole("participant", 0, 1, UINT32_MAX))},
            .basis_points = basis_points(in, "percent", 100)};
        if (!in.has("participant") || maker.basis_points == 0)
            in.complain("each has a participant and a percent above zero");
        in.finish();
        if (std::ranges::find(rules.lead_makers, maker.participant, &LeadMaker::participant) !=
            rules.lead_makers.end())
            in.complain(fmt::format("participant {} is there twice", maker.participant.value));
        rules.lead_makers.push_back(maker);
        sum += maker.basis_points;
    }
    if (rules.lead_makers.size() > InstrumentRules::k_maximum_lead_makers)
        outer.complain(fmt::format("there are at most {} lead makers",
                                   InstrumentRules::k_maximum_lead_makers));
    if (sum > 10'000) outer.complain("the percentages of the lead makers exceed 100");
}

void read_band(TableReader& outer, Band& band) {
    const toml::node* const node = outer.take("band");
    if (node == nullptr) return;
    if (!node->is_table())
        return outer.refuse(*node, "band", "a table such as { lower = 9.5, upper = 10.5 }");
    TableReader in{*node->as_table(), "band", outer.mistake()};
    const bool was_there = band != Band{};
    band.lower = amount(in, "lower");
    band.upper = amount(in, "upper");
    band.reference = amount(in, "reference");
    in.finish();
    if (band.lower > band.upper) in.complain("upper must be given, and not below lower");
    if (band == Band{} && !was_there)
        in.complain("it needs an upper price above zero, or a reference");
    if (band.upper != 0 && band.reference != 0 &&
        (band.reference < band.lower || band.reference > band.upper))
        in.complain("reference must be from lower to upper");
}

void read_interruption(TableReader& outer, Interruption& interruption) {
    const toml::node* const node = outer.take("interruption");
    if (node == nullptr) return;
    if (!node->is_table())
        return outer.refuse(*node, "interruption",
                            R"(a table such as { minimum = "2min", random_end = "30s" })");
    TableReader in{*node->as_table(), "interruption", outer.mistake()};
    interruption.minimum_ns =
        in.duration("minimum", interruption.minimum_ns, k_millisecond_ns, k_day_ns);
    interruption.random_end_ns =
        in.duration("random_end", interruption.random_end_ns, 0, k_hour_ns);
    interruption.extensions = static_cast<std::uint32_t>(
        in.whole("extensions", interruption.extensions, 0, k_most_extensions));
    read_margin(in, "widening", interruption.widening);
    if (in.has("widening") && interruption.extensions == 0)
        in.complain("widening needs extensions above zero");
    in.finish();
}

void read_extensions(TableReader& outer, Extensions& extensions) {
    const toml::node* const node = outer.take("extensions");
    if (node == nullptr) return;
    if (!node->is_table())
        return outer.refuse(*node, "extensions",
                            R"(a table such as { price = 2, price_time = "5min" })");
    TableReader in{*node->as_table(), "extensions", outer.mistake()};
    const auto number = [&](std::string_view key) {
        return static_cast<std::uint32_t>(in.whole(key, 0, 0, k_most_extensions));
    };
    const auto time = [&](std::string_view key) {
        return in.duration(key, Extensions{}.price_time_ns, k_second_ns, k_hour_ns);
    };
    extensions = {.for_price = number("price"),
                  .price_time_ns = time("price_time"),
                  .for_market_orders = number("market_orders"),
                  .market_order_time_ns = time("market_order_time"),
                  .widening = {}};
    read_margin(in, "widening", extensions.widening);
    if (in.has("widening") && extensions.for_price == 0)
        in.complain("widening needs extensions for the price: price above zero");
    in.finish();
}

void read_luld(TableReader& outer, Luld& luld) {
    const toml::node* const node = outer.take("luld");
    if (node == nullptr) return;
    if (!node->is_table()) return outer.refuse(*node, "luld", "a table such as { tier = 1 }");
    TableReader in{*node->as_table(), "luld", outer.mistake()};
    luld = {.tier = static_cast<std::uint8_t>(in.whole("tier", 0, 0, 2)),
            .leverage_hundredths = multiple(in, "leverage", in.number("leverage", 1, 1, 10),
                                            k_hundred, "be a multiple of 0.01"),
            .previous_close = amount(in, "previous_close"),
            .straddle_pause_ns = in.duration("straddle_pause", 0, k_second_ns, k_hour_ns)};
    if (!in.has("tier")) in.complain("it needs a tier: 1, 2, or 0 for none");
    if (in.has("leverage") && luld.tier != 2) in.complain("leverage needs tier = 2");
    in.finish();
}

// By price, from below.
void read_table(TableReader& outer, std::vector<Daily::Step>& table) {
    if (outer.take("table") == nullptr) return;
    table.clear();
    for (const toml::table* const one : outer.tables("table")) {
        TableReader in{*one, "daily: table", outer.mistake()};
        const Daily::Step step{.below = amount(in, "below", 0, k_most_price),
                               .amount = amount(in, "amount", 0, k_most_price)};
        in.finish();
        if (step.amount == 0) in.complain("a step needs an amount above zero");
        if (!table.empty() &&
            (table.back().below == 0 || (step.below != 0 && step.below <= table.back().below)))
            in.complain("steps are in order of below, and only the last one has none");
        table.push_back(step);
    }
    if (table.empty() || table.back().below != 0)
        outer.complain(
            "the last step of the table has no below: it is for all prices above the others");
}

void read_daily(TableReader& outer, Daily& daily) {
    const toml::node* const node = outer.take("daily");
    if (node == nullptr) return;
    if (!node->is_table())
        return outer.refuse(
            *node, "daily",
            R"(a table such as { close = "last_trade", limits = { percent = 10 } })");
    TableReader in{*node->as_table(), "daily", outer.mistake()};
    daily = {};
    daily.close = enum_of(in, "close", Daily::Close::none, k_closes);
    if (!in.has("close"))
        in.complain(R"(it needs the close: "last_trade", "last_auction", "none")");
    daily.previous_close = amount(in, "previous_close", 0, k_most_price);
    read_margin(in, "limits", daily.limits);
    read_table(in, daily.table);
    in.finish();
    if (daily.limits.exists() && !daily.table.empty())
        in.complain("give it either limits or a table of them");
    if (!daily.exists() && (daily.has_limits() || daily.previous_close != 0))
        in.complain(R"(close = "none" takes nothing over: leave the other keys out)");
}

void check_daily(TableReader& in, const Rules& rules) {
    if (rules.daily.exists() && (rules.band != Band{} || rules.luld.exists()))
        in.complain(
            "daily goes without band and luld, as it sets the band of each day: give its "
            "previous_close and limits");
}

// The supervisor sets the band of an instrument, and keeps the reference price there.
void check_luld(TableReader& in, const Rules& rules) {
    const Limits& limits = rules.limits;
    if (!rules.luld.exists()) return;
    if (limits.static_corridor.exists() || limits.auction_corridor.exists() ||
        rules.band != Band{} || limits.on_breach == OnBreach::interrupt)
        in.complain(
            "luld goes without static_corridor, auction_corridor, band and "
            "on_breach = \"interrupt\"");
}

}  // namespace

// The quotient of two whole numbers is the double nearest to it, as the number of the file is.
std::int64_t multiple(TableReader& in, std::string_view key, double value, double parts,
                      std::string_view wanted) {
    const double count = std::round(value * parts);
    if (count / parts != value) in.complain(fmt::format("{} must {}", key, wanted));
    return static_cast<std::int64_t>(count);
}

std::int64_t amount(TableReader& in, std::string_view key, double least, double most) {
    return multiple(in, key, in.number(key, 0, least, most), k_billion, "have at most 9 decimals");
}

std::uint16_t basis_points(TableReader& in, std::string_view key, double most) {
    return static_cast<std::uint16_t>(
        multiple(in, key, in.number(key, 0, 0, most), k_hundred, "be a multiple of 0.01"));
}

void read_rules(TableReader& in, Rules& rules) {
    read_allocation(in, rules.allocation);
    read_lead_makers(in, rules);
    Limits& limits = rules.limits;
    read_margin(in, "dynamic_corridor", limits.dynamic_corridor);
    read_margin(in, "static_corridor", limits.static_corridor);
    read_margin(in, "market_collar", limits.market_collar);
    read_margin(in, "entry_limit", limits.entry_limit);
    read_margin(in, "auction_corridor", limits.auction_corridor);
    limits.on_breach = enum_of(in, "on_breach", limits.on_breach, k_on_breach_names);
    limits.on_own_cross = enum_of(in, "on_own_cross", limits.on_own_cross, k_on_own_cross_names);
    limits.refuse_reached_stops = in.truth("refuse_reached_stops", limits.refuse_reached_stops);
    read_band(in, rules.band);
    read_interruption(in, rules.interruption);
    read_extensions(in, rules.extensions);
    read_luld(in, rules.luld);
    read_daily(in, rules.daily);
    const bool has_range = rules.daily.has_limits() || limits.dynamic_corridor.exists() ||
                           limits.static_corridor.exists() || rules.band.lower != 0 ||
                           rules.band.upper != 0 || rules.luld.exists();
    if (in.has("on_breach") && !has_range)
        in.complain(
            "on_breach needs dynamic_corridor, static_corridor, band, luld or daily limits");
    if (in.has("interruption") && limits.on_breach != OnBreach::interrupt)
        in.complain(R"(interruption needs on_breach = "interrupt")");
    if ((rules.extensions.for_price != 0 || rules.interruption.extensions != 0) &&
        !limits.auction_corridor.exists())
        in.complain("extensions for the price need auction_corridor");
    check_luld(in, rules);
    check_daily(in, rules);
    if (!rules.lead_makers.empty() && !has(rules.allocation, lead_makers))
        in.complain("lead_makers needs an allocation with a step for them");
}

}  // namespace damrak::venue::detail

namespace damrak::venue {

void read_rules(files::TableReader& in, Rules& rules) { detail::read_rules(in, rules); }

}  // namespace damrak::venue
