#include <damrak/replay/detail/price_levels.hpp>

#include <fmt/format.h>

namespace damrak::replay::detail {

namespace {

std::string text_of(const std::optional<PriceLevel>& level) {
    if (!level) return "none";
    return fmt::format("{} at {}", level->quantity, level->price_e4);
}

}  // namespace

PriceLevels levels_of(BookRow row, Side side) {
    PriceLevels levels;
    for (const auto& level : row) {
        const PriceLevel here = side == Side::buy ? PriceLevel{level.bid_price_e4, level.bid_size}
                                                  : PriceLevel{level.ask_price_e4, level.ask_size};
        const std::int64_t none = side == Side::buy ? lobster::k_no_bid_e4 : lobster::k_no_ask_e4;
        if (here != PriceLevel{none, 0}) levels.push_back(here);
    }
    return levels;
}

PriceLevels levels_of(const order_flow::BookBuilder<>& books, InstrumentId instrument, Side side,
                      std::size_t most) {
    PriceLevels levels;
    if (most == 0) return levels;
    const order_flow::BuiltBook& built = books.book(instrument);
    built.book.for_each_level(books.store(), side, [&](const DepthLevel& level) {
        levels.push_back({built.scale.price_of(level.tick).value, level.quantity.value});
        return levels.size() < most;
    });
    return levels;
}

std::string describe(Side side, std::size_t level, const std::optional<PriceLevel>& expected,
                     const std::optional<PriceLevel>& found) {
    return fmt::format("{} level {}: expected {}, found {}", side == Side::buy ? "bid" : "ask",
                       level + 1, text_of(expected), text_of(found));
}

}  // namespace damrak::replay::detail
