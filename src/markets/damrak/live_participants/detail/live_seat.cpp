#include <damrak/live_participants/detail/live_seat.hpp>

#include <algorithm>
#include <functional>
#include <stdexcept>
#include <utility>

namespace damrak::live_participants {
namespace {

using client::News;
using market_kernel::OwnOrder;
using market_kernel::Report;

constexpr std::int64_t k_units_of_cent = 100;

std::int64_t cents(Price price) {
    if (price.value % k_units_of_cent != 0)
        throw std::runtime_error("the gateway takes prices that are multiples of 0.01 alone");
    return price.value / k_units_of_cent;
}

Price price_of(std::int64_t cents) { return {cents * k_units_of_cent}; }

Quantity quantity_of(std::uint64_t quantity) { return {static_cast<std::int64_t>(quantity)}; }

client::OrderExtras extras_of(const market_kernel::NewOrder& order) {
    client::OrderExtras extras{.stop_e2 = cents(order.stop_price),
                               .least = static_cast<std::uint64_t>(order.minimum_quantity.value),
                               .post = order.post_only};
    // A market order never rests: a time in force would say the same once more.
    if (order.type != OrderType::market) extras.in_force = order.time_in_force;
    if (order.hidden) extras.shown = 0;
    if (order.display_quantity.value > 0)
        extras.shown = static_cast<std::uint64_t>(order.display_quantity.value);
    return extras;
}

}  // namespace

LiveSeat::LiveSeat(SharedMarket& shared, market_kernel::Seat seat, client::TermGateway& gateway)
    : shared_(&shared),
      seat_(std::move(seat)),
      gateway_(&gateway),
      positions_(shared.instruments.size()) {}

void LiveSeat::wake_at(Timestamp at, std::uint64_t key) {
    timers_.push_back({std::max(at, shared_->now), ++timer_numbers_, key});
    std::ranges::push_heap(timers_, std::greater{});
}

void LiveSeat::subscribe(InstrumentId instrument, market_kernel::MarketNews news) {
    subscriptions_.push_back({instrument, std::to_underlying(news)});
}

std::optional<Timestamp> LiveSeat::next_timer() const {
    if (timers_.empty()) return std::nullopt;
    return timers_.front().at;
}

std::optional<LiveSeat::Timer> LiveSeat::due_timer() {
    if (timers_.empty() || timers_.front().at > shared_->now) return std::nullopt;
    std::ranges::pop_heap(timers_, std::greater{});
    const Timer timer = timers_.back();
    timers_.pop_back();
    return timer;
}

market_kernel::OrderHandle LiveSeat::enter(const market_kernel::NewOrder& order) {
    if (is_isolated || !is_connected || orders_.size() >= seat_.maximum_orders) return {};
    if (order.peg != PegReference::none)
        throw std::runtime_error("pegged orders are for markets in virtual time");
    client::OrderExtras extras = extras_of(order);
    if (extras.post && !gateway_->why_not({.post = true}).empty()) extras.post = false;
    const bool cancels = extras.in_force == TimeInForce::ioc &&
                         !gateway_->why_not({.in_force = TimeInForce::ioc}).empty();
    if (cancels) extras.in_force = TimeInForce::day;
    if (extras.in_force == TimeInForce::day &&
        !gateway_->why_not({.in_force = TimeInForce::day}).empty())
        extras.in_force.reset();
    if (const std::string why = gateway_->why_not(extras); !why.empty())
        throw std::runtime_error(why);
    const std::uint32_t number = gateway_->enter(at_gateway(order.instrument), order.side,
                                                 static_cast<std::uint64_t>(order.quantity.value),
                                                 cents(order.price), extras);
    ++sent_;
    const market_kernel::OrderHandle handle{number, 1};
    orders_[number].order = {.handle = handle,
                             .instrument = order.instrument,
                             .state = OwnOrder::State::sent,
                             .side = order.side,
                             .type = order.type,
                             .price = order.price,
                             .quantity = order.quantity,
                             .open = order.quantity};
    if (cancels) orders_[number].waits = Wanted{.is_cancel = true};
    return handle;
}

// FIX names instruments by their symbols, the binary protocol by the exchange's numbers.
InstrumentId LiveSeat::at_gateway(InstrumentId instrument) const {
    if (const client::Symbols* const symbols = gateway_->symbols(); symbols != nullptr)
        return symbols->find(definition(instrument).symbol.view()).value_or(InstrumentId{});
    return shared_->view.at_exchange(instrument);
}

bool LiveSeat::cancel(market_kernel::OrderHandle order, Quantity quantity) {
    Known* const known = find(order);
    if (known == nullptr || is_isolated || !is_connected) return false;
    if (quantity.value > 0 && quantity < known->order.open)
        return send_change(*known,
                           {.price = known->order.price, .quantity = known->order.open - quantity});
    known->order.cancelling = true;
    return send_change(*known, {.is_cancel = true});
}

bool LiveSeat::replace(market_kernel::OrderHandle order, Price price, Quantity quantity) {
    Known* const known = find(order);
    if (known == nullptr || is_isolated || !is_connected) return false;
    return send_change(*known, {.price = price, .quantity = quantity});
}

// The protocols name an order by what its acknowledgement says.
bool LiveSeat::send_change(Known& known, const Wanted& wanted) {
    const std::uint32_t number = known.order.handle.slot;
    if (known.order.state == OwnOrder::State::sent) {
        known.waits = wanted;
        return true;
    }
    ++sent_;
    if (wanted.is_cancel) return gateway_->cancel(number);
    return gateway_->modify(number, static_cast<std::uint64_t>(wanted.quantity.value),
                            cents(wanted.price), 0);
}

LiveSeat::Known* LiveSeat::find(market_kernel::OrderHandle handle) {
    const auto found = orders_.find(handle.slot);
    return found == orders_.end() ? nullptr : &found->second;
}

const OwnOrder* LiveSeat::order(market_kernel::OrderHandle order) const {
    const auto found = orders_.find(order.slot);
    return found == orders_.end() ? nullptr : &found->second.order;
}

void LiveSeat::hear() {
    ++turn_;
    for (const News& news : gateway_->take_news()) hear(news);
    if (orders_.size() != gateway_->orders().size()) forget_lost();
}

// A connection was lost, and the exchange has cancelled the orders that it had.
void LiveSeat::forget_lost() {
    std::vector<std::uint32_t> lost;
    for (const auto& [number, known] : orders_)
        if (!gateway_->orders().contains(number)) lost.push_back(number);
    for (const std::uint32_t number : lost)
        hear({.kind = News::Kind::cancelled, .order = {.number = number}});
}

void LiveSeat::hear(const News& news) {
    const auto found = orders_.find(news.order.number);
    if (found == orders_.end()) return;  // of the session, or of an order of an earlier connection
    Known& known = found->second;
    Report report{};
    apply(news, known, report);
    const bool is_done = known.order.state == OwnOrder::State::done;
    report.order = known.order;
    report.exchange_time = shared_->now;
    if (!is_done && known.waits && known.order.state == OwnOrder::State::open)
        send_change(known, *std::exchange(known.waits, std::nullopt));
    if (is_done) orders_.erase(found);
    if (!is_isolated) participant().on_report(*this, report);
}

void LiveSeat::apply(const News& news, Known& known, Report& report) {
    OwnOrder& order = known.order;
    switch (news.kind) {
        case News::Kind::accepted:
            report.kind = Report::Kind::accepted;
            order.state = OwnOrder::State::open;
            known.accepted_turn = turn_;
            if (order.type != OrderType::market) order.price = price_of(news.order.price_e2);
            break;
        case News::Kind::filled: {
            report.kind = Report::Kind::filled;
            report.is_maker = known.accepted_turn != turn_;
            report.price = price_of(news.price_e2);
            report.quantity = quantity_of(news.quantity);
            const std::int64_t sign = order.side == Side::buy ? 1 : -1;
            positions_[order.instrument.value - 1] += sign * report.quantity.value;
            cash_ -= sign * report.price.value * report.quantity.value;
            order.open -= report.quantity;
            if (order.open.value <= 0) order.state = OwnOrder::State::done;
            ++trades_;
            break;
        }
        case News::Kind::unfilled:
        case News::Kind::cancelled:
            report.kind = Report::Kind::cancelled;
            report.quantity = order.open;
            order.quantity -= order.open;
            order.open = {};
            order.state = OwnOrder::State::done;
            break;
        case News::Kind::modified:
            report.kind = Report::Kind::replaced;
            order.price = price_of(news.order.price_e2);
            order.quantity += quantity_of(news.order.open) - order.open;
            order.open = quantity_of(news.order.open);
            report.price = order.price;
            break;
        case News::Kind::cancel_refused:
        case News::Kind::modify_refused:
            report.kind = Report::Kind::change_rejected;
            order.cancelling = false;
            // The gateway knows it no more: its last fill came, or comes with this turn.
            if (news.order.state == client::OwnOrder::State::finished)
                order.state = OwnOrder::State::done;
            break;
        default:  // the order was refused, or its connection was lost before the answer
            report.kind = Report::Kind::rejected;
            report.quantity = order.open;
            order.open = {};
            order.state = OwnOrder::State::done;
    }
}

}  // namespace damrak::live_participants
