#include <damrak/participants/detail/execution.hpp>

#include <algorithm>

#include <damrak/participants/detail/prices.hpp>

namespace damrak::participants::detail {

using market_kernel::MarketAccess;
using market_kernel::OwnOrder;
using market_kernel::Report;

ExecutionParameters::ExecutionParameters() = default;

std::string check_parent(const ParentParameters& parameters) {
    return parameters.end_ns > parameters.start_ns ? "" : "end must be after start";
}

Price limit_of(const MarketAccess& access, InstrumentId id, Side side, double limit_price) {
    return limit_price > 0 ? on_tick(limit_price, access.definition(id), side) : Price{0};
}

Price passive_price(MarketAccess& access, InstrumentId id, Side side, double limit_price) {
    const views::PublicChange& view = access.view(id);
    const Price limit = limit_of(access, id, side, limit_price);
    const Price tick{tick_of(access, id)};
    Price price = behind_best(access, id, side, 0);
    if (side == Side::buy) {
        if (view.has_ask()) price = std::min(price, view.ask - tick);
        return limit.value > 0 ? std::min(price, limit) : price;
    }
    if (view.has_bid()) price = std::max(price, view.bid + tick);
    return limit.value > 0 ? std::max(price, limit) : price;
}

Execution::Execution(const ExecutionParameters& parameters, const Assignment& assignment)
    : is_(parameters),
      side_(parameters.side == "buy" ? Side::buy : Side::sell),
      slots_((period_ns() + parameters.interval_ns - 1) / parameters.interval_ns) {
    for (const InstrumentId instrument : assignment.instruments)
        parents_.push_back({.instrument = instrument});
}

void Execution::on_start(MarketAccess& access) {
    begin_ = {access.now().value + is_.start_ns};
    for (std::size_t i = 0; i < parents_.size(); ++i) access.wake_at(begin_, i);
}

void Execution::on_timer(MarketAccess& access, std::uint64_t key) {
    Parent& parent = parents_[key];
    if (parent.slot == 0) parent.volume_before = access.view(parent.instrument).volume;
    begin_slot(access, parent);
    if (parent.slot > slots_) return;
    const std::int64_t next = std::min(parent.slot * is_.interval_ns, period_ns());
    access.wake_at({begin_.value + next}, key);
}

void Execution::begin_slot(MarketAccess& access, Parent& parent) {
    parent.due = parent.target;
    parent.target = next_target(access, parent);
    ++parent.slot;
    const bool is_over = parent.slot > slots_;
    if (is_over || is_.children == "marketable") parent.due = parent.target;
    withdraw(access, parent);
    take(access, parent);
    if (parent.target > parent.due) rest(access, parent);
}

std::int64_t Execution::next_target(MarketAccess& access, const Parent& parent) {
    const std::int64_t gone = std::min((parent.slot + 1) * is_.interval_ns, period_ns());
    const double share = static_cast<double>(gone) / static_cast<double>(period_ns());
    const std::int64_t lot = access.definition(parent.instrument).lot_size.value;
    // A hair above, so that thirds of three are whole.
    const double lots = wanted(access, parent, share) / static_cast<double>(lot) + 1e-6;
    return std::clamp(static_cast<std::int64_t>(lots) * lot, parent.target,
                      std::max(parent.target, is_.quantity / lot * lot));
}

void Execution::withdraw(MarketAccess& access, Parent& parent) {
    if (access.cancel(parent.resting)) parent.late.push_back(parent.resting);
    parent.resting = {};
}

void Execution::take(MarketAccess& access, Parent& parent) {
    if (access.order(parent.taking) != nullptr) return;
    std::int64_t lack = parent.due - parent.done;
    for (const market_kernel::OrderHandle late : parent.late)
        if (const OwnOrder* const order = access.order(late)) lack -= order->open.value;
    if (lack <= 0) return;
    const Price limit = limit_of(access, parent.instrument, side_, is_.limit_price);
    parent.taking = access.enter({.instrument = parent.instrument,
                                  .side = side_,
                                  .type = limit.value > 0 ? OrderType::limit : OrderType::market,
                                  .time_in_force = TimeInForce::ioc,
                                  .price = limit,
                                  .quantity = {lack}});
}

void Execution::rest(MarketAccess& access, Parent& parent) {
    parent.resting =
        access.enter({.instrument = parent.instrument,
                      .side = side_,
                      .price = passive_price(access, parent.instrument, side_, is_.limit_price),
                      .quantity = {parent.target - parent.due}});
}

void Execution::on_report(MarketAccess& access, const Report& report) {
    for (Parent& parent : parents_) {
        if (parent.instrument != report.order.instrument) continue;
        const bool is_fill = report.kind == Report::Kind::filled;
        if (is_fill) parent.done += report.quantity.value;
        if (report.order.state != OwnOrder::State::done) continue;
        const bool took = report.order.handle == parent.taking;
        const bool was_late = std::erase(parent.late, report.order.handle) > 0;
        if (took) parent.taking = {};
        // After an order that found no counterpart, not before the next slot.
        if (was_late || (took && is_fill)) take(access, parent);
    }
}

}  // namespace damrak::participants::detail
