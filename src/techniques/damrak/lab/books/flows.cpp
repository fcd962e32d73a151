#include <algorithm>

#include <damrak/base/assert.hpp>
#include <damrak/generator/flow.hpp>
#include <damrak/lab/books/action.hpp>

namespace damrak::lab {

namespace {

Action action_of(const generator::FlowOrder& order) {
    Action action{.id = order.order_id,
                  .price = order.price_ticks,
                  .quantity = order.quantity,
                  .kind = order.ioc ? Kind::ioc : Kind::limit,
                  .side = order.side};
    if (order.op == generator::Nw1Op::cancel) action.kind = Kind::cancel;
    if (order.op == generator::Nw1Op::replace) action.kind = Kind::replace;
    return action;
}

}  // namespace

void Flow::survey() {
    lowest_price = std::numeric_limits<std::int32_t>::max();
    highest_price = std::numeric_limits<std::int32_t>::min();
    most_orders = 1;
    highest_id = 0;
    for (const auto* const part : {&opening, &actions}) {
        for (const Action& action : *part) {
            highest_id = std::max(highest_id, action.id);
            if (action.kind == Kind::limit) ++most_orders;
            if (action.kind == Kind::cancel || action.kind == Kind::market) continue;
            lowest_price = std::min(lowest_price, action.price);
            highest_price = std::max(highest_price, action.price);
        }
    }
    lowest_price = std::min(lowest_price, highest_price);
}

Flow neutral_flow(std::int64_t messages, std::int64_t live_orders, std::uint64_t seed) {
    auto source =
        generator::OrderFlow::create({.messages = static_cast<std::uint64_t>(messages),
                                      .symbols = 1,
                                      .live_orders = static_cast<std::uint64_t>(live_orders),
                                      .seed = seed});
    DAMRAK_ASSERT(source.has_value());
    Flow flow;
    std::uint32_t most_orders = 0;
    while (const generator::FlowStep* const step = source->next()) {
        (step->order.prefill ? flow.opening : flow.actions).push_back(action_of(step->order));
        most_orders = std::max(most_orders, static_cast<std::uint32_t>(source->live_orders()));
    }
    flow.survey();
    flow.most_orders = most_orders + 1;
    return flow;
}

}  // namespace damrak::lab
