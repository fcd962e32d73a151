// Reads a LOBSTER pair as a day of ITCH messages and compares each row with a book of its own.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

#include <damrak/convert/lobster_day.hpp>
#include <damrak/wire/itch/view_mark.hpp>

namespace damrak::convert {

namespace itch = wire::itch;
using lobster::BookLevel;

/// Orders by reference and nothing else: the slowest book that can be right.
class SlowBook {
  public:
    void on(const itch::AddOrder& m) {
        ASSERT_FALSE(orders_.contains(m.order_ref));
        orders_[m.order_ref] = {m.side, m.price_e4, m.shares, itch::is_made_by_view(m)};
    }
    void on(const itch::OrderExecuted& m) { take(m.order_ref, m.executed_shares); }
    void on(const itch::OrderExecutedWithPrice& m) { take(m.order_ref, m.executed_shares); }
    void on(const itch::OrderCancel& m) { take(m.order_ref, m.cancelled_shares); }
    void on(const itch::OrderDelete& m) { ASSERT_EQ(orders_.erase(m.order_ref), 1U); }
    void on(const itch::OrderReplace& m) {
        Resting order = orders_.at(m.order_ref);
        orders_.erase(m.order_ref);
        order.price = m.price_e4;
        order.shares = m.shares;
        orders_[m.new_order_ref] = order;
    }
    void on(const auto& /*other*/) {}

    [[nodiscard]] std::vector<BookLevel> best(std::size_t levels) const {
        std::array<std::map<std::int64_t, std::int64_t>, 2> sides;
        for (const auto& [reference, order] : orders_)
            sides[order.side == Side::sell ? 0 : 1]
                 [order.side == Side::sell ? order.price : -order.price] += order.shares;
        std::vector<BookLevel> row(levels, {lobster::k_no_ask_e4, 0, lobster::k_no_bid_e4, 0});
        for (std::size_t i = 0; const auto& [key, size] : sides[0]) {
            if (i == levels) break;
            row[i].ask_price_e4 = key;
            row[i++].ask_size = size;
        }
        for (std::size_t i = 0; const auto& [key, size] : sides[1]) {
            if (i == levels) break;
            row[i].bid_price_e4 = -key;
            row[i++].bid_size = size;
        }
        return row;
    }

    struct Resting {
        Side side{};
        std::int64_t price = 0;
        std::int64_t shares = 0;
        bool is_by_view = false;
    };
    [[nodiscard]] const std::map<std::uint64_t, Resting>& orders() const { return orders_; }

  private:
    void take(std::uint64_t reference, std::int64_t shares) {
        ASSERT_TRUE(orders_.contains(reference));
        ASSERT_LE(shares, orders_[reference].shares);
        orders_[reference].shares -= shares;
        if (orders_[reference].shares == 0) orders_.erase(reference);
    }
    std::map<std::uint64_t, Resting> orders_;
};

struct Checked {
    RowsReport report;
    std::uint64_t rows = 0;
    std::uint64_t trades = 0;
    std::string error;
};

/// Reads the pair; after each participant's message and after each step the best levels are those
/// of the row, which is read again from the file here.
inline Checked check(const lobster::Pair& pair) {
    Checked checked;
    auto day = LobsterDay::open(pair, "X");
    if (!day) return {.report = {}, .rows = 0, .trades = 0, .error = day.error()};
    auto rows = lobster::BookReader::open(*pair.book);
    SlowBook book;
    std::vector<BookLevel> at_message;
    const auto take = [&](const itch::Message& message) {
        std::visit(
            [&](const auto& m) {
                book.on(m);
                if (!itch::is_made_by_view(m)) at_message = book.best(day->depth());
                if constexpr (std::is_same_v<std::decay_t<decltype(m)>, itch::OrderExecuted>)
                    ++checked.trades;
            },
            message);
    };
    for (;;) {
        const std::uint64_t equal = day->report().equal;
        const auto more = day->next(take);
        if (!more) checked.error = more.error();
        if (!more || !*more) break;
        const auto row = rows->next();
        if (!row || !*row) break;
        const std::vector<BookLevel> wanted{(*row)->begin(), (*row)->end()};
        ++checked.rows;
        EXPECT_EQ(book.best(day->depth()), wanted) << "row " << checked.rows;
        const bool follows = day->report().equal > equal;
        if (follows) {
            EXPECT_EQ(at_message, wanted) << "row " << checked.rows;
        }
        if (::testing::Test::HasFailure()) break;
    }
    checked.report = day->report();
    return checked;
}

}  // namespace damrak::convert
