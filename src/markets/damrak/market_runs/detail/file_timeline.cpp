#include <damrak/market_runs/detail/file_timeline.hpp>

#include <algorithm>
#include <cmath>
#include <sstream>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <damrak/base/duration_text.hpp>
#include <damrak/base/time_units.hpp>
#include <damrak/base/toml_text.hpp>
#include <damrak/domain/phase_names.hpp>
#include <damrak/venue/read_rules.hpp>
#include <damrak/venue/rule_commands.hpp>

namespace damrak::market_runs::detail {
namespace {

using Kind = TimelineEntry::Kind;

constexpr Kind k_event_kinds[] = {Kind::halt,         Kind::news,           Kind::disconnect,
                                  Kind::data_outage,  Kind::latency,        Kind::limits,
                                  Kind::service_time, Kind::taker_bump,     Kind::sell_programme,
                                  Kind::fat_finger,   Kind::quote_stuffing, Kind::rules,
                                  Kind::auction};
constexpr std::int64_t k_most_pairs = 10'000'000;
constexpr double k_ns_per_s = 1e9;

bool needs_group(Kind kind) {
    return kind == Kind::disconnect || kind == Kind::data_outage || kind == Kind::latency;
}

bool is_delay(Kind kind) { return kind == Kind::service_time || kind == Kind::taker_bump; }

/// Parameters that follow from the event, not from keys of the same name.
bool is_given(std::string_view parameter) {
    static constexpr std::string_view k_given[] = {"start",        "end",   "children",
                                                   "bursts_per_s", "pairs", "gap"};
    return std::ranges::find(k_given, parameter) != std::end(k_given);
}

const participants::Kind* kind_of(Kind event, bool by_volume) {
    if (event == Kind::fat_finger) return participants::find_kind("fat-finger");
    if (event == Kind::quote_stuffing) return participants::find_kind("quote-stuffer");
    return participants::find_kind(by_volume ? "pov" : "twap");
}

void give(GroupDescription& group, std::string_view parameter, std::int64_t value) {
    participants::ParameterValue given{};
    given.whole = value;
    group.parameters.insert_or_assign(std::string{parameter}, std::move(given));
}

// One burst from the begin to the end.
void read_stuffing(TableReader& in, std::int64_t length_ns, GroupDescription& group) {
    const double rate = in.number("orders_per_s", 1'000, 1, 1'000'000);
    const auto gap_ns = static_cast<std::int64_t>(std::round(k_ns_per_s / rate));
    give(group, "gap", gap_ns);
    give(group, "pairs", std::min(length_ns / gap_ns + 1, k_most_pairs));
    give(group, "bursts_per_s", 0);
}

void read_trading(TableReader& in, const Places& places, MarketFile& file, TimelineEntry& entry) {
    GroupDescription group;
    group.event_at_ns = entry.at_ns;
    group.name = in.text("name", name_of(entry.kind));
    if (file.find_group(group.name) != nullptr)
        in.complain(fmt::format(
            "there is a group of the name \"{}\": give the event another `name`", group.name));
    group.kind = kind_of(entry.kind, in.has("participation"));
    if (entry.instrument)
        group.instruments = {entry.instrument};
    else
        for (const auto& one : file.instruments) group.instruments.push_back(one.definition.id);
    read_connection(in, places, group);
    if (entry.kind != Kind::quote_stuffing && !in.has("quantity"))
        in.complain(fmt::format("the event {} needs a quantity", name_of(entry.kind)));
    for (const auto& row : group.kind->parameters)
        if (!is_given(row.name)) read_parameter(in, row, group.parameters);
    const std::int64_t end_ns =
        entry.for_ns ? entry.at_ns + *entry.for_ns : std::max(file.duration_ns, entry.at_ns + 1);
    give(group, "start", entry.at_ns);
    give(group, "end", end_ns);
    if (entry.kind == Kind::quote_stuffing) read_stuffing(in, end_ns - entry.at_ns, group);
    if (in.mistake().is_there()) return;
    if (const std::string wrong = group.kind->check(group.parameters); !wrong.empty())
        in.complain(wrong);
    entry.group = group.name;
    file.groups.push_back(std::move(group));
}

void read_limits(TableReader& in, LimitDetails& limits) {
    constexpr std::int64_t k_most = LimitDetails::k_unlimited;
    const auto limit = [&](std::string_view key) { return in.whole(key, k_most, 0, k_most); };
    limits.order_quantity = {limit("order_quantity")};
    limits.open_orders = limit("open_orders");
    limits.position = {limit("position")};
    if (limits == LimitDetails{})
        in.complain("the event limits needs order_quantity, open_orders or position");
}

// What a venue's clock and supervisor follow stays as the venue has it.
void check_rules(TableReader& in, const MarketFile& file, const RuleChange& change) {
    const venue::Rules& during = change.during;
    if (during.luld != change.usual.luld || during.extensions != change.usual.extensions ||
        during.interruption != change.usual.interruption)
        in.complain("luld, extensions and interruption are those of a venue: name it as `venue`");
    if (file.venue == nullptr && during.limits.on_breach == OnBreach::interrupt)
        in.complain("on_breach = \"interrupt\" needs a venue, which ends its calls");
    const InstrumentDefinition& definition =
        file.instruments[change.instrument.value - 1].definition;
    if (const auto plan = venue::rule_commands(during, definition, {}); !plan)
        in.complain(plan.error());
}

// In one line.
std::string text_of(toml::table table) {
    table.is_inline(true);
    std::ostringstream text;
    text << toml::toml_formatter{table};
    return text.str();
}

void read_changes(TableReader& in, const MarketFile& file, TimelineEntry& entry) {
    const toml::node* const node = in.take("rules");
    if (node == nullptr || !node->is_table())
        return in.complain(
            R"(the event rules needs them: rules = { allocation = { policy = "cme-c" } })");
    entry.rules_text = text_of(*node->as_table());
    for (const InstrumentDescription& one : file.instruments) {
        const InstrumentDefinition& definition = one.definition;
        if (entry.instrument && entry.instrument != definition.id) continue;
        RuleChange change{.instrument = definition.id};
        if (file.venue != nullptr) change.usual = file.venue->rules_of(definition.symbol.view());
        change.during = change.usual;
        TableReader rules{*node->as_table(), "rules", in.mistake()};
        venue::read_rules(rules, change.during);
        rules.finish();
        check_rules(rules, file, change);
        entry.changes.push_back(std::move(change));
    }
}

void read_auction(TableReader& in, TimelineEntry& entry) {
    const auto& names = k_auction_rule_names;
    const std::string word = in.word("auction", names[0], {names.begin(), names.end()});
    entry.auction = static_cast<AuctionRule>(std::ranges::find(names, word) - names.begin());
    if (entry.auction == AuctionRule::frequent_batch)
        in.complain("batches need a venue; the auction of a call has another rule");
    if (!entry.for_ns) in.complain("an auction needs the length of its call: for = \"2min\"");
}

std::string describe_trading(const TimelineEntry& entry, const MarketFile& file) {
    const GroupDescription* const group = file.find_group(entry.group);
    if (group == nullptr) return {};
    std::string text =
        fmt::format("name = {}\n{}", toml_text(group->name), describe_connection(*group));
    for (const auto& row : group->kind->parameters) {
        const auto found = group->parameters.find(row.name);
        const auto& value = found == group->parameters.end() ? row.preset : found->second;
        if (row.name == "gap")
            text +=
                fmt::format("orders_per_s = {}\n", k_ns_per_s / static_cast<double>(value.whole));
        else if (!is_given(row.name))
            text += fmt::format("{} = {}\n", row.name, describe_value(row, value));
    }
    return text;
}

std::string describe_limits(const LimitDetails& limits) {
    std::string text;
    const auto add = [&](std::string_view key, std::int64_t limit) {
        if (limit != LimitDetails::k_unlimited) text += fmt::format("{} = {}\n", key, limit);
    };
    add("order_quantity", limits.order_quantity.value);
    add("open_orders", limits.open_orders);
    add("position", limits.position.value);
    return text;
}

}  // namespace

void read_timeline(TableReader& in, const Places& places, MarketFile& file) {
    TimelineEntry entry;
    entry.at_ns = in.duration("at", -1, 0, file.duration_ns);
    if (entry.at_ns < 0) in.complain("an entry needs its time: at = \"5min\"");
    if (in.has("for")) entry.for_ns = in.duration("for", 0, 1, 100 * k_day_ns);
    static_cast<void>(in.take("for"));
    std::vector<std::string_view> names;
    for (const Kind kind : k_event_kinds) names.push_back(name_of(kind));
    const std::string event = in.word("event", "", names);
    if (event.empty()) in.complain("an entry needs its event");
    for (const Kind kind : k_event_kinds)
        if (name_of(kind) == event) entry.kind = kind;
    if (const std::string symbol = in.text("instrument", ""); !symbol.empty()) {
        entry.instrument = file.find_instrument(symbol);
        if (!entry.instrument) in.complain(fmt::format("there is no instrument \"{}\"", symbol));
    }
    if (trades(entry.kind)) {
        read_trading(in, places, file, entry);
    } else {
        entry.group = in.text("group", "");
        if (!entry.group.empty() && file.find_group(entry.group) == nullptr)
            in.complain(fmt::format("there is no group \"{}\"", entry.group));
        if (needs_group(entry.kind) && entry.group.empty())
            in.complain(fmt::format("the event {} needs a group", event));
    }
    if (entry.kind == Kind::news) entry.value = in.number("log_return", 0, -5, 5);
    if (entry.kind == Kind::latency) entry.value = in.number("factor", 1, 0, 1'000'000);
    if (is_delay(entry.kind)) entry.time_ns = in.duration("time", 0, 0, k_second_ns);
    if (entry.kind == Kind::limits) read_limits(in, entry.limits);
    if (entry.kind == Kind::rules) read_changes(in, file, entry);
    if (entry.kind == Kind::auction) read_auction(in, entry);
    in.finish();
    file.timeline.push_back(std::move(entry));
}

std::string describe_entry(const TimelineEntry& entry, const MarketFile& file) {
    std::string text = fmt::format("\n[[timeline]]\nat = \"{}\"\nevent = \"{}\"\n",
                                   duration_text(entry.at_ns), name_of(entry.kind));
    if (entry.for_ns) text += fmt::format("for = \"{}\"\n", duration_text(*entry.for_ns));
    if (entry.instrument)
        text += fmt::format(
            "instrument = {}\n",
            toml_text(file.instruments[entry.instrument.value - 1].definition.symbol.view()));
    if (trades(entry.kind)) return text + describe_trading(entry, file);
    if (!entry.group.empty()) text += fmt::format("group = {}\n", toml_text(entry.group));
    if (entry.kind == Kind::news) text += fmt::format("log_return = {}\n", entry.value);
    if (entry.kind == Kind::latency) text += fmt::format("factor = {}\n", entry.value);
    if (is_delay(entry.kind)) text += fmt::format("time = \"{}\"\n", duration_text(entry.time_ns));
    if (entry.kind == Kind::limits) text += describe_limits(entry.limits);
    if (entry.kind == Kind::rules) text += fmt::format("rules = {}\n", entry.rules_text);
    if (entry.kind == Kind::auction) text += fmt::format("auction = \"{}\"\n", name(entry.auction));
    return text;
}

}  // namespace damrak::market_runs::detail
