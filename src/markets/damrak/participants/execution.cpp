#include <damrak/participants/execution.hpp>

#include <algorithm>

#include <damrak/participants/models/almgren_chriss.hpp>

namespace damrak::participants {

using market_kernel::MarketAccess;

std::vector<Parameter<Twap::Parameters>> Twap::parameters() {
    return detail::execution_rows<Parameters>().take();
}

double Twap::wanted(MarketAccess& /*access*/, const Parent& /*parent*/, double share) {
    return share * static_cast<double>(quantity());
}

std::vector<Parameter<Vwap::Parameters>> Vwap::parameters() {
    return detail::execution_rows<Parameters>()
        .numbers("profile", &Parameters::profile, "volume", 0, 1e12,
                 "Expected volume of equal parts of the time, in any unit; empty: uniform")
        .take();
}

std::string Vwap::check(const Parameters& parameters) {
    double sum = 0;
    for (const double part : parameters.profile) sum += part;
    if (!parameters.profile.empty() && sum <= 0) return "profile must have volume in some part";
    return check_parent(parameters);
}

double Vwap::wanted(MarketAccess& /*access*/, const Parent& /*parent*/, double share) {
    if (profile_.empty()) return share * static_cast<double>(quantity());
    const double parts = share * static_cast<double>(profile_.size());
    double sum = 0;
    double gone = 0;
    for (std::size_t i = 0; i < profile_.size(); ++i) {
        sum += profile_[i];
        gone += profile_[i] * std::clamp(parts - static_cast<double>(i), 0., 1.);
    }
    return gone / sum * static_cast<double>(quantity());
}

std::vector<Parameter<Pov::Parameters>> Pov::parameters() {
    return detail::execution_rows<Parameters>()
        .number("participation", &Parameters::participation, "share", 1e-6, 10,
                "Own volume over the volume of others since the start")
        .take();
}

double Pov::wanted(MarketAccess& access, const Parent& parent, double /*share*/) {
    const std::uint64_t seen = access.view(parent.instrument).volume - parent.volume_before;
    return participation_ * static_cast<double>(static_cast<std::int64_t>(seen) - parent.done);
}

std::vector<Parameter<AlmgrenChriss::Parameters>> AlmgrenChriss::parameters() {
    using P = Parameters;
    return detail::execution_rows<P>()
        .number("risk_aversion", &P::risk_aversion, "per currency", 0, 1e3,
                "Weight of the variance of the cost against its mean (lambda)")
        .number("volatility", &P::volatility, "currency per square root of a second", 0, 1e6,
                "What it takes the volatility of the price to be (sigma)")
        .number("temporary_impact", &P::temporary_impact, "currency per share and second", 1e-15,
                1e6, "What it takes a share per second to cost in each share (eta)")
        .number("permanent_impact", &P::permanent_impact, "currency per share", 0, 1e6,
                "What it takes a share to move the price for good (gamma)")
        .take();
}

namespace {

models::ExecutionModel execution_model(const AlmgrenChriss::Parameters& parameters) {
    return {.risk_aversion = parameters.risk_aversion,
            .volatility = parameters.volatility,
            .temporary_impact = parameters.temporary_impact,
            .permanent_impact = parameters.permanent_impact,
            .half_spread = 0};
}

double slot_seconds(const detail::ExecutionParameters& parameters) {
    return static_cast<double>(parameters.interval_ns) * 1e-9;
}

}  // namespace

std::string AlmgrenChriss::check(const Parameters& parameters) {
    if (models::net_impact(execution_model(parameters), slot_seconds(parameters)) <= 0)
        return "temporary_impact must be above permanent_impact times half the interval in seconds";
    return check_parent(parameters);
}

AlmgrenChriss::AlmgrenChriss(const Parameters& parameters, const Assignment& assignment)
    : Execution(parameters, assignment),
      urgency_(models::execution_urgency(execution_model(parameters), slot_seconds(parameters))) {}

double AlmgrenChriss::wanted(MarketAccess& /*access*/, const Parent& /*parent*/, double share) {
    const double end_s = static_cast<double>(period_ns()) * 1e-9;
    const double held = models::held_share(urgency_, end_s, share * end_s);
    return (1 - held) * static_cast<double>(quantity());
}

}  // namespace damrak::participants
