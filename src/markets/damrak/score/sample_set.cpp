#include <damrak/score/sample_set.hpp>

#include <fmt/format.h>

#include <damrak/market_runs/recorded_flow.hpp>
#include <damrak/measures/measures.hpp>
#include <damrak/measures/public_recording.hpp>
#include <damrak/score/detail/sampler.hpp>

namespace damrak::score {
namespace {

using archive::DayDepth;

constexpr std::array<std::string_view, 4> k_lags{"lag 1", "lag 2", "lag 5", "lag 10"};
constexpr std::array<std::string_view, 5> k_horizons{"1 s", "2 s", "5 s", "10 s", "60 s"};
constexpr std::array<std::string_view, 3> k_after{"after 1 s", "after 10 s", "after 60 s"};
constexpr std::array<std::string_view, 5> k_classes{"below 100 shares", "100 shares", "101 to 300",
                                                    "301 to 1,000", "above 1,000"};

constexpr std::array<Feature, Feature::k_count> k_features{{
    {Feature::spread, "spread", "bp", Method::wasserstein, "best ask less best bid, by the second"},
    {Feature::depth, "depth_at_best", "shares", Method::kolmogorov_smirnov,
     "displayed at the best price, mean of both sides, by the second"},
    {Feature::imbalance, "imbalance", "1", Method::wasserstein,
     "(bid - ask) / (bid + ask) of the best quantities, by the second"},
    {Feature::order_size, "order_size", "shares", Method::kolmogorov_smirnov,
     "of orders that join or improve the best price"},
    {Feature::interarrival, "interarrival", "s", Method::kolmogorov_smirnov,
     "time between messages at the best prices"},
    {Feature::time_to_cancel, "time_to_cancel", "s", Method::kolmogorov_smirnov,
     "of orders that joined or improved the best price and were cancelled unfilled"},
    {Feature::volume, "volume", "shares/min", Method::kolmogorov_smirnov, "traded in each minute"},
    {Feature::sign_memory, "sign_memory", "1", Method::curve, "autocorrelation of trade signs",
     k_lags},
    {Feature::volatility, "volatility", "bp/sqrt(s)", Method::curve,
     "signature: root of the variance of mid changes over a time, a second", k_horizons},
    {Feature::trade_response, "response_trade", "bp", Method::curve,
     "mean change of the mid after a trade, in its direction", k_after},
    {Feature::order_response, "response_order", "bp", Method::curve,
     "the same after an order that joins or improves the best price", k_after},
    {Feature::cancel_response, "response_cancel", "bp", Method::curve,
     "the same after a cancel at the best price, in the direction away from its side", k_after},
    {Feature::impact, "impact_by_size", "bp", Method::curve,
     "mean change of the mid 10 s after a trade, by its size", k_classes},
}};

}  // namespace

const std::array<Feature, Feature::k_count>& features() { return k_features; }

std::string_view name_of(Method method) {
    switch (method) {
        case Method::wasserstein:
            return "wasserstein";
        case Method::kolmogorov_smirnov:
            return "kolmogorov-smirnov";
        case Method::curve:
            return "curve";
    }
    return {};
}

std::string why_unknown(Feature::Id feature, const DayDepth& depth) {
    if (depth.has(DayDepth::k_instants_only) && feature != Feature::volatility)
        return "the day shows the book at instants only";
    switch (feature) {
        case Feature::order_size:
        case Feature::interarrival:
        case Feature::order_response:
        case Feature::cancel_response:
            if (depth.has(DayDepth::k_levels_alone)) return "the day shows levels and no orders";
            return {};
        case Feature::time_to_cancel:
            if (depth.has(DayDepth::k_levels_alone)) return "the day shows levels and no orders";
            if (depth.depth > 0)
                return fmt::format("the day does not show cancels below level {}", depth.depth);
            return {};
        default:
            return {};
    }
}

std::expected<SampleSet, std::string> sample_day(const market_runs::RecordedDay& day,
                                                 const market_runs::MeasuredHours& hours,
                                                 std::int64_t block_ns) {
    detail::Sampler sampler{block_ns};
    measures::Measures measures;
    measures.show_to(sampler);
    measures::PublicRecording recording{measures, hours.begin_ns};
    const auto read = market_runs::read_recorded_day(day, hours.end_ns, recording);
    if (!read) return std::unexpected{read.error()};
    static_cast<void>(measures.finish({recording.last_ns()}));
    SampleSet set{.symbol = day.symbol,
                  .blocks = sampler.finish(),
                  .anomalies = recording.anomalies().total(),
                  .depth = read->value,
                  .completeness = read->completeness};
    std::erase_if(set.blocks, [&](const Block& block) {
        return block.begin_ns + block_ns <= set.depth.book_from_ns ||
               block.begin_ns > set.depth.book_until_ns;
    });
    if (set.blocks.empty())
        return std::unexpected{
            fmt::format("{}: {} has nothing in these hours", day.path.string(), day.symbol)};
    return set;
}

}  // namespace damrak::score
