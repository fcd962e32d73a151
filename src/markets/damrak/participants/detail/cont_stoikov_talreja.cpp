#include <damrak/participants/detail/cont_stoikov_talreja.hpp>

#include <algorithm>

#include <damrak/participants/detail/flow.hpp>

namespace damrak::participants {

using market_kernel::MarketAccess;

std::vector<Parameter<ContStoikovTalreja::Parameters>> ContStoikovTalreja::parameters() {
    using P = Parameters;
    return ParameterRows<P>{}
        .numbers("limit_per_s", &P::limit_per_s, "per second", 0, 1e6,
                 "Rates of limit orders of a side, 1, 2, ... ticks from the opposite best price")
        .numbers("cancel_per_s", &P::cancel_per_s, "per second", 0, 1e6,
                 "Rates at which an order is cancelled, by its distance; the last one holds beyond")
        .number("market_per_s", &P::market_per_s, "per second", 0, 1e6,
                "Rate of market orders of each side")
        .whole("quantity", &P::quantity, "shares", 1, 1'000'000, "Quantity of an order")
        .take();
}

std::string ContStoikovTalreja::check(const Parameters& parameters) {
    double limits = 0;
    for (const double rate : parameters.limit_per_s) limits += rate;
    if (limits <= 0) return "limit_per_s needs a rate above zero";
    if (parameters.cancel_per_s.empty() || parameters.cancel_per_s.back() <= 0)
        return "the last rate of cancel_per_s must be above zero, or the book grows without bound";
    return {};
}

ContStoikovTalreja::ContStoikovTalreja(const Parameters& parameters, const Assignment& assignment)
    : is_(parameters), instruments_(assignment.instruments) {
    for (const double rate : is_.limit_per_s) limits_per_s_ += rate;
    most_cancels_per_s_ = *std::ranges::max_element(is_.cancel_per_s);
}

void ContStoikovTalreja::on_start(MarketAccess& access) {
    arrivals_ = access.draws("arrival");
    terms_ = access.draws("terms");
    cancels_ = access.draws("cancel");
    sleep(access);
}

void ContStoikovTalreja::on_timer(MarketAccess& access, std::uint64_t key) {
    if (key != 0) {
        consider_cancel(access, key);
        return;
    }
    trade(access);
    sleep(access);
}

void ContStoikovTalreja::sleep(MarketAccess& access) {
    const double per_s = 2 * (limits_per_s_ + is_.market_per_s);
    const auto instruments = static_cast<double>(instruments_.size());
    detail::wake_after(access, arrivals_.exponential(per_s * instruments));
}

void ContStoikovTalreja::trade(MarketAccess& access) {
    const InstrumentId instrument = instruments_[terms_.below(instruments_.size())];
    const Side side = terms_.chance(0.5) ? Side::buy : Side::sell;
    double left = terms_.uniform() * (limits_per_s_ + is_.market_per_s) - is_.market_per_s;
    if (left < 0) {
        detail::flow_market(access, instrument, side, is_.quantity);
        return;
    }
    std::size_t level = 0;
    while (level + 1 < is_.limit_per_s.size() && left >= is_.limit_per_s[level])
        left -= is_.limit_per_s[level++];
    const auto ticks = static_cast<std::int64_t>(level) + 1;
    const Price price = detail::from_opposite(access, instrument, side, ticks);
    const auto order = detail::flow_limit(access, instrument, side, price, is_.quantity);
    if (order)
        detail::wake_after(access, cancels_.exponential(most_cancels_per_s_),
                           detail::key_of(order));
}

double ContStoikovTalreja::cancel_rate(MarketAccess& access, const market_kernel::OwnOrder& order) {
    const views::PublicChange& view = access.view(order.instrument);
    const bool is_buy = order.side == Side::buy;
    if (is_buy ? !view.has_ask() : !view.has_bid()) return is_.cancel_per_s.back();
    const std::int64_t distance =
        is_buy ? view.ask.value - order.price.value : order.price.value - view.bid.value;
    const std::int64_t ticks = distance / detail::tick_of(access, order.instrument);
    const auto levels = static_cast<std::int64_t>(is_.cancel_per_s.size());
    return is_
        .cancel_per_s[static_cast<std::size_t>(std::clamp<std::int64_t>(ticks, 1, levels)) - 1];
}

// The rate of an order changes with its distance. It considers a cancel at the highest rate, and
// cancels with the share that its present rate has of that: thinning, which is exact.
void ContStoikovTalreja::consider_cancel(MarketAccess& access, std::uint64_t key) {
    const auto* const order = access.order(detail::handle_of(key));
    if (order == nullptr || order->cancelling) return;
    if (cancels_.chance(cancel_rate(access, *order) / most_cancels_per_s_))
        access.cancel(order->handle);
    else
        detail::wake_after(access, cancels_.exponential(most_cancels_per_s_), key);
}

}  // namespace damrak::participants
