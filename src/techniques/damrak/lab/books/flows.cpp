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

Flow wild_flow(std::int64_t messages, std::uint64_t seed) {
    static constexpr std::uint32_t k_prices = 300;
    RandomStream random{seed};
    Flow flow;
    std::uint64_t next_id = 1;
    for (std::int64_t i = 0; i < messages; ++i) {
        Action action{.side = random.coin() ? Side::sell : Side::buy};
        const std::uint32_t draw = random.below(100);
        // Mostly near the middle, sometimes anywhere.
        const std::uint32_t width = random.below(10) == 0 ? k_prices : 12;
        action.price =
            1'000 + static_cast<std::int32_t>((k_prices - width) / 2 + random.below(width));
        action.quantity = 1 + random.below(random.below(20) == 0 ? 400 : 20);
        if (draw < 50)
            action.kind = Kind::limit;
        else if (draw < 58)
            action.kind = Kind::ioc;
        else if (draw < 62)
            action.kind = Kind::market;
        else if (draw < 85)
            action.kind = Kind::cancel;
        else
            action.kind = Kind::replace;
        const bool enters = draw < 62;
        const auto known = static_cast<std::uint32_t>(next_id);
        const std::uint32_t back = random.below(std::min(known, 200U));
        action.id = enters ? next_id++ : known - back;
        (i < messages / 10 ? flow.opening : flow.actions).push_back(action);
    }
    flow.survey();
    return flow;
}

}  // namespace damrak::lab
