// Comparisons of markets for Python: the statistics of `damrak sim compare`, over runs that Python
// has made or kept.
#include <damrak/comparison/comparison.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "bind.hpp"

namespace nb = nanobind;

namespace damrak::python {
namespace {

using comparison::Difference;
using comparison::MeasuredRun;
using Name = std::tuple<std::string, std::string, std::string, std::string>;

std::vector<MeasuredRun> runs_of(const std::vector<Name>& names, const nb::list& given) {
    std::vector<MeasuredRun> runs;
    for (const nb::handle one : given) {
        MeasuredRun& run = runs.emplace_back();
        run.hash = nb::cast<std::uint64_t>(one[0]);
        const auto values = nb::cast<std::vector<double>>(one[1]);
        for (std::size_t i = 0; i < values.size(); ++i) {
            if (std::isnan(values[i])) continue;
            const auto& [instrument, group, measure, unit] = names.at(i);
            run.values.push_back({{instrument, group, measure}, unit, values[i], 1});
        }
    }
    return runs;
}

nb::dict dict_of(const Difference& one) {
    nb::dict made;
    made["instrument"] = one.name.instrument;
    made["group"] = one.name.group;
    made["measure"] = one.name.measure;
    made["unit"] = one.unit;
    made["pairs"] = one.pairs;
    made["mean_a"] = one.mean_a;
    made["mean_b"] = one.mean_b;
    made["difference"] = one.mean;
    made["low"] = one.interval.low;
    made["high"] = one.interval.high;
    made["p"] = one.p;
    made["p_corrected"] = one.p_corrected;
    made["significant"] = one.is_significant();
    made["deviation_a"] = one.deviation_a;
    made["deviation"] = one.deviation;
    made["correlation"] = one.correlation;
    made["variance_ratio"] = one.variance_ratio;
    made["detectable"] = one.detectable;
    made["seeds_needed"] = one.seeds_needed;
    return made;
}

nb::list texts_of(const std::vector<comparison::MeasureName>& names) {
    nb::list texts;
    for (const comparison::MeasureName& name : names) texts.append(name.text());
    return texts;
}

nb::dict compare(const std::vector<Name>& names, const nb::list& a, const nb::list& b,
                 std::vector<std::string> measures, std::string primary,
                 const std::string& effect) {
    comparison::CompareOptions options{
        .measures = std::move(measures), .primary = std::move(primary), .effect = {}};
    if (!effect.empty()) {
        const auto parsed = comparison::parse_effect(effect);
        if (!parsed) throw nb::value_error(parsed.error().c_str());
        options.effect = *parsed;
    }
    std::vector all{comparison::compare(runs_of(names, a), runs_of(names, b), options)};
    comparison::correct(all, options.primary);
    nb::list differences;
    for (const Difference& one : all[0].differences) differences.append(dict_of(one));
    nb::dict made;
    made["pairs"] = all[0].pairs;
    made["equal_hashes"] = all[0].equal_hashes;
    made["differences"] = differences;
    made["left_out"] = texts_of(all[0].left_out);
    made["in_other_ticks"] = texts_of(all[0].in_other_ticks);
    return made;
}

}  // namespace

void bind_comparisons(nb::module_& module) {
    module.def(
        "compare", compare, nb::arg("names"), nb::arg("a"), nb::arg("b"), nb::arg("measures"),
        nb::arg("primary"), nb::arg("effect"),
        "Of each name: instrument, group, measure, unit. Of each run: hash, and a value for each "
        "name, NaN where there is none. As many runs in a and b; those in the same place are a "
        "pair.",
        nb::sig("def compare(names: list[tuple[str, str, str, str]], a: list[tuple[int, "
                "list[float]]], b: list[tuple[int, list[float]]], measures: list[str], primary: "
                "str, effect: str) -> dict[str, typing.Any]"));
}

}  // namespace damrak::python
