#include <damrak/gateway/fix/detail/usual_reports.hpp>

#include <damrak/fix_codec/tags.hpp>
#include <damrak/gateway/fix/detail/report_values.hpp>

namespace damrak::gateway::fix::detail {

namespace tag = fix_codec::tag;

void OrderText::make(const FixOrder& order, const InstrumentDefinition& instrument,
                     fix_codec::DecimalTexts& prices) {
    id = order.id;
    price = order.price;
    ordered = order.ordered;
    name = order.short_name;
    side = order.side;
    type = order.type;
    time_in_force = order.time_in_force;
    fix_codec::ReadyWriter first{names};
    first.put(order.id.value).next(tag::cl_ord_id).put(order.short_name.view()).finish(names);
    fix_codec::ReadyWriter second{terms};
    second.put(instrument.symbol.view()).next(tag::side).put_char(side_char(order.side));
    second.next(tag::order_qty).put(static_cast<std::uint64_t>(order.ordered.value));
    second.next(tag::ord_type).put_char(type_char(order.type));
    if (order.price.value > 0)
        second.next(tag::price).put_recent(prices, order.price.value, instrument.price_decimals);
    second.next(tag::time_in_force).put_char(time_in_force_char(order.time_in_force));
    second.finish(terms);
}

void OrderTexts::forget() {
    for (OrderText& text : texts_) text.id = {};
}

void ReportHead::make(Timestamp time, fix_codec::TimePrecision precision,
                      const session::fix::SessionName& name, fix_codec::TimestampCache& times) {
    time_ = time;
    made_ = true;
    fix_codec::ReadyWriter head{fields_};
    head.put(name.sender_comp_id).next(tag::sending_time).put_timestamp(times, time, precision);
    head.next(tag::target_comp_id).put(name.target_comp_id).finish(fields_);
}

}  // namespace damrak::gateway::fix::detail
