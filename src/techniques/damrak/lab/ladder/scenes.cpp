#include <damrak/lab/ladder/scenes.hpp>

#include <algorithm>
#include <limits>

#include <damrak/base/assert.hpp>
#include <damrak/base/random.hpp>
#include <damrak/generator/flow.hpp>

namespace damrak::lab::ladder {

namespace {

constexpr std::int32_t k_price_ticks = 500;
constexpr std::int32_t k_prices = 1'000;

Request limit(std::uint64_t id, Side side, std::int32_t price_ticks, std::uint32_t quantity = 1) {
    return {.op = Op::limit,
            .side = side,
            .ioc = false,
            .symbol = 0,
            .quantity = quantity,
            .price_ticks = price_ticks,
            .id = id};
}

std::int32_t draw_price(RandomStream& random) {
    return 1 + static_cast<std::int32_t>(random.below(k_prices));
}

/// A message of the flow with a price offset; `sides` has the sides of all orders so far.
Request request_of(const generator::FlowOrder& order, std::vector<Side>& sides) {
    const bool adds = order.op == generator::Nw1Op::add;
    if (order.order_id >= sides.size()) sides.resize(2 * order.order_id + 1);
    if (adds) sides[order.order_id] = order.side;
    return {.op = adds                                   ? Op::limit
                  : order.op == generator::Nw1Op::cancel ? Op::cancel
                                                         : Op::replace,
            .side = sides[order.order_id],
            .ioc = adds && order.ioc,
            .symbol = order.symbol,
            .quantity = order.quantity,
            .price_ticks = order.price_ticks,
            .id = order.order_id};
}

}  // namespace

Scene insert_at_one_price(std::uint32_t orders) {
    Scene scene{.setup = {.symbols = 1, .price_max_ticks = k_prices, .orders = orders},
                .before = {},
                .timed = {}};
    scene.timed.reserve(orders);
    for (std::uint32_t id = 1; id <= orders; ++id)
        scene.timed.push_back(limit(id, Side::buy, k_price_ticks));
    return scene;
}

Scene insert_at_random_prices(std::uint32_t orders, std::uint64_t seed) {
    RandomStream random{seed};
    Scene scene = insert_at_one_price(orders);
    for (Request& request : scene.timed) request.price_ticks = draw_price(random);
    return scene;
}

Scene match_single(std::uint32_t orders) {
    Scene scene = insert_at_one_price(orders);
    std::swap(scene.before, scene.timed);
    scene.timed.reserve(orders);
    for (std::uint32_t i = 1; i <= orders; ++i)
        scene.timed.push_back(limit(orders + i, Side::sell, k_price_ticks));
    return scene;
}

Scene match_hundred(std::uint32_t orders, std::uint32_t levels) {
    constexpr std::uint32_t k_hundred = 100;
    // Each symbol has its own price range, above that of the one before.
    Scene scene{.setup = {.symbols = 1,
                          .price_max_ticks = static_cast<std::int32_t>(orders * levels),
                          .orders = k_hundred * orders},
                .before = {},
                .timed = {}};
    scene.before.reserve(std::size_t{k_hundred} * orders);
    scene.timed.reserve(orders);
    std::uint64_t id = 0;
    for (std::uint32_t i = 0; i < orders; ++i)
        for (std::uint32_t j = 0; j < k_hundred; ++j)
            scene.before.push_back(
                limit(++id, Side::sell, static_cast<std::int32_t>(1 + i * levels + j % levels)));
    for (std::uint32_t i = 0; i < orders; ++i)
        scene.timed.push_back(
            limit(++id, Side::buy, static_cast<std::int32_t>((i + 1) * levels), k_hundred));
    return scene;
}

Scene cancel_among(std::uint32_t resting, std::uint32_t cancels, std::uint64_t seed) {
    RandomStream random{seed};
    Scene scene{.setup = {.symbols = 1, .price_max_ticks = k_prices, .orders = resting + 1},
                .before = {},
                .timed = {}};
    std::vector<Request> open;
    open.reserve(resting);
    scene.timed.reserve(std::size_t{2} * cancels);
    std::uint64_t id = 0;
    for (std::uint32_t i = 0; i < resting; ++i)
        open.push_back(limit(++id, Side::buy, draw_price(random)));
    scene.before = open;
    for (std::uint32_t i = 0; i < cancels; ++i) {
        Request& order = open[random.below(resting)];
        Request cancel = order;
        cancel.op = Op::cancel;
        order = limit(++id, Side::buy, draw_price(random));
        scene.timed.push_back(cancel);
        scene.timed.push_back(order);
    }
    return scene;
}

Scene neutral_flow(std::uint64_t messages, std::uint64_t seed) {
    auto flow = generator::OrderFlow::create({.messages = messages, .seed = seed});
    DAMRAK_ASSERT(flow.has_value());
    Scene scene{
        .setup = {.symbols = 8, .price_max_ticks = 0, .orders = 0}, .before = {}, .timed = {}};
    std::vector<Side> sides;
    std::int32_t lowest_ticks = std::numeric_limits<std::int32_t>::max();
    std::uint64_t live = 0;
    while (const generator::FlowStep* const step = flow->next()) {
        const generator::FlowOrder& order = step->order;
        (order.prefill ? scene.before : scene.timed).push_back(request_of(order, sides));
        if (order.op != generator::Nw1Op::cancel)
            lowest_ticks = std::min(lowest_ticks, order.price_ticks);
        live = std::max(live, flow->live_orders());
    }
    scene.setup.orders = static_cast<std::uint32_t>(live) + 1;
    for (auto* const part : {&scene.before, &scene.timed}) {
        for (Request& request : *part) {
            if (request.op == Op::cancel) continue;
            request.price_ticks += 1 - lowest_ticks;
            scene.setup.price_max_ticks =
                std::max(scene.setup.price_max_ticks, request.price_ticks);
        }
    }
    return scene;
}

}  // namespace damrak::lab::ladder
