// `damrak instruments DIR`: what is traded in a data directory, and how the market stands at the
// end of its journal. Looks only; the exchange may be running.
#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <damrak/domain/phase_names.hpp>
#include <damrak/exchange/changes.hpp>
#include <damrak/journal/verify.hpp>
#include <damrak/standard_exchange/gateway_states.hpp>

#include "cli.hpp"

namespace damrak::app {

namespace {

using Json = nlohmann::ordered_json;

struct InstrumentsOptions {
    std::filesystem::path directory;
    bool json = false;
};

std::string price_text(Price price, unsigned decimals) {
    std::string text = fmt::format("{:0{}}", price.value, decimals + 1);
    return decimals == 0 ? text : text.insert(text.size() - decimals, ".");
}

// Trading is continuous; other phases have their names.
std::string_view state_name(const InstrumentState& in) {
    if (in.state == TradingState::halted) return "halted";
    return in.phase == Phase::continuous ? "trading" : name(in.phase);
}

std::optional<DepthLevel> best_level(const Engine& engine, const InstrumentState& in, Side side) {
    std::optional<DepthLevel> best;
    in.book.for_each_level(engine.store(), side, [&](const DepthLevel& level) {
        best = level;
        return false;
    });
    return best;
}

void print_table(const Engine& engine, const exchange::MarketView& market) {
    constexpr auto k_row = "{:>4}  {:<16}  {:<8}  {:>10}  {:>5}  {:>9}  {:>12}  {:>21}  {:<21}\n";
    fmt::print(k_row, "id", "symbol", "state", "tick", "lot", "trades", "last", "bid", "ask");
    for (const InstrumentState* const in : market.instruments) {
        const InstrumentDefinition& of = in->definition();
        const auto text = [&](Price price) { return price_text(price, of.price_decimals); };
        const auto best = [&](Side side) -> std::string {
            const auto level = best_level(engine, *in, side);
            if (!level) return "-";
            const std::string price = text(in->price_of(level->tick));
            return side == Side::buy ? fmt::format("{} x {}", level->quantity.value, price)
                                     : fmt::format("{} x {}", price, level->quantity.value);
        };
        fmt::print(k_row, of.id.value, of.symbol.view(), state_name(*in),
                   text(of.tick_bands[0].tick_size), of.lot_size.value, in->trade_number,
                   in->last_trade == 0 ? "-" : text(in->price_of(in->last_trade)), best(Side::buy),
                   best(Side::sell));
    }
}

Json to_json(const Engine& engine, const InstrumentState& in) {
    const InstrumentDefinition& of = in.definition();
    Json object{{"id", of.id.value},
                {"symbol", of.symbol.view()},
                {"state", state_name(in)},
                {"phase", name(in.phase)},
                {"price_decimals", of.price_decimals},
                {"tick_units", of.tick_bands[0].tick_size.value},
                {"lot", of.lot_size.value},
                {"trades", in.trade_number}};
    if (in.last_trade != 0) object["last_units"] = in.price_of(in.last_trade).value;
    for (const Side side : {Side::buy, Side::sell})
        if (const auto level = best_level(engine, in, side))
            object[side == Side::buy ? "bid" : "ask"] = {
                {"price_units", in.price_of(level->tick).value},
                {"quantity", level->quantity.value},
                {"orders", level->orders}};
    return object;
}

int run(const InstrumentsOptions& options) {
    const auto read = journal::read_state<standard_exchange::ExchangeState<>>(
        journal::real_files(), options.directory, journal::ReplayFrom::snapshot);
    if (!read) return fail(read.error());
    const Engine& engine = read->state->engine();
    const auto market = exchange::MarketView::of(engine);
    if (!options.json) return print_table(engine, market), k_exit_success;
    Json instruments = Json::array();
    for (const InstrumentState* const in : market.instruments)
        instruments.push_back(to_json(engine, *in));
    print_json({{"last_sequence", read->journal.last_sequence},
                {"last_time_ns", read->journal.last_timestamp.value},
                {"instruments", std::move(instruments)}});
    return k_exit_success;
}

}  // namespace

void add_instruments(CLI::App& program, Job& job) {
    CLI::App* command = program.add_subcommand(
        "instruments", "Lists the instruments of a data directory, with their best prices");
    const auto options = std::make_shared<InstrumentsOptions>();
    command->add_option("DIR", options->directory, "data directory of the exchange")->required();
    command->add_flag("--json", options->json, "one JSON object on stdout");
    command->callback([&job, options] { job = [options] { return run(*options); }; });
}

}  // namespace damrak::app
