#include <damrak/convert/unseen_orders.hpp>

#include <limits>

#include <fmt/format.h>

#include <damrak/wire/itch/descriptor.hpp>

namespace damrak::convert {

namespace lobster = lobster;
using lobster::EventType;

namespace {

constexpr std::int64_t k_most_shares = std::numeric_limits<std::uint32_t>::max();

bool takes_from_order(EventType type) {
    return type == EventType::cancel || type == EventType::remove || type == EventType::execute;
}

}  // namespace

std::expected<void, std::string> UnseenOrders::see(const lobster::MessageRow& row) {
    if (row.type == EventType::add) added_.insert(row.order_id);
    if (!takes_from_order(row.type) || added_.contains(row.order_id)) return {};
    auto& order =
        orders_.try_emplace(row.order_id, SeedOrder{row.order_id, row.side, row.price_e4, 0})
            .first->second;
    order.quantity += row.size;
    if (order.quantity <= k_most_shares) return {};
    return std::unexpected{fmt::format("order {} would have had {} shares; ITCH carries {}",
                                       row.order_id, order.quantity, k_most_shares)};
}

const SeedOrder* UnseenOrders::find(std::uint64_t order_id) const {
    const auto found = orders_.find(order_id);
    return found == orders_.end() ? nullptr : &found->second;
}

std::vector<SeedOrder> UnseenOrders::at(Side side, std::int64_t price_e4) const {
    std::vector<SeedOrder> result;
    for (const auto& [id, order] : orders_) {
        if (order.side == side && order.price_e4 == price_e4) result.push_back(order);
    }
    return result;
}

bool reaches(const lobster::MessageRow& message, std::span<const lobster::BookLevel> levels) {
    if (message.type > EventType::execute) return true;
    const lobster::BookLevel& deepest = levels.back();
    if (message.side == Side::buy) {
        return deepest.bid_size == 0 || message.price_e4 >= deepest.bid_price_e4;
    }
    return deepest.ask_size == 0 || message.price_e4 <= deepest.ask_price_e4;
}

std::expected<std::vector<SeedOrder>, std::string> book_before(
    const lobster::MessageRow& first, std::span<const lobster::BookLevel> levels,
    const UnseenOrders& unseen) {
    using Level = std::pair<Side, std::int64_t>;
    std::map<Level, std::int64_t> book;
    for (const lobster::BookLevel& level : levels) {
        if (level.ask_size > 0) book[{Side::sell, level.ask_price_e4}] = level.ask_size;
        if (level.bid_size > 0) book[{Side::buy, level.bid_price_e4}] = level.bid_size;
    }
    const Level touched{first.side, first.price_e4};
    if (first.type == EventType::add) book[touched] -= first.size;
    if (takes_from_order(first.type)) book[touched] += first.size;

    std::vector<SeedOrder> seeds;
    std::uint64_t anonymous = k_anonymous_ids;
    for (auto [level, quantity] : book) {
        if (quantity < 0) {
            return std::unexpected{fmt::format(
                "{} shares at price {} after a message that adds {} there; expected the order "
                "book file of these messages",
                quantity + first.size, level.second, first.size)};
        }
        if (level.second < 0 || level.second > wire::itch::k_max_price_e4 ||
            quantity > k_most_shares) {
            return std::unexpected{fmt::format("{} shares at price {} are more than ITCH can hold",
                                               quantity, level.second)};
        }
        for (const SeedOrder& order : unseen.at(level.first, level.second)) {
            if (order.quantity > quantity) continue;
            seeds.push_back(order);
            quantity -= order.quantity;
        }
        if (quantity > 0) seeds.push_back({++anonymous, level.first, level.second, quantity});
    }
    return seeds;
}

}  // namespace damrak::convert
