// `damrak sim list`, `check` and `explain`.
#include <limits>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <damrak/base/did_you_mean.hpp>
#include <damrak/base/duration_text.hpp>
#include <damrak/base/time_units.hpp>
#include <damrak/base/toml_text.hpp>
#include <damrak/market_runs/market_file.hpp>
#include <damrak/participants/kind.hpp>

#include "cli.hpp"
#include "sim/jobs.hpp"
#include "sim/price_units.hpp"

namespace damrak::app {
namespace {

using Json = nlohmann::ordered_json;
using participants::Kind;
using participants::ParameterInfo;
using participants::ParameterKind;

Json preset_of(const ParameterInfo& row) {
    switch (row.kind) {
        case ParameterKind::number:
            return row.preset.number;
        case ParameterKind::price:
            return row.preset.number / k_price_units;
        case ParameterKind::whole:
            return row.preset.whole;
        case ParameterKind::duration:
            return duration_text(row.preset.whole);
        case ParameterKind::truth:
            return row.preset.truth;
        case ParameterKind::text:
        case ParameterKind::word:
            return row.preset.text;
        case ParameterKind::numbers:
            return row.preset.numbers;
        case ParameterKind::texts:
            return row.preset.texts;
    }
    return {};
}

std::string limit_text(const ParameterInfo& row, double limit) {
    return row.kind == ParameterKind::duration ? duration_text(static_cast<std::int64_t>(limit))
                                               : fmt::format("{}", limit);
}

std::string range_of(const ParameterInfo& row) {
    switch (row.kind) {
        case ParameterKind::word:
            return fmt::format("one of {}", fmt::join(row.words, ", "));
        case ParameterKind::truth:
            return "true or false";
        case ParameterKind::text:
            return "a text";
        case ParameterKind::texts:
            return "a list of texts";
        case ParameterKind::price:
            return "a price";
        default:
            break;
    }
    const bool has_least = row.least > std::numeric_limits<double>::lowest();
    const bool has_most = row.most < 1e14;
    if (has_least && has_most)
        return fmt::format("{} to {}", limit_text(row, row.least), limit_text(row, row.most));
    if (has_least) return fmt::format("from {}", limit_text(row, row.least));
    return has_most ? fmt::format("up to {}", limit_text(row, row.most)) : "any number";
}

Json json_of(const Kind& kind) {
    Json parameters = Json::array();
    for (const ParameterInfo& row : kind.parameters)
        parameters.push_back({{"name", row.name},
                              {"unit", row.unit},
                              {"range", range_of(row)},
                              {"default", preset_of(row)},
                              {"help", row.help}});
    return {{"name", kind.name},
            {"summary", kind.summary},
            {"source", kind.source},
            {"parameters", parameters}};
}

int explain(const Kind& kind) {
    fmt::print("{}: {}.\nSource: {}.\n\n", kind.name, kind.summary, kind.source);
    for (const ParameterInfo& row : kind.parameters)
        fmt::print("  {} = {}\n      {}{} ({})\n", row.name, preset_of(row).dump(), row.help,
                   row.unit.empty() ? "" : fmt::format(", {}", row.unit), range_of(row));
    return k_exit_success;
}

}  // namespace

int list_kinds(bool json) {
    if (json) {
        Json kinds = Json::array();
        for (const Kind& kind : participants::kinds()) kinds.push_back(json_of(kind));
        print_json({{"kinds", kinds}});
        return k_exit_success;
    }
    for (const Kind& kind : participants::kinds())
        fmt::print("{:<24} {}\n", kind.name, kind.summary);
    fmt::print("\n`damrak sim explain KIND` shows the parameters of a kind.\n");
    return k_exit_success;
}

int check_market_file(const SimCheckOptions& options) {
    const auto is_of_day = market_runs::is_for_recorded_day(options.file);
    if (!is_of_day) return fail(is_of_day.error());
    market_runs::GivenMarket day{.instrument = {}, .duration_ns = k_day_ns};
    day.instrument.definition.id = InstrumentId{1};
    day.instrument.definition.symbol = Symbol::of(options.symbol);
    day.instrument.definition.tick_bands[0] = {Price{0}, Price{100}};
    day.instrument.fundamental.start = 100 * k_price_units;
    const auto file = market_runs::read_market_file(options.file, *is_of_day ? &day : nullptr);
    if (!file) return fail(file.error());
    if (*is_of_day) {
        fmt::print("{}: {}, for a recorded day (damrak sim whatif)\n", options.file.string(),
                   counted(static_cast<std::int64_t>(file->participants()), "participant"));
        return k_exit_success;
    }
    fmt::print("{}: {}, {}, {} of virtual time\n", options.file.string(),
               counted(static_cast<std::int64_t>(file->participants()), "participant"),
               counted(static_cast<std::int64_t>(file->instruments.size()), "instrument"),
               duration_text(file->duration_ns));
    return k_exit_success;
}

int explain_market(const std::string& what) {
    if (const Kind* const kind = participants::find_kind(what)) return explain(*kind);
    if (!std::filesystem::exists(what)) {
        std::vector<std::string> known;
        for (const Kind& kind : participants::kinds()) known.emplace_back(kind.name);
        return fail(fmt::format("'{}' is neither a file nor a kind of participant; {}", what,
                                did_you_mean(what, known)));
    }
    const auto file = market_runs::read_market_file(what);
    if (!file) return fail(file.error());
    fmt::print("name = {}\n{}", toml_text(file->name), market_runs::describe(*file));
    return k_exit_success;
}

}  // namespace damrak::app
