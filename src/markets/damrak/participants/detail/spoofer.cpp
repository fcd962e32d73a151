#include <damrak/participants/detail/spoofer.hpp>

#include <algorithm>

#include <damrak/participants/detail/prices.hpp>
#include <damrak/participants/detail/timers.hpp>

namespace damrak::participants {

using market_kernel::MarketAccess;

namespace {

template <class P>
std::vector<Parameter<P>> spoof_rows() {
    return ParameterRows<P>{}
        .number("cycles_per_s", &P::cycles_per_s, "per second", 1e-6, 1e3,
                "Rate of its cycles, at exponential intervals after the last one")
        .whole("quantity", &P::quantity, "shares", 1, 1'000'000,
               "Quantity of the order that it wants to trade, at the best price of its side")
        .whole("shown_quantity", &P::shown_quantity, "shares", 1, 100'000'000,
               "Quantity of each order that it shows on the other side")
        .whole("levels", &P::levels, "orders", 1, 50,
               "Orders that it shows, one tick behind the other")
        .whole("ticks_away", &P::ticks_away, "ticks", 0, 10'000,
               "The first of them is this far behind the best price of its side")
        .duration("hold", &P::hold_ns, 1'000, 3'600 * market_kernel::k_second_ns,
                  "After this time, or its trade, it cancels what rests")
        .take();
}

}  // namespace

std::vector<Parameter<Spoofer::Parameters>> Spoofer::parameters() {
    return spoof_rows<Parameters>();
}
std::vector<Parameter<Layerer::Parameters>> Layerer::parameters() {
    return spoof_rows<Parameters>();
}

namespace detail {

// Keys of timers: even for the beginning of a cycle, odd for its end.
void BookDeceiver::on_start(MarketAccess& access) {
    cycles_ = access.draws("cycle");
    terms_ = access.draws("terms");
    wake_after(access, cycles_.exponential(is_.cycles_per_s));
}

void BookDeceiver::on_timer(MarketAccess& access, std::uint64_t key) {
    if (key % 2 == 0) {
        begin_cycle(access);
        access.wake_at({access.now().value + is_.hold_ns}, 2 * cycle_ + 1);
        return;
    }
    end_cycle(access);
    ++cycle_;
    wake_after(access, cycles_.exponential(is_.cycles_per_s), 2 * cycle_);
}

// Draws the same numbers whatever the market is like, so that two runs stay in step.
void BookDeceiver::begin_cycle(MarketAccess& access) {
    const InstrumentId instrument = instruments_[terms_.below(instruments_.size())];
    Side side = terms_.chance(0.5) ? Side::buy : Side::sell;
    const std::int64_t position = access.position(instrument).value;
    if (position != 0) side = position > 0 ? Side::sell : Side::buy;
    if (!access.view(instrument).has_both()) return;
    const std::int64_t quantity =
        position == 0 ? is_.quantity : std::min(is_.quantity, position > 0 ? position : -position);
    for (std::int64_t level = 0; level < is_.levels; ++level) {
        const Price price = behind_best(access, instrument, opposite(side), is_.ticks_away + level);
        const auto order = access.enter({.instrument = instrument,
                                         .side = opposite(side),
                                         .post_only = true,
                                         .price = price,
                                         .quantity = {is_.shown_quantity}});
        if (order) shown_.push_back(order);
    }
    real_ = access.enter({.instrument = instrument,
                          .side = side,
                          .post_only = true,
                          .price = behind_best(access, instrument, side, 0),
                          .quantity = {quantity}});
}

void BookDeceiver::end_cycle(MarketAccess& access) {
    for (const market_kernel::OrderHandle order : shown_) access.cancel(order);
    shown_.clear();
    access.cancel(real_);
    real_ = {};
}

void BookDeceiver::on_report(MarketAccess& access, const market_kernel::Report& report) {
    if (report.kind == market_kernel::Report::Kind::filled && report.order.handle == real_ &&
        report.order.state == market_kernel::OwnOrder::State::done)
        end_cycle(access);
}

}  // namespace detail
}  // namespace damrak::participants
