// Rates are counts over the time in which the event could have happened; their errors are those of
// Poisson counts, one over the square root.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <damrak/calibration/calibration.hpp>
#include <damrak/calibration/detail/hawkes_fit.hpp>

namespace damrak::calibration {
namespace {

using participants::ParameterValue;

Estimate rate_of(std::string name, std::uint64_t count, double exposure, double scale = 1) {
    const auto n = static_cast<double>(count);
    if (!(exposure > 0)) return {std::move(name)};
    return {std::move(name), scale * n / exposure, scale * std::sqrt(n) / exposure, count};
}

Estimate mean_shares(std::string name, double shares, std::uint64_t count) {
    return {std::move(name), count == 0 ? 0 : shares / static_cast<double>(count), 0, count};
}

ParameterValue number(double value) { return {.number = value}; }
ParameterValue whole(double value) {
    return {.whole = std::max<std::int64_t>(std::llround(value), 1)};
}

/// Keeps what the kind says about the parameters.
ModelEstimate finish(ModelEstimate model, std::string_view kind) {
    model.kind = participants::find_kind(kind);
    model.note = model.kind->check(model.parameters);
    return model;
}

}  // namespace

// Smith, Farmer et al. (2003), section 2: alpha, mu and delta from the day, in one order size. Only
// orders within the window count, so that alpha and delta are those of where prices are made.
ModelEstimate zero_intelligence_of(const FlowRecord& record) {
    std::uint64_t limits = 0;
    std::uint64_t cancels = 0;
    double order_seconds = 0;
    for (const AtDistance& there : record.distances) {
        limits += there.limits;
        cancels += there.cancels;
        order_seconds += there.order_seconds;
    }
    const auto window = static_cast<double>(record.distances.size());
    ModelEstimate model;
    model.estimates = {rate_of("limit_per_tick_per_s", limits, window * record.side_seconds),
                       rate_of("market_per_s", record.markets, record.seconds),
                       rate_of("cancel_per_s", cancels, order_seconds),
                       mean_shares("quantity", record.limit_shares, record.limits)};
    model.parameters["limit_per_tick_per_s"] = number(std::max(model.estimates[0].value, 1e-9));
    model.parameters["market_per_s"] = number(model.estimates[1].value);
    model.parameters["cancel_per_s"] = number(std::max(model.estimates[2].value, 1e-9));
    model.parameters["quantity"] = whole(model.estimates[3].value);
    model.parameters["window_ticks"] = whole(window);
    return finish(std::move(model), "zero-intelligence");
}

// Cont, Stoikov and Talreja (2010), section 2.3: sizes in units of the mean limit order.
ModelEstimate cont_stoikov_talreja_of(const FlowRecord& record) {
    ModelEstimate model;
    const Estimate quantity = mean_shares("quantity", record.limit_shares, record.limits);
    ParameterValue limits;
    ParameterValue cancels;
    double all_cancelled = 0;
    double all_share_seconds = 0;
    for (const AtDistance& there : record.distances) {
        all_cancelled += there.cancelled_shares;
        all_share_seconds += there.share_seconds;
    }
    std::vector<Estimate> of_cancels;
    for (std::size_t i = 0; i < record.distances.size(); ++i) {
        const AtDistance& there = record.distances[i];
        model.estimates.push_back(
            rate_of(fmt::format("limit_per_s[{}]", i + 1), there.limits, record.side_seconds));
        limits.numbers.push_back(model.estimates.back().value);
        const double mean =
            there.cancels == 0 ? 0 : there.cancelled_shares / static_cast<double>(there.cancels);
        of_cancels.push_back(rate_of(fmt::format("cancel_per_s[{}]", i + 1), there.cancels,
                                     there.share_seconds, mean));
        // Where nothing rests, nothing is cancelled: the mean of all distances stands there.
        cancels.numbers.push_back(there.share_seconds > 0 && there.cancels > 0
                                      ? of_cancels.back().value
                                  : all_share_seconds > 0 ? all_cancelled / all_share_seconds
                                                          : 0);
    }
    model.estimates.insert(model.estimates.end(), of_cancels.begin(), of_cancels.end());
    const double market_mean =
        record.markets == 0 ? 0 : record.market_shares / static_cast<double>(record.markets);
    model.estimates.push_back(rate_of("market_per_s", record.markets, 2 * record.seconds,
                                      quantity.value > 0 ? market_mean / quantity.value : 0));
    model.estimates.push_back(quantity);
    model.parameters["market_per_s"] = number(model.estimates[model.estimates.size() - 2].value);
    model.parameters["limit_per_s"] = std::move(limits);
    model.parameters["cancel_per_s"] = std::move(cancels);
    model.parameters["quantity"] = whole(quantity.value);
    return finish(std::move(model), "cont-stoikov-talreja");
}

namespace {

Estimate share_of(std::string name, double part, double whole) {
    if (!(whole > 0)) return {std::move(name)};
    const double share = part / whole;
    return {std::move(name), share, std::sqrt(share * (1 - share) / whole),
            static_cast<std::uint64_t>(whole)};
}

// Of best queues that emptied: the share after which the reference price moved, and of these, that
// after which the book was redrawn. A redraw shows at once; without one, what is unsettled is taken
// to be like what is settled.
void add_moves(const FlowRecord& record, ModelEstimate& model) {
    const auto redrawn = static_cast<double>(record.redrawn);
    const auto others = static_cast<double>(record.settled + record.unsettled);
    const double moved_share = record.settled == 0 ? 0
                                                   : static_cast<double>(record.moved) /
                                                         static_cast<double>(record.settled);
    const double moves = redrawn + others * moved_share;
    model.estimates.push_back(share_of("move", moves, redrawn + others));
    model.estimates.push_back(share_of("reinitialise", redrawn, moves));
    for (const Estimate& estimate : {model.estimates.end()[-2], model.estimates.back()})
        model.parameters[estimate.name] = number(estimate.value);
}

}  // namespace

// Huang, Lehalle and Rosenbaum (2015), section 2.3: events in a state over the time in it. States
// from the first on that has fewer than 20 limit orders and cancels are one.
ModelEstimate queue_reactive_of(const FlowRecord& record, const RecordSettings& settings) {
    std::vector<AtSize> sizes = record.sizes;
    const auto is_rare = [](const AtSize& size) { return size.limits + size.cancels < 20; };
    std::size_t kept = 2;
    while (kept < sizes.size() && !is_rare(sizes[kept])) ++kept;
    for (; sizes.size() > kept; sizes.pop_back()) {
        AtSize& last = sizes[sizes.size() - 2];
        const AtSize& rare = sizes.back();
        last.seconds += rare.seconds;
        last.best_seconds += rare.best_seconds;
        last.limits += rare.limits;
        last.cancels += rare.cancels;
        last.markets += rare.markets;
    }
    ModelEstimate model;
    ParameterValue limits;
    ParameterValue cancels;
    ParameterValue markets;
    const auto add = [&](const char* name, std::size_t n, std::uint64_t count, double seconds,
                         ParameterValue& values) {
        model.estimates.push_back(rate_of(fmt::format("{}[{}]", name, n), count, seconds));
        values.numbers.push_back(model.estimates.back().value);
    };
    for (std::size_t n = 0; n < sizes.size(); ++n)
        add("limit_per_s", n, sizes[n].limits, sizes[n].seconds, limits);
    for (std::size_t n = 0; n < sizes.size(); ++n)
        add("cancel_per_s", n, n == 0 ? 0 : sizes[n].cancels, sizes[n].seconds, cancels);
    for (std::size_t n = 0; n < sizes.size(); ++n)
        add("market_per_s", n, sizes[n].markets, sizes[n].best_seconds, markets);
    add_moves(record, model);
    model.estimates.push_back(
        {"quantity", static_cast<double>(settings.unit_shares), 0, record.events.size()});
    model.parameters["limit_per_s"] = std::move(limits);
    model.parameters["cancel_per_s"] = std::move(cancels);
    model.parameters["market_per_s"] = std::move(markets);
    model.parameters["levels"] = whole(static_cast<double>(settings.queues));
    model.parameters["quantity"] = whole(static_cast<double>(settings.unit_shares));
    return finish(std::move(model), "queue-reactive");
}

ModelEstimate hawkes_of(const FlowRecord& record) {
    constexpr std::size_t k_types = 6;
    static constexpr const char* k_names[k_types] = {"market_buy", "market_sell", "limit_buy",
                                                     "limit_sell", "cancel_buy",  "cancel_sell"};
    const HawkesFit fit = fit_hawkes(record.events, k_types, record.seconds);
    std::uint64_t counts[k_types] = {};
    for (const FlowEvent& event : record.events) ++counts[event.type];
    ModelEstimate model;
    for (std::size_t i = 0; i < k_types; ++i)
        model.estimates.push_back({fmt::format("base_per_s[{}]", k_names[i]),
                                   fit.estimate.base_per_s[i], fit.standard_error.base_per_s[i],
                                   counts[i]});
    for (std::size_t i = 0; i < k_types; ++i)
        for (std::size_t j = 0; j < k_types; ++j)
            model.estimates.push_back({fmt::format("branching[{}, {}]", k_names[i], k_names[j]),
                                       fit.estimate.branching[i * k_types + j],
                                       fit.standard_error.branching[i * k_types + j], counts[i]});
    model.estimates.push_back({"decay_per_s", fit.estimate.decay_per_s,
                               fit.standard_error.decay_per_s, record.events.size()});
    model.estimates.push_back(mean_shares("quantity", record.limit_shares, record.limits));
    model.parameters["base_per_s"] = {.numbers = fit.estimate.base_per_s};
    model.parameters["branching"] = {.numbers = fit.estimate.branching};
    model.parameters["decay_per_s"] = number(fit.estimate.decay_per_s);
    model.parameters["quantity"] = whole(model.estimates.back().value);
    return finish(std::move(model), "hawkes");
}

}  // namespace damrak::calibration
