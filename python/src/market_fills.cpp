#include "market_fills.hpp"

#include <exception>
#include <utility>

#include <nanobind/ndarray.h>

#include <damrak/domain/fees.hpp>

namespace nb = nanobind;

namespace damrak::python {

void RunWatcher::on_command(const Command& /*command*/, const CommandStamp& stamp) {
    constexpr std::uint32_t k_between_looks = 64;
    if (++commands_ % k_between_looks != 0) return;
    if (run_->error) std::rethrow_exception(run_->error);
    watch_->look(static_cast<std::uint64_t>((stamp.timestamp - begin_).value));
}

void RunWatcher::on_event(const Event& event, const CommandStamp& stamp) {
    if (event.kind != EventKind::executed || event.participant.value >= kept_.size() ||
        !kept_[event.participant.value])
        return;
    const InstrumentDefinition& of = file_->instruments[event.instrument.value - 1].definition;
    fills_.push_back(
        {.time = stamp.timestamp.value,
         .participant = event.participant.value,
         .instrument = event.instrument.value,
         .order = event.order_id.value,
         .price = event.price.value,
         .quantity = event.side == Side::buy ? event.quantity.value : -event.quantity.value,
         .fee = fee_of(file_->exchange.fees.of(event.participant).of(event), event.price,
                       event.quantity, of.price_decimals),
         .is_maker = !has_flag(event, EventFlags::k_aggressor)});
}

namespace {

template <class T, class F>
nb::object column_of(const std::vector<RunWatcher::Fill>& fills, F&& f) {
    auto* const values = new std::vector<T>;
    values->reserve(fills.size());
    for (const RunWatcher::Fill& fill : fills) values->push_back(f(fill));
    nb::capsule owner{values, [](void* one) noexcept { delete static_cast<std::vector<T>*>(one); }};
    return nb::cast(
        nb::ndarray<nb::numpy, const T, nb::ndim<1>>{values->data(), {values->size()}, owner});
}

}  // namespace

nb::dict fills_of(const std::vector<RunWatcher::Fill>& fills, const market_runs::MarketFile& file) {
    using Fill = RunWatcher::Fill;
    const auto currency = [&](const Fill& fill, std::int64_t units) {
        double scale = 1;
        const auto& of = file.instruments[fill.instrument - 1].definition;
        for (unsigned d = 0; d < of.price_decimals; ++d) scale *= 10;
        return static_cast<double>(units) / scale;
    };
    nb::dict made;
    made["ts_event"] = column_of<std::int64_t>(fills, [](const Fill& one) { return one.time; });
    made["participant"] =
        column_of<std::uint32_t>(fills, [](const Fill& one) { return one.participant; });
    made["instrument"] =
        column_of<std::uint32_t>(fills, [](const Fill& one) { return one.instrument - 1; });
    made["order_id"] = column_of<std::uint64_t>(fills, [](const Fill& one) { return one.order; });
    made["price"] =
        column_of<double>(fills, [&](const Fill& one) { return currency(one, one.price); });
    made["quantity"] = column_of<std::int64_t>(fills, [](const Fill& one) { return one.quantity; });
    made["fee"] = column_of<double>(fills, [&](const Fill& one) { return currency(one, one.fee); });
    made["is_maker"] =
        column_of<std::uint8_t>(fills, [](const Fill& one) { return one.is_maker ? 1 : 0; });
    return made;
}

}  // namespace damrak::python
