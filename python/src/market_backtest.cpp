// A recorded day as the market of participants in Python.
#include <cstdint>
#include <exception>
#include <expected>
#include <string>
#include <vector>

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <damrak/what_if/what_if.hpp>

#include "errors.hpp"
#include "market.hpp"
#include "market_fills.hpp"
#include "market_script.hpp"
#include "watch.hpp"

namespace nb = nanobind;

namespace damrak::python {
namespace {

constexpr double k_day_units = 10'000;  // of the currency, in recorded days

nb::dict dict_of(const what_if::GroupTrading& group) {
    nb::dict made;
    made["name"] = group.group;
    made["messages"] = group.messages;
    made["orders"] = group.orders;
    made["position"] = group.bought - group.sold;
    made["volume"] = group.quantity();
    made["maker_volume"] = group.maker_quantity;
    made["cash"] = static_cast<double>(group.cash) / k_day_units;
    return made;
}

nb::dict dict_of(const what_if::Result& result) {
    nb::dict made;
    made["trades"] = result.recorded_trades;
    made["missed_trades"] = result.drift.missed_trades;
    made["missed_quantity"] = result.drift.missed_quantity;
    made["taken"] = result.drift.taken;
    made["withdrawn"] = result.drift.withdrawn;
    made["refused"] = result.drift.refused;
    made["differing_s"] = static_cast<double>(result.distance.differing_ns) / 1e9;
    made["measured_s"] = static_cast<double>(result.distance.measured_ns) / 1e9;
    return made;
}

}  // namespace

nb::dict MarketOfPython::backtest(const BacktestRequest& request, const nb::dict& scripts,
                                  const std::vector<std::string>& kept,
                                  const nb::object& progress) {
    const Use use{*this};
    std::expected<what_if::OpenDay, std::string> day;
    {
        const Unlocked unlocked;
        day = what_if::open_day({.file = request.day,
                                 .symbol = request.symbol,
                                 .from_ns = request.from_ns,
                                 .until_ns = request.until_ns,
                                 .tick = request.tick});
    }
    if (!day) throw DayError{day.error()};
    const market_runs::MarketFile file = read(&day->given);
    const Timestamp begin{day->midnight_ns + day->begin_ns};
    Watch watch{progress};
    ScriptedRun run{.watch = &watch, .begin = begin};
    const Scripts of_run{*this, file, scripts, run};
    RunWatcher watcher{file, begin, watch, run};
    nb::dict groups = groups_of(file, kept, watcher);
    what_if::Options options{.seed = request.seed};
    options.stop = [&run] { return static_cast<bool>(run.error); };
    options.watchers.push_back(&watcher);
    std::expected<what_if::Result, std::string> result;
    {
        const Unlocked unlocked;
        result = what_if::run(*day, file, options);
    }
    if (run.error) std::rethrow_exception(run.error);
    if (!result) throw DayError{result.error()};
    nb::list trading;
    for (const what_if::GroupTrading& group : result->groups) trading.append(dict_of(group));
    nb::dict made;
    made["hash"] = result->hash;
    made["begin"] = begin.value;
    made["complete"] = result->is_complete;
    made["messages"] = result->recorded_messages;
    made["mid"] = watcher.mid() ? nb::object{nb::float_(*watcher.mid() / k_day_units)} : nb::none();
    made["drift"] = dict_of(*result);
    made["groups"] = groups;
    made["trading"] = trading;
    made["faults"] = result->faults;
    made["fills"] = fills_of(watcher.fills(), file);
    made["symbol"] = std::string{day->given.instrument.definition.symbol.view()};
    return made;
}

void bind_backtests(nb::class_<MarketOfPython>& market) {
    market.def(
        "backtest",
        [](MarketOfPython& self, const std::string& day, const std::string& symbol,
           std::int64_t start, std::int64_t end, std::int64_t tick, std::uint64_t seed,
           const nb::dict& scripts, const std::vector<std::string>& kept,
           const nb::object& progress) {
            return self.backtest({.seed = seed,
                                  .day = day,
                                  .symbol = symbol,
                                  .from_ns = start,
                                  .until_ns = end,
                                  .tick = tick},
                                 scripts, kept, progress);
        },
        nb::arg("day"), nb::arg("symbol"), nb::arg("start"), nb::arg("end"), nb::arg("tick"),
        nb::arg("seed"), nb::arg("scripts"), nb::arg("kept"), nb::arg("progress").none(),
        nb::sig("def backtest(self, day: str, symbol: str, start: int, end: int, tick: int, "
                "seed: int, scripts: dict[str, dict[str, typing.Any]], kept: list[str], "
                "progress: typing.Callable[[int], None] | None) -> dict[str, typing.Any]"));
}

}  // namespace damrak::python
