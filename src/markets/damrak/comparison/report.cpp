#include <damrak/comparison/report.hpp>

#include <algorithm>
#include <cstddef>
#include <utility>

#include <fmt/format.h>

#include <damrak/base/csv_cell.hpp>

namespace damrak::comparison {
namespace {

std::string cell(const std::optional<double>& value) {
    return value ? fmt::format("{}", *value) : std::string{};
}

std::string cells_of(const MeasureName& name) {
    return fmt::format("{},{},{}", csv_cell(name.instrument), csv_cell(name.group),
                       csv_cell(name.measure));
}

bool is_shared(std::size_t place, const std::vector<ComparedMarket>& markets) {
    return std::ranges::count(markets, markets[place].name, &ComparedMarket::name) > 1;
}

/// Adds to each name that several markets have what `detail_of` says of the place.
template <class Detail>
void tell_apart(std::vector<ComparedMarket>& markets, const Detail& detail_of) {
    std::vector<std::string> names;
    names.reserve(markets.size());
    for (std::size_t i = 0; i < markets.size(); ++i)
        names.push_back(is_shared(i, markets)
                            ? fmt::format("{} ({})", markets[i].name, detail_of(i))
                            : markets[i].name);
    for (std::size_t i = 0; i < markets.size(); ++i) markets[i].name = std::move(names[i]);
}

}  // namespace

Study study_of(std::vector<ComparedMarket> markets, const CompareOptions& options) {
    tell_apart(markets, [&](std::size_t i) {
        return markets[i].file.empty() ? fmt::format("{:016x}", markets[i].identity)
                                       : markets[i].file;
    });
    tell_apart(markets, [](std::size_t i) { return fmt::format("{}", i + 1); });
    Study study{.markets = std::move(markets), .comparisons = {}, .options = options};
    for (std::size_t i = 1; i < study.markets.size(); ++i)
        study.comparisons.push_back(compare(study.markets[0].runs, study.markets[i].runs, options));
    correct(study.comparisons, options.primary);
    return study;
}

std::string differences_csv(const Study& study) {
    std::string text =
        "market,instrument,group,measure,unit,pairs,mean_a,mean_b,difference,low,high,p,"
        "p_corrected,deviation_a,deviation,correlation,variance_ratio,detectable,seeds_needed\n";
    for (std::size_t i = 0; i < study.comparisons.size(); ++i)
        for (const Difference& one : study.comparisons[i].differences)
            text += fmt::format(
                "{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}\n",
                csv_cell(study.markets[i + 1].name), cells_of(one.name), csv_cell(one.unit),
                one.pairs, one.mean_a, one.mean_b, one.mean, one.interval.low, one.interval.high,
                one.p, one.p_corrected, one.deviation_a, one.deviation, cell(one.correlation),
                cell(one.variance_ratio), one.detectable,
                one.seeds_needed ? std::to_string(*one.seeds_needed) : std::string{});
    return text;
}

std::string runs_csv(const Study& study) {
    std::string text = "market,seed,hash,instrument,group,measure,unit,value,observations\n";
    for (const ComparedMarket& market : study.markets)
        for (const MeasuredRun& run : market.runs)
            for (const Measured& value : run.values)
                text += fmt::format("{},{},{:016x},{},{},{},{}\n", csv_cell(market.name), run.seed,
                                    run.hash, cells_of(value.name), csv_cell(value.unit),
                                    value.value, value.count);
    return text;
}

}  // namespace damrak::comparison
