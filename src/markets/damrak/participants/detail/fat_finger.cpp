#include <damrak/participants/detail/fat_finger.hpp>

#include <damrak/participants/detail/prices.hpp>

namespace damrak::participants {

using market_kernel::MarketAccess;

namespace {

constexpr std::uint64_t k_error = 1;    // timer: the order is sent
constexpr std::uint64_t k_noticed = 2;  // timer: what rests of it is cancelled

}  // namespace

FatFinger::Parameters::Parameters() = default;

std::vector<Parameter<FatFinger::Parameters>> FatFinger::parameters() {
    using P = Parameters;
    constexpr std::int64_t k_most_ns = 100 * 86'400 * market_kernel::k_second_ns;
    return ParameterRows<P>{}
        .word("side", &P::side, {"buy", "sell"}, "Side of the order")
        .whole("quantity", &P::quantity, "shares", 1, 1'000'000'000,
               "Quantity of the order, in each instrument")
        .whole("ticks_through", &P::ticks_through, "ticks", 0, 1'000'000,
               "Its limit is so far beyond the best price of the other side; 0: a market order")
        .duration("start", &P::start_ns, 0, k_most_ns, "Sends this long after the opening")
        .duration("end", &P::end_ns, 1, k_most_ns,
                  "Cancels what is left of it this long after the opening")
        .take();
}

std::string FatFinger::check(const Parameters& parameters) {
    return parameters.end_ns > parameters.start_ns ? "" : "end must be after start";
}

void FatFinger::on_start(MarketAccess& access) {
    access.wake_at({access.now().value + is_.start_ns}, k_error);
    access.wake_at({access.now().value + is_.end_ns}, k_noticed);
}

void FatFinger::on_timer(MarketAccess& access, std::uint64_t key) {
    if (key == k_noticed)
        for (const market_kernel::OrderHandle order : sent_) access.cancel(order);
    else
        for (const InstrumentId id : instruments_)
            sent_.push_back(access.enter(order_in(access, id)));
}

market_kernel::NewOrder FatFinger::order_in(MarketAccess& access, InstrumentId id) const {
    const Side side = is_.side == "buy" ? Side::buy : Side::sell;
    market_kernel::NewOrder order{.instrument = id, .side = side, .quantity = {is_.quantity}};
    if (is_.ticks_through == 0) {
        order.type = OrderType::market;
        order.time_in_force = TimeInForce::ioc;
        return order;
    }
    const views::PublicChange& view = access.view(id);
    const bool has_best = side == Side::buy ? view.has_ask() : view.has_bid();
    const auto best = static_cast<double>(side == Side::buy ? view.ask.value : view.bid.value);
    const auto through = static_cast<double>(is_.ticks_through * detail::tick_of(access, id));
    const double from = has_best ? best : detail::reference_price(access, id);
    order.price = detail::on_tick(side == Side::buy ? from + through : from - through,
                                  access.definition(id), side);
    return order;
}

}  // namespace damrak::participants
