#include "support/streams.hpp"

#include <array>
#include <limits>

#include <damrak/base/random.hpp>

namespace damrak::bench {

std::expected<MessageStream, std::string> flow_stream(const generator::FlowOptions& options) {
    constexpr std::uint32_t k_symbols_max = 65'536;
    if (options.symbols > k_symbols_max) {
        return std::unexpected("a stream of messages holds at most 65536 symbols, not " +
                               std::to_string(options.symbols));
    }
    auto flow = generator::OrderFlow::create(options);
    if (!flow) return std::unexpected(flow.error());
    MessageStream stream;
    stream.messages.reserve(options.messages + options.live_orders);
    while (const generator::FlowStep* step = flow->next()) {
        const generator::FlowOrder& order = step->order;
        if (order.prefill) ++stream.prefill_count;
        stream.append({.op = order.op,
                       .side = static_cast<std::uint8_t>(order.side),
                       .ioc = static_cast<std::uint8_t>(order.ioc),
                       .padding = 0,
                       .quantity = order.quantity,
                       .order_id = order.order_id,
                       .price_ticks = order.price_ticks,
                       .symbol = static_cast<std::uint16_t>(order.symbol),
                       .more_padding = 0,
                       .target_age = order.target_age});
    }
    return stream;
}

MessageStream odd_stream(std::uint64_t seed, std::uint32_t messages) {
    using Price = std::numeric_limits<std::int32_t>;
    constexpr std::array<std::uint16_t, 3> k_symbols{0, 7, 255};
    constexpr std::array<std::uint32_t, 4> k_quantities{0, 1, 100, 1'000'000};
    RandomStream random(seed);
    std::array<std::uint64_t, 300> ids{};
    for (std::uint64_t& id : ids) id = random.next();
    ids[0] = 0;
    ids[1] = std::numeric_limits<std::uint64_t>::max();

    const auto draw_price = [&]() -> std::int32_t {
        switch (random.below(10)) {
            case 0:
                return Price::min();
            case 1:
                return Price::max();
            case 2:
                return static_cast<std::int32_t>(random.next());
            default:
                return static_cast<std::int32_t>(random.below(41)) - 20;
        }
    };
    const auto draw_quantity = [&] {
        return random.below(4) == 0 ? k_quantities[random.below(4)] : 1 + random.below(300);
    };
    MessageStream stream;
    for (std::uint32_t i = 0; i < messages; ++i) {
        const std::uint32_t kind = random.below(10);
        stream.append({.op = kind < 5   ? Nw1Op::add
                             : kind < 8 ? Nw1Op::cancel
                                        : Nw1Op::replace,
                       .side = static_cast<std::uint8_t>(random.coin()),
                       .ioc = static_cast<std::uint8_t>(random.below(10) == 0),
                       .padding = 0,
                       .quantity = draw_quantity(),
                       .order_id = ids[random.below(ids.size())],
                       .price_ticks = draw_price(),
                       .symbol = k_symbols[random.below(k_symbols.size())],
                       .more_padding = 0,
                       .target_age = 0});
    }
    return stream;
}

}  // namespace damrak::bench
