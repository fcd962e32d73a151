#include <damrak/participants/detail/quote_stuffer.hpp>

#include <damrak/participants/detail/prices.hpp>
#include <damrak/participants/detail/timers.hpp>

namespace damrak::participants {

using market_kernel::MarketAccess;

std::vector<Parameter<QuoteStuffer::Parameters>> QuoteStuffer::parameters() {
    using P = Parameters;
    constexpr std::int64_t k_most_ns = 100 * 86'400 * market_kernel::k_second_ns;
    return ParameterRows<P>{}
        .number("bursts_per_s", &P::bursts_per_s, "per second", 0, 1e3,
                "Rate of its bursts, at exponential intervals after the last one; 0: one, at start")
        .whole("pairs", &P::pairs, "orders", 1, 10'000'000, "Orders of a burst, each cancelled")
        .duration("gap", &P::gap_ns, 1, market_kernel::k_second_ns,
                  "Time from one order to the next")
        .whole("ticks_away", &P::ticks_away, "ticks", 0, 100'000,
               "Distance of its orders behind the best price")
        .whole("quantity", &P::quantity, "shares", 1, 1'000'000, "Quantity of an order")
        .duration("start", &P::start_ns, 0, k_most_ns, "No burst begins before this time")
        .duration("end", &P::end_ns, 1, k_most_ns, "No order is sent after this time")
        .take();
}

std::string QuoteStuffer::check(const Parameters& parameters) {
    return parameters.end_ns > parameters.start_ns ? "" : "end must be after start";
}

void QuoteStuffer::on_start(MarketAccess& access) {
    bursts_ = access.draws("burst");
    terms_ = access.draws("terms");
    end_ = {access.now().value + is_.end_ns};
    const std::int64_t wait_ns =
        is_.bursts_per_s > 0 ? detail::nanoseconds(bursts_.exponential(is_.bursts_per_s)) : 0;
    access.wake_at({access.now().value + is_.start_ns + wait_ns});
}

void QuoteStuffer::sleep(MarketAccess& access) {
    if (is_.bursts_per_s > 0) detail::wake_after(access, bursts_.exponential(is_.bursts_per_s));
}

void QuoteStuffer::on_timer(MarketAccess& access, std::uint64_t /*key*/) {
    if (access.now() >= end_) return;
    if (left_ == 0) {
        instrument_ = instruments_[terms_.below(instruments_.size())];
        left_ = is_.pairs;
    }
    const Side side = left_ % 2 == 0 ? Side::buy : Side::sell;
    access.cancel(
        access.enter({.instrument = instrument_,
                      .side = side,
                      .post_only = true,
                      .price = detail::behind_best(access, instrument_, side, is_.ticks_away),
                      .quantity = {is_.quantity}}));
    if (--left_ == 0) return sleep(access);
    access.wake_at({access.now().value + is_.gap_ns});
}

}  // namespace damrak::participants
