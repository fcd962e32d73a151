// The transition check of lobster_verify.hpp.
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include <damrak/order_flow/lobster_flow.hpp>
#include <damrak/replay/detail/price_levels.hpp>
#include <damrak/replay/lobster_verify.hpp>

namespace damrak::replay {

namespace {

using detail::describe;
using detail::levels_of;
using detail::PriceLevel;
using detail::PriceLevels;
using lobster::EventType;
using lobster::MessageRow;

bool contains(const PriceLevels& levels, const PriceLevel& level) {
    return std::ranges::find(levels, level) != levels.end();
}

// A real book that is set to row after row. Order ids do not matter here.
class RowBook {
  public:
    void set_to(BookRow row) {
        for (const Side side : {Side::buy, Side::sell}) {
            const PriceLevels now = levels(side);
            const PriceLevels wanted = levels_of(row, side);
            if (now == wanted) continue;
            for (const PriceLevel& level : now)
                if (!contains(wanted, level)) (void)take(side, level);
            for (const PriceLevel& level : wanted)
                if (!contains(now, level)) add(side, level);
        }
    }

    // Applies the message; returns why it cannot be applied, if so. Levels deeper than `shown` full
    // ones are in no row.
    std::optional<std::string> apply(const MessageRow& message, std::size_t shown) {
        const PriceLevel change{message.price_e4, message.size};
        if (message.type == EventType::add) add(message.side, change);
        if (message.type != EventType::cancel && message.type != EventType::remove &&
            message.type != EventType::execute)
            return std::nullopt;
        const PriceLevels before = levels(message.side);
        const bool out_of_sight =
            before.size() >= shown &&
            (message.side == Side::buy ? message.price_e4 < before.back().price_e4
                                       : message.price_e4 > before.back().price_e4);
        const std::int64_t missing = take(message.side, change);
        if (missing == 0 || out_of_sight) return std::nullopt;
        return fmt::format("the message takes {} from the {} at {}, but the previous row has {}",
                           message.size, message.side == Side::buy ? "bid" : "ask",
                           message.price_e4, message.size - missing);
    }

    [[nodiscard]] PriceLevels levels(Side side, std::size_t most = detail::k_all_levels) const {
        return levels_of(books_, instrument_, side, most);
    }

  private:
    void add(Side side, const PriceLevel& level) {
        (void)books_.on_add({0, instrument_}, OrderId{++last_id_}, side, Price{level.price_e4},
                            Quantity{level.quantity});
    }

    // Takes from the orders of a price, oldest first; returns the quantity that was missing.
    std::int64_t take(Side side, PriceLevel level) {
        std::vector<OrderId> orders;
        books_.book(instrument_).book.for_each_order(books_.store(), side, [&](OrderIndex index) {
            const Order& order = books_.store().order(index);
            if (books_.price_of(order).value == level.price_e4) orders.push_back(order.id);
            return true;
        });
        for (const OrderId id : orders) {
            const Quantity part =
                std::min(Quantity{level.quantity}, books_.find(instrument_, id)->quantity);
            if (part.value > 0) (void)books_.on_reduce({0, instrument_}, id, part);
            level.quantity -= part.value;
        }
        return level.quantity;
    }

    order_flow::BookBuilder<> books_{
        {.orders = 1024, .extensions = 0, .levels = 1024, .ladder_nodes = 1024}};
    InstrumentId instrument_ = books_.declare("");
    std::uint64_t last_id_ = 0;
};

// A row shows what the book shows, and perhaps one level more if the row before was full.
std::optional<std::string> difference(Side side, const PriceLevels& expected,
                                      const PriceLevels& found, bool may_reveal) {
    const std::size_t most = std::max(expected.size(), found.size());
    for (std::size_t i = 0; i < most; ++i) {
        const auto at = [i](const PriceLevels& levels) {
            return i < levels.size() ? std::optional{levels[i]} : std::nullopt;
        };
        if (at(expected) == at(found)) continue;
        if (may_reveal && i == expected.size() && found.size() == i + 1) return std::nullopt;
        return describe(side, i, at(expected), at(found));
    }
    return std::nullopt;
}

}  // namespace

LobsterVerification verify_transitions(MessageRows messages, const BookRows& rows) {
    LobsterVerification result;
    result.check = LobsterCheck::transition;
    result.rows_checked = rows.size() - 1;
    result.messages_applied = rows.size();
    result.seed_message_row = 1;
    RowBook book;
    for (std::size_t k = 1; k < rows.size(); ++k) {
        book.set_to(rows[k - 1]);
        std::optional<std::string> failure = book.apply(messages[k], rows.levels());
        std::size_t revealed = 0;
        for (const Side side : {Side::buy, Side::sell}) {
            const PriceLevels expected = book.levels(side, rows.levels());
            const PriceLevels found = levels_of(rows[k], side);
            const bool was_full = levels_of(rows[k - 1], side).size() == rows.levels();
            if (!failure) failure = difference(side, expected, found, was_full);
            if (found.size() > expected.size()) ++revealed;
        }
        if (!failure) {
            ++result.rows_equal;
            result.levels_revealed += revealed;
        } else if (result.failures.size() < LobsterVerification::k_most_failures_reported) {
            result.failures.push_back({k + 1, k + 1, std::move(*failure)});
        }
    }
    return result;
}

}  // namespace damrak::replay
