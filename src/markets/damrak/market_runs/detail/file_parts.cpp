#include <damrak/market_runs/detail/file_parts.hpp>

#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <damrak/base/duration_text.hpp>
#include <damrak/base/time_of_day.hpp>
#include <damrak/base/time_units.hpp>
#include <damrak/base/toml_text.hpp>
#include <damrak/venue/combinations.hpp>
#include <damrak/venue/rule_commands.hpp>
#include <damrak/venue/venue_file.hpp>

namespace damrak::market_runs::detail {
namespace {

constexpr double k_money_units = 10'000;  // price units of the currency's unit

// The instruments of the venue's combinations: each is worth what its legs are. Virtual time has
// one engine, so all instruments are in one group.
std::expected<void, std::string> add_combinations(const venue::Venue& venue, MarketFile& file) {
    std::vector<InstrumentDefinition> market;
    for (InstrumentDescription& one : file.instruments) {
        one.definition.shard_group = 1;
        market.push_back(one.definition);
    }
    for (const venue::Combination& combination : venue.combinations) {
        const auto combined = venue::combine(combination, market);
        if (!combined) return std::unexpected{combined.error()};
        if (!*combined || (*combined)->definition.id) continue;
        InstrumentDescription made{
            .definition = (*combined)->definition, .fundamental = {}, .is_of_venue = true};
        made.definition.id = {static_cast<std::uint32_t>(market.size() + 1)};
        for (const CombinationDetails::Leg& leg : (*combined)->details.legs) {
            if (leg.ratio == 0) break;
            const market_kernel::FundamentalDescription& of =
                file.instruments[leg.instrument.value - 1].fundamental;
            made.fundamental.basket.push_back({leg.instrument, static_cast<double>(leg.ratio)});
            made.fundamental.start += leg.ratio * of.start;
        }
        market.push_back(made.definition);
        file.instruments.push_back(std::move(made));
    }
    return {};
}

std::int64_t money(TableReader& in, std::string_view key) {
    return static_cast<std::int64_t>(
        std::round(in.number(key, 0, 0, 1'000'000'000) * k_money_units));
}

}  // namespace

void read_basket(TableReader& in, const MarketFile& file,
                 market_kernel::FundamentalDescription& fundamental) {
    const std::vector<std::string> parts = in.texts("basket");
    const std::vector<double> weights = in.numbers("weights", {}, 1e-9, 1e9);
    fundamental.lag_ns = in.duration("lag", 0, 0, k_hour_ns);
    if (parts.empty()) {
        if (!weights.empty() || fundamental.lag_ns > 0)
            in.complain("weights and lag belong to a basket");
        return;
    }
    if (!weights.empty() && weights.size() != parts.size())
        return in.complain(fmt::format("weights has {} numbers, but basket has {} symbols",
                                       weights.size(), parts.size()));
    if (in.has("price"))
        in.complain("the price of an instrument with a basket is that of the basket");
    fundamental.start = 0;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const InstrumentId part = file.find_instrument(parts[i]);
        if (!part)
            return in.complain(
                fmt::format("there is no instrument \"{}\" before this one", parts[i]));
        const double weight = weights.empty() ? 1 : weights[i];
        fundamental.basket.push_back({part, weight});
        fundamental.start += weight * file.instruments[part.value - 1].fundamental.start;
    }
}

measures::Obligation read_obligation(TableReader& in, const MarketFile& file) {
    measures::Obligation made;
    made.group = in.text("group", "");
    if (file.find_group(made.group) == nullptr)
        in.complain(made.group.empty() ? "an obligation needs its group"
                                       : fmt::format("there is no group \"{}\"", made.group));
    made.presence = in.number("presence", made.presence, 0, 1);
    made.most_spread_ticks = in.whole("most_spread_ticks", made.most_spread_ticks, 1, 1'000'000);
    made.least_quantity = in.whole("least_quantity", made.least_quantity, 1, 1'000'000'000);
    made.period_ns = in.duration("period", made.period_ns, k_millisecond_ns, k_day_ns);
    made.reward = money(in, "reward");
    made.penalty = money(in, "penalty");
    return made;
}

void read_venue(TableReader& top, bool is_recorded_day, const std::filesystem::path& folder,
                MarketFile& file) {
    file.venue_name = top.text("venue", "");
    const toml::node* const begin = top.take("begin");
    const toml::node* const named = top.take("venue");
    if (file.venue_name.empty()) {
        if (begin != nullptr) top.complain("begin is the time of day of a venue: name the venue");
        return;
    }
    if (is_recorded_day) return top.complain("a recorded day has the rules of its venue");
    auto found = venue::find_venue(file.venue_name, folder);
    if (!found) return top.mistake().note(named->source(), "venue: " + found.error());
    if (!found->combinations.empty())
        if (const auto added = add_combinations(*found, file); !added)
            return top.mistake().note(named->source(), added.error());
    for (const InstrumentDescription& one : file.instruments)
        if (const auto rules = venue::rule_commands(found->rules_of(one.definition.symbol.view()),
                                                    one.definition, {});
            !rules)
            return top.mistake().note(named->source(), rules.error());
    file.venue = std::make_shared<const venue::Venue>(*std::move(found));
    if (begin == nullptr) return;
    const auto text = begin->value_exact<std::string>();
    const auto time = text ? parse_time_of_day(*text) : std::nullopt;
    if (!time) top.refuse(*begin, "begin", "a time of day in quotes, such as \"08:55\"");
    file.begin_ns = time.value_or(0);
}

std::string describe_venue(const MarketFile& file) {
    if (file.venue == nullptr) return {};
    const std::int64_t seconds = file.begin_ns / k_second_ns;
    return fmt::format("venue = {}\nbegin = \"{:02}:{:02}:{:02}.{:09}\"\n",
                       toml_text(file.venue_name), seconds / 3'600, seconds / 60 % 60, seconds % 60,
                       file.begin_ns % k_second_ns);
}

void read_reaction(TableReader& top, bool is_recorded_day, MarketFile& file) {
    const toml::node* const node = top.take("reaction");
    if (node == nullptr) return;
    if (!node->is_table()) return top.refuse(*node, "reaction", "a table [reaction]");
    TableReader in{*node->as_table(), "reaction", top.mistake()};
    if (!is_recorded_day)
        in.complain("only a recorded day can react: `damrak sim whatif` reads [reaction]");
    ReactionDescription made;
    made.recovery_ns = in.duration("recovery", made.recovery_ns, k_millisecond_ns, k_day_ns);
    made.interval_ns = in.duration("interval", made.interval_ns, k_millisecond_ns, k_hour_ns);
    made.levels = in.whole("levels", made.levels, 1, 1'000);
    in.finish();
    file.reaction = made;
}

std::string describe_reaction(const ReactionDescription& reaction) {
    return fmt::format("\n[reaction]\nrecovery = \"{}\"\ninterval = \"{}\"\nlevels = {}\n",
                       duration_text(reaction.recovery_ns), duration_text(reaction.interval_ns),
                       reaction.levels);
}

std::string describe_basket(const market_kernel::FundamentalDescription& fundamental,
                            const MarketFile& file) {
    if (fundamental.basket.empty()) return {};
    std::vector<std::string> symbols;
    std::vector<double> weights;
    for (const market_kernel::BasketPart& part : fundamental.basket) {
        symbols.push_back(
            toml_text(file.instruments[part.instrument.value - 1].definition.symbol.view()));
        weights.push_back(part.weight);
    }
    return fmt::format("basket = [{}]\nweights = [{}]\nlag = \"{}\"\n", fmt::join(symbols, ", "),
                       fmt::join(weights, ", "), duration_text(fundamental.lag_ns));
}

std::string describe_obligation(const measures::Obligation& is) {
    return fmt::format(
        "\n[[obligation]]\ngroup = {}\npresence = {}\nmost_spread_ticks = {}\n"
        "least_quantity = {}\nperiod = \"{}\"\nreward = {}\npenalty = {}\n",
        toml_text(is.group), is.presence, is.most_spread_ticks, is.least_quantity,
        duration_text(is.period_ns), static_cast<double>(is.reward) / k_money_units,
        static_cast<double>(is.penalty) / k_money_units);
}

}  // namespace damrak::market_runs::detail
