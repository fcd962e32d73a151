// Markets in virtual time for Python: a market file, what is added to it, and its runs.
#include "market.hpp"

#include <algorithm>
#include <cstdint>
#include <exception>
#include <expected>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <damrak/base/time_units.hpp>
#include <damrak/comparison/detail/values.hpp>
#include <damrak/explain/order_watch.hpp>
#include <damrak/explain/sentences.hpp>
#include <damrak/market_runs/market_file.hpp>
#include <damrak/market_runs/run.hpp>

#include "bind.hpp"
#include "errors.hpp"
#include "market_fills.hpp"
#include "market_script.hpp"
#include "watch.hpp"

namespace nb = nanobind;

namespace damrak::python {
namespace {

using market_runs::MarketFile;
using participants::Kind;

std::unique_ptr<ScriptKind> kind_named(std::string name) {
    auto made = std::make_unique<ScriptKind>();
    made->name = std::move(name);
    made->kind.name = made->name;
    made->kind.summary = "A participant in Python";
    made->kind.check = [](const participants::ParameterValues&) { return std::string{}; };
    made->kind.fits = [](const participants::ParameterValues&, const participants::Assignment&) {
        return std::string{};
    };
    made->kind.make =
        [of = made.get()](
            const participants::ParameterValues&,
            const participants::Assignment&) -> std::unique_ptr<market_kernel::Participant> {
        return std::make_unique<ScriptedParticipant>(*of->script);
    };
    return made;
}

nb::dict dict_of(const market_runs::GroupResult& group, double scale) {
    nb::dict made;
    made["name"] = group.group;
    made["cash"] = static_cast<double>(group.cash) / scale;
    made["fees"] = static_cast<double>(group.fees) / scale;
    made["position"] = group.position;
    made["profit"] =
        group.has_profit
            ? nb::object{nb::float_(static_cast<double>(group.twice_profit) / 2 / scale)}
            : nb::none();
    made["messages"] = group.messages;
    made["rejected"] = group.rejected;
    made["maker_volume"] = group.maker_volume;
    made["taker_volume"] = group.taker_volume;
    return made;
}

nb::list instruments_of(const market_runs::RunResult& result, const MarketFile& file) {
    nb::list instruments;
    for (std::size_t i = 0; i < result.instruments.size(); ++i) {
        const market_runs::InstrumentResult& one = result.instruments[i];
        double scale = 1;
        for (unsigned d = 0; d < file.instruments[i].definition.price_decimals; ++d) scale *= 10;
        nb::dict measures;
        for (const measures::Value& value : one.measures.values())
            measures[value.name.c_str()] = value.value;
        nb::list groups;
        for (const market_runs::GroupResult& group : one.groups)
            groups.append(dict_of(group, scale));
        nb::dict made;
        made["symbol"] = one.symbol;
        made["measures"] = measures;
        made["groups"] = groups;
        instruments.append(made);
    }
    return instruments;
}

/// Of each value: instrument, group, measure, unit, value.
nb::list measured_of(const market_runs::RunResult& result) {
    nb::list measured;
    for (const comparison::Measured& one : comparison::measured(result).values)
        measured.append(nb::make_tuple(one.name.instrument, one.name.group, one.name.measure,
                                       one.unit, one.value));
    return measured;
}

nb::dict stories_of(explain::OrderWatch& watch, Timestamp begin, Timestamp end) {
    watch.finish(end);
    const Timestamp midnight{begin.value - begin.value % k_day_ns};
    nb::dict stories;
    for (const explain::Fate& fate : watch.fates()) {
        nb::list lines;
        for (const std::string& line : explain::story_of(fate, watch.members(), midnight))
            lines.append(line);
        stories[nb::int_(fate.number)] = lines;
    }
    return stories;
}

std::vector<explain::Member> members_of(const MarketFile& file) {
    std::vector<explain::Member> members;
    for (const market_runs::GroupDescription& group : file.groups)
        for (std::uint32_t member = 0; member < group.count; ++member)
            members.push_back({group.name, member, group.count});
    return members;
}

nb::list kinds_for_python() {
    nb::list all;
    for (const Kind& kind : participants::kinds()) {
        nb::list rows;
        for (const participants::ParameterInfo& row : kind.parameters)
            rows.append(nb::make_tuple(nb::str(row.name.data(), row.name.size()),
                                       nb::str(row.unit.data(), row.unit.size()),
                                       nb::str(row.help.data(), row.help.size())));
        all.append(nb::make_tuple(nb::str(kind.name.data(), kind.name.size()),
                                  nb::str(kind.summary.data(), kind.summary.size()),
                                  nb::str(kind.source.data(), kind.source.size()), rows));
    }
    return all;
}

}  // namespace

void MarketOfPython::add(const std::string& table, const std::string& script, bool is_checked) {
    const Use use{*this};
    if (!script.empty()) kinds_.push_back(kind_named(script));
    const std::string before = std::exchange(text_, text_ + "\n" + table);
    if (!is_checked) return;
    try {
        static_cast<void>(read());
    } catch (...) {
        text_ = before;
        if (!script.empty()) kinds_.pop_back();
        throw;
    }
}

MarketFile MarketOfPython::read(const market_runs::GivenMarket* given) const {
    std::vector<const Kind*> own;
    for (const auto& one : kinds_) own.push_back(&one->kind);
    auto file = market_runs::parse_market_file(text_, where_, given, own);
    if (!file) throw Error{file.error()};
    return *std::move(file);
}

MarketOfPython::Scripts::Scripts(MarketOfPython& market, const MarketFile& file,
                                 const nb::dict& callbacks, ScriptedRun& run)
    : market_(&market) {
    std::vector<InstrumentDefinition> all;
    for (const auto& one : file.instruments) all.push_back(one.definition);
    for (const auto& kind : market.kinds_) {
        const auto group =
            std::ranges::find(file.groups, &kind->kind, &market_runs::GroupDescription::kind);
        kind->script = std::make_shared<Script>(group->name,
                                                nb::cast<nb::dict>(callbacks[kind->name.c_str()]));
        kind->script->begin(run, group->instruments, all);
    }
}

MarketOfPython::Scripts::~Scripts() {
    for (const auto& kind : market_->kinds_)
        if (const auto script = std::exchange(kind->script, nullptr)) script->end();
}

nb::dict MarketOfPython::groups_of(const MarketFile& file, const std::vector<std::string>& kept,
                                   RunWatcher& watcher) {
    nb::dict groups;
    std::uint32_t first = 1;
    for (const market_runs::GroupDescription& group : file.groups) {
        groups[group.name.c_str()] = nb::make_tuple(first, group.count);
        if (std::ranges::find(kept, group.name) != kept.end())
            for (std::uint32_t member = 0; member < group.count; ++member)
                watcher.keep(first + member);
        first += group.count;
    }
    return groups;
}

nb::dict MarketOfPython::run(const RunRequest& request, const nb::dict& scripts,
                             const std::vector<std::string>& kept, const nb::object& progress) {
    const Use use{*this};
    MarketFile file = read();
    if (request.duration_ns > 0) file.set_duration(request.duration_ns);
    const Timestamp begin = market_runs::begin_of(file);
    Watch watch{progress};
    ScriptedRun run{.watch = &watch, .begin = begin};
    const Scripts of_run{*this, file, scripts, run};
    RunWatcher watcher{file, begin, watch, run};
    const nb::dict groups = groups_of(file, kept, watcher);
    market_runs::RunOptions options{.seed = request.seed, .keep = request.keep};
    options.stop = [&run] { return static_cast<bool>(run.error); };
    options.watchers.push_back(&watcher);
    std::optional<explain::OrderWatch> explained;
    if (!request.explain.empty()) {
        explained.emplace(
            members_of(file),
            explain::Question{.group = request.explain, .number = {}, .limit = request.explained});
        options.watchers.push_back(&*explained);
    }
    std::expected<market_runs::RunResult, std::string> result;
    {
        const Unlocked unlocked;
        result = market_runs::run_market(file, options);
    }
    if (run.error) std::rethrow_exception(run.error);
    if (!result) throw Error{result.error()};
    nb::dict made;
    made["seed"] = result->seed;
    made["hash"] = result->hash;
    made["identity"] = result->identity;
    made["begin"] = begin.value;
    made["duration"] = result->ran_ns;
    made["complete"] = result->is_complete;
    made["messages"] = result->counts.messages;
    made["trades"] = result->counts.trades;
    made["rejects"] = result->counts.rejects;
    made["faults"] = result->faults;
    made["groups"] = groups;
    made["instruments"] = instruments_of(*result, file);
    made["measured"] = measured_of(*result);
    made["fills"] = fills_of(watcher.fills(), file);
    made["stories"] =
        explained ? nb::object{stories_of(*explained, begin, begin + Timestamp{result->ran_ns})}
                  : nb::none();
    return made;
}

void bind_markets(nb::module_& module) {
    nb::class_<MarketOfPython> market{module, "Market"};
    market.def(nb::init<std::string, std::string>(), nb::arg("text"), nb::arg("where"))
        .def("check", [](const MarketOfPython& self) { static_cast<void>(self.read()); })
        .def("add", &MarketOfPython::add, nb::arg("table"), nb::arg("script") = "",
             nb::arg("is_checked") = true)
        .def("text", &MarketOfPython::text)
        .def_prop_ro("symbols",
                     [](const MarketOfPython& self) {
                         std::vector<std::string> symbols;
                         for (const auto& one : self.read().instruments)
                             symbols.emplace_back(one.definition.symbol.view());
                         return symbols;
                     })
        .def_prop_ro("groups",
                     [](const MarketOfPython& self) {
                         std::vector<std::string> names;
                         for (const auto& group : self.read().groups) names.push_back(group.name);
                         return names;
                     })
        .def_prop_ro("duration", [](const MarketOfPython& self) { return self.read().duration_ns; })
        .def(
            "run",
            [](MarketOfPython& self, std::uint64_t seed, std::int64_t duration,
               const std::string& keep, const nb::dict& scripts,
               const std::vector<std::string>& kept, const std::string& explain,
               std::uint64_t explained, const nb::object& progress) {
                return self.run({.seed = seed,
                                 .duration_ns = duration,
                                 .keep = keep,
                                 .explain = explain,
                                 .explained = explained},
                                scripts, kept, progress);
            },
            nb::arg("seed"), nb::arg("duration"), nb::arg("keep"), nb::arg("scripts"),
            nb::arg("kept"), nb::arg("explain"), nb::arg("explained"), nb::arg("progress").none(),
            nb::sig("def run(self, seed: int, duration: int, keep: str, scripts: dict[str, "
                    "dict[str, typing.Any]], kept: list[str], explain: str, explained: int, "
                    "progress: typing.Callable[[int], None] | None) -> dict[str, typing.Any]"));
    bind_backtests(market);
    module.def("participant_kinds", kinds_for_python,
               "Of each kind: name, summary, source, and of each parameter name, unit and help.",
               nb::sig("def participant_kinds() -> list[tuple[str, str, str, list[tuple[str, str, "
                       "str]]]]"));
}

}  // namespace damrak::python
