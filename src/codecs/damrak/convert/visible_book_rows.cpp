// Rows of feeds that tell levels alone, where no message says what a participant did.
#include <algorithm>
#include <utility>

#include <damrak/convert/visible_book.hpp>

namespace damrak::convert {

namespace itch = wire::itch;

// What comes into view lies behind what was there, so that it crosses nothing; quantity goes before
// other quantity comes, so that the old best price of one side does not meet the new one of the
// other.
void VisibleBook::show(std::int64_t time_ns, lobster::BookRow row, const TakeMessage& take) {
    take_ = &take;
    time_ns_ = time_ns;
    step_ = {};
    std::vector<RowLevel> wanted[k_sides];
    const auto on_both = [&](auto&& change) {
        for (const Side side : {Side::buy, Side::sell})
            change(side, wanted[static_cast<std::size_t>(side)]);
    };
    on_both([&](Side side, auto& levels_of_side) {
        levels_of_side = side_of(row, side);
        reveal_deeper(side, levels_of_side);
    });
    on_both([&](Side side, const auto& levels_of_side) {
        take_what_went(side, levels_of_side, levels_of_side.size() == row.size());
    });
    on_both([&](Side side, const auto& levels_of_side) { add_what_came(side, levels_of_side); });
    on_both([&](Side side, const auto& levels_of_side) {
        move_horizon(side, levels_of_side, levels_of_side.size() == row.size());
        conceal_untold(side, row.size());
    });
}

void VisibleBook::reveal_deeper(Side side, const std::vector<RowLevel>& row) {
    const std::optional<Key> horizon = horizon_[static_cast<std::size_t>(side)];
    for (const auto& [key, size] : row)
        if (!horizon || key > *horizon) reveal(++anonymous_, {side, key}, size);
}

void VisibleBook::take_what_went(Side side, const std::vector<RowLevel>& row, bool is_full) {
    const auto size_at = [&](Key key) {
        const auto found = std::ranges::find(row, key, &RowLevel::key);
        return found == row.end() ? 0 : found->size;
    };
    std::vector<std::pair<Key, std::int64_t>> went;
    for (const auto& [key, level] : levels(side)) {
        if (is_full && key > row.back().key) break;  // it leaves the view, later
        if (const std::int64_t size = size_at(key); level.total > size)
            went.emplace_back(key, level.total - size);
    }
    for (auto [key, quantity] : went)
        while (quantity > 0) {
            const Resting order = levels(side).at(key).orders.front();
            const std::int64_t part = std::min(quantity, order.quantity);
            if (part == order.quantity) {
                (*take_)(message_of<itch::OrderDelete>(order.reference));
            } else {
                auto cancel = message_of<itch::OrderCancel>(order.reference);
                cancel.cancelled_shares = static_cast<std::uint32_t>(part);
                (*take_)(cancel);
            }
            lower({side, key}, 0, part);
            quantity -= part;
        }
}

void VisibleBook::add_what_came(Side side, const std::vector<RowLevel>& row) {
    for (const auto& [key, size] : row) {
        const Place place{side, key};
        if (const std::int64_t more = size - total(place); more > 0)
            add(++anonymous_, place, more, 0);
    }
}

}  // namespace damrak::convert
