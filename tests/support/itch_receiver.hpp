// The slow and simple receiver of the order-by-order feed, for comparison: orders by reference, and
// a line for each message. Contradictions fail the test.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <damrak/feed/message_block.hpp>
#include <damrak/wire/itch/walk.hpp>

namespace damrak::testing {

namespace itch = wire::itch;

class ItchReceiver {
  public:
    struct Order {
        Side side{};
        std::uint32_t price_e4 = 0;
        std::uint32_t shares = 0;
        std::uint64_t arrival = 0;
    };

    void hear(const feed::MessageBlock& block) {
        const auto walked = itch::walk(block.bytes(), *this);
        EXPECT_EQ(walked.consumed_bytes, block.bytes().size());
        EXPECT_EQ(walked.messages, block.messages());
    }

    void on(const itch::SystemEvent& m) { say(m, fmt::format("S {}", m.event_code)); }
    void on(const itch::StockDirectory& m) {
        say(m, fmt::format("R {} lot {}", m.stock.text(), m.round_lot_size));
    }
    void on(const itch::StockTradingAction& m) {
        say(m, fmt::format("H {} {}{}", m.stock.text(), m.trading_state,
                           m.reason.text().empty() ? "" : fmt::format(" {}", m.reason.text())));
        indicative.erase(m.stock_locate);
    }
    void on(const itch::OperationalHalt& m) {
        say(m, fmt::format("h {} {} on {}", m.stock.text(), m.action, m.market_code));
    }
    void on(const itch::LuldAuctionCollar& m) {
        say(m, fmt::format("J {} {} to {} around {}, {} extensions", m.stock.text(),
                           m.lower_price_e4, m.upper_price_e4, m.reference_price_e4, m.extensions));
    }
    void on(const itch::MwcbDeclineLevels& m) {
        EXPECT_EQ(m.stock_locate, 0U);
        say(m, fmt::format("V {} {} {}", m.level1_e8, m.level2_e8, m.level3_e8));
    }
    void on(const itch::MwcbStatus& m) {
        EXPECT_EQ(m.stock_locate, 0U);
        say(m, fmt::format("W {}", m.breached_level));
    }
    void on(const itch::NetOrderImbalance& m) {
        say(m, fmt::format("I {} @ {} {} {} type {}", m.paired_shares, m.reference_price_e4,
                           m.imbalance_direction, m.imbalance_shares, m.cross_type));
        EXPECT_EQ(m.near_price_e4, m.reference_price_e4);
        if (m.far_price_e4 != 0) lines.back() += fmt::format(" far {}", m.far_price_e4);
        EXPECT_EQ(m.price_variation, m.reference_price_e4 == 0 ? ' ' : 'L');
        indicative[m.stock_locate] = m;
    }
    void on(const itch::AddOrder& m) {
        say(m, fmt::format("A {} {} {} @ {}", m.order_ref, m.side == Side::buy ? 'B' : 'S',
                           m.shares, m.price_e4));
        add(m);
    }
    void on(const itch::AddOrderAttributed& m) {
        say(m, fmt::format("F {} {}", m.order_ref, m.attribution.text()));
        add(m);
    }
    void on(const itch::OrderExecuted& m) {
        say(m, fmt::format("E {} {} match {}", m.order_ref, m.executed_shares, m.match_number));
        note_trade(m, m.executed_shares);
        take(m, m.executed_shares);
    }
    void on(const itch::OrderExecutedWithPrice& m) {
        say(m, fmt::format("C {} {} @ {}{}", m.order_ref, m.executed_shares, m.execution_price_e4,
                           m.printable ? "" : " in Q"));
        if (m.printable) note_trade(m, m.executed_shares);
        take(m, m.executed_shares);
    }
    void on(const itch::CrossTrade& m) {
        say(m, fmt::format("Q {} @ {} type {}", m.shares, m.cross_price_e4, m.cross_type));
        if (m.shares > 0) note_trade(m, m.shares);
    }
    void on(const itch::BrokenTrade& m) { say(m, fmt::format("B match {}", m.match_number)); }
    void on(const itch::OrderCancel& m) {
        say(m, fmt::format("X {} {}", m.order_ref, m.cancelled_shares));
        EXPECT_LT(m.cancelled_shares, find(m).shares) << "the rest of an order is a delete";
        take(m, m.cancelled_shares);
    }
    void on(const itch::OrderDelete& m) {
        say(m, fmt::format("D {}", m.order_ref));
        take(m, find(m).shares);
    }
    void on(const itch::OrderReplace& m) {
        say(m, fmt::format("U {} {} {} @ {}", m.order_ref, m.new_order_ref, m.shares, m.price_e4));
        const Side side = find(m).side;
        orders[m.stock_locate].erase(m.order_ref);
        insert(m.stock_locate, m.new_order_ref, {side, m.price_e4, m.shares, ++arrivals_});
    }
    void on(const itch::Trade& m) {
        say(m, fmt::format("P {} @ {}", m.shares, m.price_e4));
        EXPECT_EQ(m.order_ref, 0U);
        EXPECT_EQ(m.side, Side::buy) << "the hidden side is not published";
        note_trade(m, m.shares);
    }

    std::map<std::uint16_t, std::map<std::uint64_t, Order>> orders;  ///< by locate, reference
    std::map<std::pair<std::uint16_t, std::uint64_t>, std::uint64_t> trades;  ///< by match number
    std::map<std::uint16_t, itch::NetOrderImbalance> indicative;  ///< of calls, by locate
    std::vector<std::string> lines;
    std::optional<std::int64_t> time_ns;

  private:
    void say(const auto& message, std::string line) {
        time_ns = message.timestamp_ns;
        lines.push_back(std::move(line));
    }
    void insert(std::uint16_t locate, std::uint64_t reference, const Order& order) {
        EXPECT_TRUE(orders[locate].emplace(reference, order).second) << "duplicate reference";
    }
    void add(const auto& m) {
        insert(m.stock_locate, m.order_ref, {m.side, m.price_e4, m.shares, ++arrivals_});
    }
    Order& find(const auto& m) {
        EXPECT_TRUE(orders[m.stock_locate].contains(m.order_ref)) << lines.back();
        return orders[m.stock_locate][m.order_ref];
    }
    void take(const auto& m, std::uint32_t shares) {
        Order& order = find(m);
        ASSERT_LE(shares, order.shares) << lines.back();
        order.shares -= shares;
        if (order.shares == 0) orders[m.stock_locate].erase(m.order_ref);
    }
    void note_trade(const auto& m, std::uint64_t shares) {
        // An implied trade may take several orders of a leg.
        trades[{m.stock_locate, m.match_number}] += shares;
    }

    std::uint64_t arrivals_ = 0;
};

}  // namespace damrak::testing
