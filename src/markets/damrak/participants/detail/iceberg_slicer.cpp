#include <damrak/participants/detail/iceberg_slicer.hpp>

#include <algorithm>

#include <damrak/participants/detail/prices.hpp>

namespace damrak::participants {

using market_kernel::MarketAccess;
using market_kernel::Report;

std::vector<Parameter<IcebergSlicer::Parameters>> IcebergSlicer::parameters() {
    using P = Parameters;
    return detail::parent_rows<P>()
        .whole("slice", &P::slice, "shares", 1, 1'000'000'000, "Quantity that it shows at a time")
        .duration("interval", &P::interval_ns, 1'000, 3'600 * market_kernel::k_second_ns,
                  "Time between two looks at the best price")
        .take();
}

IcebergSlicer::IcebergSlicer(const Parameters& parameters, const Assignment& assignment)
    : is_(parameters), side_(parameters.side == "buy" ? Side::buy : Side::sell) {
    for (const InstrumentId instrument : assignment.instruments)
        parents_.push_back({.instrument = instrument});
}

void IcebergSlicer::on_start(MarketAccess& access) {
    const Timestamp opening = access.now();
    end_ = {opening.value + is_.end_ns};
    for (std::size_t i = 0; i < parents_.size(); ++i)
        access.wake_at({opening.value + is_.start_ns}, i);
}

Price IcebergSlicer::price(MarketAccess& access, InstrumentId instrument) const {
    return detail::passive_price(access, instrument, side_, is_.limit_price);
}

void IcebergSlicer::on_timer(MarketAccess& access, std::uint64_t key) {
    Parent& parent = parents_[key];
    const Timestamp now = access.now();
    if (now >= end_) {
        access.cancel(parent.slice);
        return;
    }
    if (const auto* const order = access.order(parent.slice)) {
        const Price best = price(access, parent.instrument);
        if (order->state == market_kernel::OwnOrder::State::open && order->price != best)
            access.replace(parent.slice, best, order->open);
    } else {
        show(access, parent);
    }
    access.wake_at({std::min(now.value + is_.interval_ns, end_.value)}, key);
}

void IcebergSlicer::show(MarketAccess& access, Parent& parent) {
    const std::int64_t lot = access.definition(parent.instrument).lot_size.value;
    const std::int64_t shown = std::min(is_.slice, is_.quantity - parent.done) / lot * lot;
    if (shown == 0) return;
    parent.slice = access.enter({.instrument = parent.instrument,
                                 .side = side_,
                                 .price = price(access, parent.instrument),
                                 .quantity = {shown}});
}

void IcebergSlicer::on_report(MarketAccess& access, const Report& report) {
    for (Parent& parent : parents_) {
        if (parent.slice != report.order.handle) continue;
        if (report.kind != Report::Kind::filled) continue;
        parent.done += report.quantity.value;
        if (report.order.state == market_kernel::OwnOrder::State::done && access.now() < end_)
            show(access, parent);
    }
}

}  // namespace damrak::participants
