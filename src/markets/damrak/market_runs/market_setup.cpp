// From the description of a market to its setup, and to a text that has everything in it.
#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <damrak/base/duration_text.hpp>
#include <damrak/base/local_days.hpp>
#include <damrak/base/random.hpp>
#include <damrak/base/toml_text.hpp>
#include <damrak/base/version.hpp>
#include <damrak/market_runs/detail/file_groups.hpp>
#include <damrak/market_runs/detail/file_parts.hpp>
#include <damrak/market_runs/detail/file_timeline.hpp>
#include <damrak/market_runs/market_file.hpp>

namespace damrak::market_runs {
namespace {

constexpr double k_units_of_currency = 10'000;
constexpr double k_billion = 1e9;

std::string describe_instrument(const InstrumentDescription& instrument, const MarketFile& file) {
    const InstrumentDefinition& definition = instrument.definition;
    const market_kernel::FundamentalDescription& fundamental = instrument.fundamental;
    const std::string price = fmt::format("price = {}\n", fundamental.start / k_units_of_currency);
    return fmt::format(
               "\n[[instrument]]\nsymbol = {}\ntick = {}\nlot = {}\n{}"
               "volatility = {}\nreversion = {}\njumps_per_s = {}\njump_size = {}\n"
               "loads = [{}]\n",
               toml_text(definition.symbol.view()),
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
        const market_kernel::Place& is = group.connection.place;
        text +=
            fmt::format("\n[[place]]\nname = {}\nmedian = \"{}\"\nsigma = {}\ninterval = \"{}\"\n",
                        toml_text(group.place), duration_text(is.median_ns), is.sigma,
                        duration_text(is.interval_ns));
    }
    return text;
}

std::string describe_group(const GroupDescription& group, const MarketFile& file) {
    std::vector<std::string> symbols;
    symbols.reserve(group.instruments.size());
    for (const InstrumentId id : group.instruments)
        symbols.push_back(toml_text(file.instruments[id.value - 1].definition.symbol.view()));
    std::string text = fmt::format(
        "\n# {}\n[[participants]]\nkind = \"{}\"\nname = {}\ncount = {}\ninstruments = [{}]\n",
        group.kind->summary, group.kind->name, toml_text(group.name), group.count,
        fmt::join(symbols, ", "));
    text += detail::describe_connection(group);
    for (const auto& row : group.kind->parameters) {
        const auto found = group.parameters.find(row.name);
        const auto& value = found == group.parameters.end() ? row.preset : found->second;
        text += fmt::format("{} = {}  # {}{}\n", row.name, detail::describe_value(row, value),
                            row.help, row.unit.empty() ? "" : fmt::format(", {}", row.unit));
    }
    return text;
}

// Parts of baskets have other ids now; without all of its parts an instrument follows none.
void follow_again(MarketFile& made, const MarketFile& file) {
    for (InstrumentDescription& one : made.instruments) {
        std::vector<market_kernel::BasketPart> parts;
        for (const market_kernel::BasketPart& part : one.fundamental.basket) {
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
        InstrumentDescription one{
            .definition = definition, .fundamental = {}, .is_of_venue = false};
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

Timestamp begin_of(const MarketFile& file) {
    if (file.venue == nullptr) return market_kernel::MarketSetup{}.begin;
    constexpr std::int64_t k_day = 20'090;  // 2025-01-02, a Thursday
    return {LocalDays::make(file.venue->zone).value().at(k_day, file.begin_ns)};
}

market_kernel::MarketSetup make_setup(const MarketFile& file, std::uint64_t seed) {
    market_kernel::MarketSetup setup;
    setup.seed = seed;
    setup.begin = begin_of(file);
    setup.value_step_ns = file.value_step_ns;
    setup.factors = file.factors;
    for (const InstrumentDescription& instrument : file.instruments) {
        setup.instruments.push_back(instrument.definition);
        setup.fundamentals.push_back(instrument.fundamental);
    }
    setup.exchange = file.exchange;
    setup.venue = file.venue;
    setup.on_fault = file.on_fault;
    setup.seats.reserve(file.participants());
    for (const GroupDescription& group : file.groups) {
        market_kernel::Connection connection = group.connection;
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

namespace {

std::string describe_value_step(const MarketFile& file) {
    if (file.value_step_ns == market_kernel::Fundamentals::k_step_ns) return {};
    return fmt::format("value_step = \"{}\"\n", duration_text(file.value_step_ns));
}

// What a venue says is not repeated.
std::string describe_exchange(const MarketFile& file) {
    const market_kernel::ExchangeModel& exchange = file.exchange;
    const venue::Venue none;
    const venue::Venue& venue = file.venue == nullptr ? none : *file.venue;
    std::string text =
        fmt::format("\n[exchange]\nservice_time = \"{}\"\n", duration_text(exchange.service_ns));
    if (file.venue == nullptr || exchange.delay != venue.delay)
        text += fmt::format("taker_bump = \"{}\"\n", duration_text(exchange.delay.taking.fixed_ns));
    if (file.venue == nullptr || exchange.fees != venue.fees)
        text += fmt::format("maker_fee = {}\ntaker_fee = {}\n",
                            static_cast<double>(exchange.fees.all.maker.per_share) / k_billion,
                            static_cast<double>(exchange.fees.all.taker.per_share) / k_billion);
    return text + fmt::format("maximum_orders = {}\n", exchange.maximum_orders);
}

}  // namespace

std::string describe(const MarketFile& file) {
    std::string text = fmt::format(
        "duration = \"{}\"\non_fault = \"{}\"\n{}{}", duration_text(file.duration_ns),
        file.on_fault == market_kernel::OnFault::stop ? "stop" : "isolate",
        describe_value_step(file) + detail::describe_venue(file), describe_exchange(file));
    for (const market_kernel::FactorDescription& factor : file.factors)
        text += fmt::format("\n[[factor]]\nvolatility = {}\n", factor.volatility);
    for (const InstrumentDescription& instrument : file.instruments)
        if (!instrument.is_of_venue) text += describe_instrument(instrument, file);
    text += describe_places(file);
    for (const GroupDescription& group : file.groups)
        if (!group.event_at_ns) text += describe_group(group, file);
    for (const measures::Obligation& obligation : file.obligations)
        text += detail::describe_obligation(obligation);
    for (const TimelineEntry& entry : file.timeline) text += detail::describe_entry(entry, file);
    if (file.reaction) text += detail::describe_reaction(*file.reaction);
    return text;
}

std::uint64_t identity_of(const MarketFile& file) {
    const std::uint64_t described =
        mix_bits(market_kernel::hash_of(describe(file)) ^ market_kernel::hash_of(version()));
    return file.venue == nullptr ? described
                                 : mix_bits(described ^ market_kernel::hash_of(file.venue->text));
}

}  // namespace damrak::market_runs
