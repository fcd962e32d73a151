// From the description of a market to its setup, and to a text that has everything in it.
#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <damrak/base/duration_text.hpp>
#include <damrak/base/random.hpp>
#include <damrak/base/version.hpp>
#include <damrak/study/detail/file_parts.hpp>
#include <damrak/study/market_file.hpp>

namespace damrak::study {
namespace {

using market::Latency;

constexpr double k_units_of_currency = 10'000;

std::string describe_latency(const Latency& latency) {
    switch (latency.kind) {
        case Latency::Kind::constant:
            return fmt::format("\"{}\"", duration_text(latency.base_ns));
        case Latency::Kind::uniform:
            return fmt::format(R"({{ kind = "uniform", least = "{}", most = "{}" }})",
                               duration_text(latency.base_ns),
                               duration_text(latency.base_ns + latency.spread_ns));
        case Latency::Kind::normal:
            return fmt::format(R"({{ kind = "normal", mean = "{}", deviation = "{}" }})",
                               duration_text(latency.base_ns), duration_text(latency.spread_ns));
        case Latency::Kind::log_normal:
            return fmt::format(R"({{ kind = "lognormal", median = "{}", sigma = {} }})",
                               duration_text(latency.base_ns), latency.sigma);
        case Latency::Kind::empirical: {
            std::string samples;
            for (const std::int64_t sample : *latency.samples)
                samples +=
                    fmt::format("{}\"{}\"", samples.empty() ? "" : ", ", duration_text(sample));
            return fmt::format(R"({{ kind = "empirical", base = "{}", samples = [{}] }})",
                               duration_text(latency.base_ns), samples);
        }
    }
    return {};
}

std::string describe_value(const participants::ParameterInfo& row,
                           const participants::ParameterValue& value) {
    using participants::ParameterKind;
    switch (row.kind) {
        case ParameterKind::number:
            return fmt::format("{}", value.number);
        case ParameterKind::whole:
            return fmt::format("{}", value.whole);
        case ParameterKind::duration:
            return fmt::format("\"{}\"", duration_text(value.whole));
        case ParameterKind::price:
            return fmt::format("{}", value.number / k_units_of_currency);
        case ParameterKind::truth:
            return value.truth ? "true" : "false";
        case ParameterKind::text:
        case ParameterKind::word:
            return fmt::format("\"{}\"", value.text);
        case ParameterKind::numbers:
            return fmt::format("[{}]", fmt::join(value.numbers, ", "));
        case ParameterKind::texts: {
            std::vector<std::string> quoted;
            for (const std::string& text : value.texts)
                quoted.push_back(fmt::format("\"{}\"", text));
            return fmt::format("[{}]", fmt::join(quoted, ", "));
        }
    }
    return {};
}

std::string describe_instrument(const InstrumentDescription& instrument, const MarketFile& file) {
    const InstrumentDefinition& definition = instrument.definition;
    const market::FundamentalDescription& fundamental = instrument.fundamental;
    const std::string price = fmt::format("price = {}\n", fundamental.start / k_units_of_currency);
    return fmt::format(
               "\n[[instrument]]\nsymbol = \"{}\"\ntick = {}\nlot = {}\n{}"
               "volatility = {}\nreversion = {}\njumps_per_s = {}\njump_size = {}\n"
               "loads = [{}]\n",
               definition.symbol.view(),
               static_cast<double>(definition.tick_bands[0].tick_size.value) / k_units_of_currency,
               definition.lot_size.value, fundamental.basket.empty() ? price : std::string{},
               fundamental.volatility, fundamental.reversion, fundamental.jumps_per_s,
               fundamental.jump_size, fmt::join(fundamental.loads, ", ")) +
           detail::describe_basket(fundamental, file);
}

// Each place once, where the first group in it names it.
std::string describe_places(const MarketFile& file) {
    std::string text;
    std::set<std::string, std::less<>> described;
    for (const GroupDescription& group : file.groups) {
        if (group.place.empty() || !described.insert(group.place).second) continue;
        const market::Place& is = group.connection.place;
        text += fmt::format(
            "\n[[place]]\nname = \"{}\"\nmedian = \"{}\"\nsigma = {}\ninterval = \"{}\"\n",
            group.place, duration_text(is.median_ns), is.sigma, duration_text(is.interval_ns));
    }
    return text;
}

std::string describe_group(const GroupDescription& group, const MarketFile& file) {
    std::vector<std::string> symbols;
    for (const InstrumentId id : group.instruments)
        symbols.push_back(
            fmt::format("\"{}\"", file.instruments[id.value - 1].definition.symbol.view()));
    const market::Connection& is = group.connection;
    std::string text = fmt::format(
        "\n# {}\n[[participants]]\nkind = \"{}\"\nname = \"{}\"\ncount = {}\ninstruments = [{}]\n"
        "order_latency = {}\nreport_latency = {}\ndata_latency = {}\nthink_time = \"{}\"\n"
        "maximum_orders = {}\n",
        group.kind->summary, group.kind->name, group.name, group.count, fmt::join(symbols, ", "),
        describe_latency(is.orders), describe_latency(is.reports), describe_latency(is.data),
        duration_text(is.think_ns), group.maximum_orders);
    if (is.clock_offset_ns != 0)
        text += fmt::format("clock_{} = \"{}\"\n", is.clock_offset_ns > 0 ? "ahead" : "behind",
                            duration_text(std::abs(is.clock_offset_ns)));
    if (!group.place.empty()) text += fmt::format("place = \"{}\"\n", group.place);
    for (const auto& row : group.kind->parameters) {
        const auto found = group.parameters.find(row.name);
        const auto& value = found == group.parameters.end() ? row.preset : found->second;
        text += fmt::format("{} = {}  # {}{}\n", row.name, describe_value(row, value), row.help,
                            row.unit.empty() ? "" : fmt::format(", {}", row.unit));
    }
    return text;
}

std::string describe_entry(const TimelineEntry& entry, const MarketFile& file) {
    std::string text = fmt::format("\n[[timeline]]\nat = \"{}\"\nevent = \"{}\"\n",
                                   duration_text(entry.at_ns), name_of(entry.kind));
    if (entry.for_ns) text += fmt::format("for = \"{}\"\n", duration_text(*entry.for_ns));
    if (entry.instrument)
        text += fmt::format("instrument = \"{}\"\n",
                            file.instruments[entry.instrument.value - 1].definition.symbol.view());
    if (!entry.group.empty()) text += fmt::format("group = \"{}\"\n", entry.group);
    if (entry.kind == TimelineEntry::Kind::news)
        text += fmt::format("log_return = {}\n", entry.value);
    if (entry.kind == TimelineEntry::Kind::latency)
        text += fmt::format("factor = {}\n", entry.value);
    if (entry.kind == TimelineEntry::Kind::service_time ||
        entry.kind == TimelineEntry::Kind::taker_bump)
        text += fmt::format("time = \"{}\"\n", duration_text(entry.time_ns));
    return text;
}

// Parts of baskets have other ids now; without all of its parts an instrument follows none.
void follow_again(MarketFile& made, const MarketFile& file) {
    for (InstrumentDescription& one : made.instruments) {
        std::vector<market::BasketPart> parts;
        for (const market::BasketPart& part : one.fundamental.basket) {
            const Symbol symbol = file.instruments[part.instrument.value - 1].definition.symbol;
            const InstrumentId id = made.find_instrument(symbol.view());
            if (id && id < one.definition.id) parts.push_back({id, part.weight});
        }
        if (parts.size() < one.fundamental.basket.size()) parts.clear();
        one.fundamental.basket = std::move(parts);
    }
}

}  // namespace

MarketFile with_instruments(MarketFile file, const std::vector<InstrumentDefinition>& instruments) {
    MarketFile made = file;
    made.instruments.clear();
    for (const InstrumentDefinition& definition : instruments) {
        const InstrumentId known = file.find_instrument(definition.symbol.view());
        InstrumentDescription one{.definition = definition, .fundamental = {}};
        one.fundamental.start = 100 * k_units_of_currency;
        if (known) one.fundamental = file.instruments[known.value - 1].fundamental;
        one.definition.id = {static_cast<std::uint32_t>(made.instruments.size() + 1)};
        made.instruments.push_back(std::move(one));
    }
    follow_again(made, file);
    for (GroupDescription& group : made.groups) {
        const bool all = group.instruments.size() == file.instruments.size();
        std::vector<InstrumentId> left;
        for (const InstrumentDescription& one : made.instruments) {
            const InstrumentId known = file.find_instrument(one.definition.symbol.view());
            if (all ||
                (known && std::ranges::find(group.instruments, known) != group.instruments.end()))
                left.push_back(one.definition.id);
        }
        group.instruments = std::move(left);
    }
    return made;
}

market::MarketSetup make_setup(const MarketFile& file, std::uint64_t seed) {
    market::MarketSetup setup;
    setup.seed = seed;
    setup.factors = file.factors;
    for (const InstrumentDescription& instrument : file.instruments) {
        setup.instruments.push_back(instrument.definition);
        setup.fundamentals.push_back(instrument.fundamental);
    }
    setup.exchange = file.exchange;
    setup.on_fault = file.on_fault;
    setup.seats.reserve(file.participants());
    for (const GroupDescription& group : file.groups) {
        market::Connection connection = group.connection;
        connection.place.key ^= mix_bits(seed);  // other congestion in each run
        for (std::uint32_t member = 0; member < group.count; ++member)
            setup.seats.push_back(
                {.participant = group.kind->make(group.parameters, {group.instruments}),
                 .group = group.name,
                 .member = member,
                 .members = group.count,
                 .connection = connection,
                 .maximum_orders = group.maximum_orders});
    }
    return setup;
}

std::string describe(const MarketFile& file) {
    const market::ExchangeModel& exchange = file.exchange;
    std::string text = fmt::format(
        "duration = \"{}\"\non_fault = \"{}\"\n\n[exchange]\nservice_time = \"{}\"\n"
        "taker_bump = \"{}\"\nmaker_fee = {}\ntaker_fee = {}\nmaximum_orders = {}\n",
        duration_text(file.duration_ns),
        file.on_fault == market::OnFault::stop ? "stop" : "isolate",
        duration_text(exchange.service_ns), duration_text(exchange.taker_bump_ns),
        static_cast<double>(exchange.maker_fee) / k_units_of_currency,
        static_cast<double>(exchange.taker_fee) / k_units_of_currency, exchange.maximum_orders);
    for (const market::FactorDescription& factor : file.factors)
        text += fmt::format("\n[[factor]]\nvolatility = {}\n", factor.volatility);
    for (const InstrumentDescription& instrument : file.instruments)
        text += describe_instrument(instrument, file);
    text += describe_places(file);
    for (const GroupDescription& group : file.groups) text += describe_group(group, file);
    for (const measures::Obligation& obligation : file.obligations)
        text += detail::describe_obligation(obligation);
    for (const TimelineEntry& entry : file.timeline) text += describe_entry(entry, file);
    return text;
}

std::uint64_t identity_of(const MarketFile& file) {
    return mix_bits(market::hash_of(describe(file)) ^ market::hash_of(version()));
}

}  // namespace damrak::study
