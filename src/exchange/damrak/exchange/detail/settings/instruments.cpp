#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <damrak/auction/tick_table.hpp>
#include <damrak/domain/phase_names.hpp>
#include <damrak/domain/reason.hpp>
#include <damrak/exchange/detail/settings/sections.hpp>
#include <damrak/exchange/settings_table.hpp>

namespace damrak::exchange {

namespace {

using I = InstrumentSettings;
using D = InstrumentDefinition;

// Trading at last is a session of a venue.
constexpr auto k_phases = std::span{k_phase_names}.first<4>();

// In the order of TickTableChoice.
constexpr auto k_tick_tables = std::to_array<std::string_view>(
    {"own", "rts11_1", "rts11_2", "rts11_3", "rts11_4", "rts11_5", "rts11_6", "rule_612"});

SettingValue symbol_of(const I& one) { return std::string{one.definition.symbol.view()}; }

std::string set_symbol(I& one, const SettingValue& value) {
    const auto& text = std::get<std::string>(value);
    one.definition.symbol = Symbol::of(text);
    return text.size() > one.definition.symbol.characters.size()
               ? "a symbol has at most 16 characters"
               : "";
}

int decimals_of(const I& one) { return one.definition.price_decimals; }

std::optional<SettingValue> bands_of(const I& one) {
    if (one.tick_table != TickTableChoice::own) return std::nullopt;
    const int decimals = decimals_of(one);
    std::vector<std::vector<Decimal>> bands;
    for (std::size_t i = 1; i < one.definition.band_count; ++i) {
        const TickBand& band = one.definition.tick_bands[i];
        bands.push_back({{band.from_price.value, decimals}, {band.tick_size.value, decimals}});
    }
    return bands.empty() ? std::nullopt : std::optional<SettingValue>{std::move(bands)};
}

std::string set_bands(I& one, const SettingValue& value) {
    if (one.definition.check() != Reason::none) return {};  // complete_instrument() reports why
    for (const std::vector<Decimal>& band : std::get<std::vector<std::vector<Decimal>>>(value))
        if (one.definition.add_band({Price{band[0].units}, Price{band[1].units}}) != Reason::none)
            return fmt::format(
                "a band begins above the one before and below maximum_price, at a multiple of both "
                "tick sizes; there are at most {}, with the first",
                D::k_maximum_bands);
    return {};
}

auction::TickTable published(TickTableChoice choice) {
    if (choice == TickTableChoice::rule_612) return auction::us_equity_tick_table();
    return auction::rts11_tick_table(auction::LiquidityBand{std::to_underlying(choice)});
}

// Gives the definition the bands of its table that are below its largest price.
std::string use_table(I& one) {
    constexpr unsigned k_table_decimals = 4;
    D& definition = one.definition;
    if (definition.price_decimals < k_table_decimals)
        return fmt::format("its tick sizes need decimals = {} or more", k_table_decimals);
    D made = definition;
    made.band_count = 1;
    made.tick_bands = {};
    const Price lowest = definition.minimum_price();
    std::int64_t scale = 1;
    for (unsigned i = k_table_decimals; i < definition.price_decimals; ++i) scale *= 10;
    const auction::TickTable table = published(one.tick_table);
    made.tick_bands[0] = {lowest, Price{table.bands()[0].tick_size.value * scale}};
    for (const TickBand& band : table.bands().subspan(1))
        if (const Price from = Price{band.from_price.value * scale}; from < made.maximum_price)
            if (made.add_band({from, Price{band.tick_size.value * scale}}) != Reason::none)
                return "its bands do not fit the instrument";
    if (definition.band_count > 1 && definition.tick_bands != made.tick_bands)
        return "it takes the place of tick_bands: leave one of them out";
    definition = made;
    return {};
}

template <class Member>
auto defined(Member member) {
    return at(&I::definition, member);
}

// Decimals come before prices, so the prices of a file are read with the file's decimals.
std::vector<Setting<I>> instrument_rows(const gateway::Settings& settings) {
    Rows<I> rows;
    rows.number("id", defined(&D::id), 1, settings.capacity.maximum_instruments,
                "number of the instrument")
        .is_required();
    rows.custom(SettingKind::text, "symbol", symbol_of, set_symbol, "at most 16 characters")
        .is_required();
    rows.number("decimals", defined(&D::price_decimals), 0, 9,
                "decimals of a price unit; prices have at most this many");
    const auto first_tick = [](auto& one) -> auto& {
        return one.definition.tick_bands[0].tick_size;
    };
    rows.price("tick", first_tick, decimals_of, "tick size");
    rows.number("lot", defined(&D::lot_size), 1, k_most_int64, "quantities are multiples of this");
    rows.price("maximum_price", defined(&D::maximum_price), decimals_of, "largest price");
    const auto minimum = [](auto& one) -> auto& { return one.definition.tick_bands[0].from_price; };
    rows.price("minimum_price", minimum, decimals_of,
               "zero: prices are above zero; below zero: the lowest price, of an unpublished one")
        .or_below_zero();
    rows.number("maximum_quantity", defined(&D::maximum_quantity), 1,
                k_largest_maximum_quantity.value, "largest quantity of an order");
    rows.truth("unpublished", defined(&D::unpublished),
               "not on the public feeds, and without their maxima");
    rows.number("shard_group", defined(&D::shard_group), 0, k_most<std::uint16_t>,
                "one thread matches all instruments of a group");
    rows.truth("halted", &I::halted, "orders are rejected").by_reload();
    rows.word("phase", &I::phase, k_phases,
              "continuous, or orders collect (pre_open, call), or none enters (closed)")
        .by_reload();
    rows.word("auction", &I::auction, k_auction_rule_names, "rule for the price that ends a call")
        .by_reload();
    for (const auto add : standard_exchange::k_instrument_rows) add(rows);
    Setting<I>& bands = rows.custom(SettingKind::steps, "tick_bands", bands_of, set_bands,
                                    "tick sizes from prices on, in ascending order");
    bands.words = {"from", "tick"};
    bands.decimals = decimals_of;
    rows.word("tick_table", &I::tick_table, k_tick_tables,
              "a published table in place of tick and tick_bands");
    return rows.take();
}

std::optional<Misfit> complete_instrument(gateway::Settings& /*settings*/, I& one) {
    if (one.tick_table != TickTableChoice::own)
        if (std::string misfit = use_table(one); !misfit.empty())
            return Misfit{"tick_table", std::move(misfit)};
    if (one.definition.check() == Reason::none) return {};
    return Misfit{
        "", fmt::format(
                "instrument {}: {}; without unpublished = true the largest price is {} units of "
                "the last decimal and the largest quantity {}",
                one.definition.id.value, text(Reason::invalid_instrument),
                k_published_maximum_price.value, k_published_maximum_quantity.value)};
}

std::optional<Misfit> instrument_clash(const I& one, const I& other) {
    if (one.definition.id == other.definition.id)
        return Misfit{"id", "another instrument has this id already"};
    if (one.definition.symbol == other.definition.symbol)
        return Misfit{"symbol", "another instrument has this symbol already"};
    if (!one.isin.empty() && one.isin == other.isin)
        return Misfit{"isin", "another instrument has this ISIN already"};
    return {};
}

}  // namespace

const SettingList<InstrumentSettings>& instrument_list() {
    static const SettingList<I> list{
        .name = "instruments",
        .help = "One for each instrument. A reload adds new ones.",
        .rows = instrument_rows,
        .first = [](const gateway::Settings& /*settings*/) { return I{}; },
        .complete = complete_instrument,
        .clash = instrument_clash,
        .get =
            [](const gateway::Settings& settings) {
                return settings.instruments.value_or(usual_instruments());
            },
        .set = [](gateway::Settings& settings,
                  std::vector<I> all) { settings.instruments = std::move(all); }};
    return list;
}

}  // namespace damrak::exchange
