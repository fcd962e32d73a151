#include <damrak/participants/detail/queue_reactive.hpp>

#include <algorithm>
#include <string>

namespace damrak::participants {

using market_kernel::MarketAccess;

namespace {

constexpr std::size_t k_most_drawn = 200;  // orders of a queue

models::QueueRates queue_rates(const QueueReactive::Parameters& is) {
    return {is.limit_per_s, is.cancel_per_s, is.market_per_s};
}

std::size_t index_of(Side side) { return static_cast<std::size_t>(side); }

}  // namespace

std::vector<Parameter<QueueReactive::Parameters>> QueueReactive::parameters() {
    using P = Parameters;
    return ParameterRows<P>{}
        .numbers("limit_per_s", &P::limit_per_s, "per second", 0, 1e6,
                 "Rates of limit orders to a queue of 0, 1, 2, ... orders; the last one holds "
                 "beyond")
        .numbers("cancel_per_s", &P::cancel_per_s, "per second", 0, 1e6,
                 "Rates of cancels in a queue of 0, 1, 2, ... orders")
        .numbers("market_per_s", &P::market_per_s, "per second", 0, 1e6,
                 "Rates of market orders to a best queue of 0, 1, 2, ... orders")
        .whole("levels", &P::levels, "queues", 1, 50, "Queues of each side")
        .whole("quantity", &P::quantity, "shares", 1, 1'000'000, "Quantity of an order")
        .number("move", &P::move, "probability", 0, 1,
                "That the reference price moves when a best queue empties or is made")
        .number("reinitialise", &P::reinitialise, "probability", 0, 1,
                "That the book is drawn again after such a move")
        .take();
}

std::string QueueReactive::check(const Parameters& is) {
    if (is.limit_per_s.empty() || is.cancel_per_s.empty() || is.market_per_s.empty())
        return "limit_per_s, cancel_per_s and market_per_s need a rate each";
    if (is.limit_per_s.back() >= is.cancel_per_s.back())
        return "the last rate of limit_per_s must be below that of cancel_per_s, or queues grow "
               "without bound";
    return {};
}

QueueReactive::QueueReactive(const Parameters& parameters, const Assignment& assignment)
    : is_(parameters),
      law_(models::stationary_law(queue_rates(is_), k_most_drawn)),
      most_{*std::ranges::max_element(is_.limit_per_s), *std::ranges::max_element(is_.cancel_per_s),
            *std::ranges::max_element(is_.market_per_s)} {
    for (const InstrumentId instrument : assignment.instruments)
        markets_.push_back({.instrument = instrument});
}

void QueueReactive::on_start(MarketAccess& access) {
    for (std::size_t i = 0; i < markets_.size(); ++i) {
        Queues& queues = markets_[i];
        const std::string name = std::to_string(queues.instrument.value);
        queues.arrivals = access.draws("arrival " + name);
        queues.terms = access.draws("terms " + name);
        queues.moves = access.draws("move " + name);
        static_cast<void>(access.depth(queues.instrument));
        const double reference = detail::reference_price(access, queues.instrument);
        const std::int64_t tick = detail::tick_of(access, queues.instrument);
        queues.below_ticks =
            detail::on_tick(reference, access.definition(queues.instrument), Side::buy).value /
            tick;
        draw_book(access, queues);
        access.wake_at(access.now(), i);
    }
}

void QueueReactive::on_report(MarketAccess& /*access*/, const market_kernel::Report& report) {
    for (Queues& queues : markets_)
        if (queues.instrument == report.order.instrument)
            queues.open[index_of(report.order.side)].on_report(report);
}

Price QueueReactive::price_of(MarketAccess& access, const Queues& queues, Side side,
                              std::int64_t level) const {
    const std::int64_t ticks =
        side == Side::buy ? queues.below_ticks - level : queues.below_ticks + 1 + level;
    return {std::max<std::int64_t>(ticks, 1) * detail::tick_of(access, queues.instrument)};
}

std::size_t QueueReactive::size_of(MarketAccess& access, const Queues& queues, Side side,
                                   std::int64_t level) const {
    const auto& levels = access.depth(queues.instrument).levels(side);
    const auto found = levels.find(price_of(access, queues, side, level).value);
    if (found == levels.end()) return 0;
    const std::int64_t quantity = found->second.quantity.value;
    return static_cast<std::size_t>((quantity + is_.quantity - 1) / is_.quantity);
}

bool QueueReactive::is_best(MarketAccess& access, const Queues& queues, Side side,
                            std::int64_t level) const {
    const views::PublicChange& view = access.view(queues.instrument);
    const Price price = price_of(access, queues, side, level);
    return side == Side::buy ? view.has_bid() && view.bid == price
                             : view.has_ask() && view.ask == price;
}

void QueueReactive::enter(MarketAccess& access, Queues& queues, Side side, std::int64_t level) {
    const Price price = price_of(access, queues, side, level);
    queues.open[index_of(side)].add(
        detail::flow_limit(access, queues.instrument, side, price, is_.quantity));
}

// Takes back an own order of the queue, each as likely.
void QueueReactive::leave(MarketAccess& access, Queues& queues, Side side, std::int64_t level,
                          double place) {
    const Price price = price_of(access, queues, side, level);
    std::vector<market_kernel::OrderHandle> there;
    for (const auto handle : queues.open[index_of(side)].all()) {
        const auto* const order = access.order(handle);
        if (order != nullptr && order->price == price && !order->cancelling)
            there.push_back(handle);
    }
    if (!there.empty())
        access.cancel(there[static_cast<std::size_t>(place * static_cast<double>(there.size()))]);
}

void QueueReactive::draw_book(MarketAccess& access, Queues& queues) {
    for (const auto& open : queues.open)
        for (const auto handle : open.all()) access.cancel(handle);
    for (std::int64_t level = 0; level < is_.levels; ++level)
        for (const Side side : {Side::buy, Side::sell})
            for (std::size_t n = models::draw_size(law_, queues.moves); n > 0; --n)
                enter(access, queues, side, level);
}

void QueueReactive::consider_move(MarketAccess& access, Queues& queues, std::int64_t ticks) {
    if (!queues.moves.chance(is_.move)) return;
    queues.below_ticks = std::max<std::int64_t>(queues.below_ticks + ticks, 1);
    if (queues.moves.chance(is_.reinitialise)) draw_book(access, queues);
}

// A candidate event, at the highest total rate of all queues; it happens with the share that the
// current rate has of that.
void QueueReactive::on_timer(MarketAccess& access, std::uint64_t key) {
    Queues& queues = markets_[key];
    const double most = most_[0] + most_[1] + most_[2];
    detail::wake_after(
        access, queues.arrivals.exponential(2 * static_cast<double>(is_.levels) * most), key);
    const Side side = queues.terms.chance(0.5) ? Side::buy : Side::sell;
    const auto levels = static_cast<std::uint64_t>(is_.levels);
    const auto level = static_cast<std::int64_t>(queues.terms.below(levels));
    const double kind = queues.terms.uniform() * most;
    const double place = queues.terms.uniform();

    using models::QueueRates;
    const std::size_t size = size_of(access, queues, side, level);
    const std::int64_t up = side == Side::buy ? 1 : -1;
    const bool was_best = is_best(access, queues, side, level);
    if (kind < most_[0]) {
        if (kind >= QueueRates::at(is_.limit_per_s, size)) return;
        const bool other_first_is_empty = size_of(access, queues, opposite(side), 0) == 0;
        enter(access, queues, side, level);
        if (level == 0 && size == 0 && other_first_is_empty) consider_move(access, queues, up);
    } else if (kind < most_[0] + most_[1]) {
        if (kind - most_[0] >= QueueRates::at(is_.cancel_per_s, size)) return;
        leave(access, queues, side, level, place);
        if (was_best && size == 1) consider_move(access, queues, -up);
    } else {
        if (!was_best || kind - most_[0] - most_[1] >= QueueRates::at(is_.market_per_s, size))
            return;
        detail::flow_market(access, queues.instrument, opposite(side), is_.quantity);
        if (size == 1) consider_move(access, queues, -up);
    }
}

}  // namespace damrak::participants
