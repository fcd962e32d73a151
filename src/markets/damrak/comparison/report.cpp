#include <damrak/comparison/report.hpp>

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

}  // namespace

Study study_of(std::vector<ComparedMarket> markets, const CompareOptions& options) {
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
