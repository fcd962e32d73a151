// A generated day with all kinds of messages that concern orders and trades: the generator's own,
// and partial cancels, attributed orders, executions at other prices, trades with hidden orders,
// crosses, imbalances, halts and broken trades put among them.
#pragma once

#include <cstdint>
#include <variant>
#include <vector>

#include <damrak/base/random.hpp>
#include <damrak/generator/itch_day.hpp>
#include <damrak/wire/itch/messages.hpp>

namespace damrak::modify::testing {

namespace itch = wire::itch;
using Messages = std::vector<itch::Message>;

inline std::int64_t time_of(const itch::Message& message) {
    return std::visit([](const auto& one) { return one.timestamp_ns; }, message);
}

class RichDay {
  public:
    explicit RichDay(std::uint64_t seed, std::uint64_t messages = 4'000) : random_(seed) {
        auto day = generator::ItchDay::create(
            {.messages = messages, .symbols = 2, .live_orders = 300, .seed = seed});
        for (;;) {
            const auto& step = day->next();
            if (step.empty()) return;
            for (const itch::Message& message : step)
                std::visit([this](const auto& one) { put(one); }, message);
        }
    }
    [[nodiscard]] const Messages& messages() const { return messages_; }

  private:
    void put(const auto& message) { messages_.emplace_back(message); }

    void put(const itch::AddOrder& m) {
        if (random_.below(5) > 0) return static_cast<void>(messages_.emplace_back(m));
        messages_.emplace_back(itch::AddOrderAttributed{.stock_locate = m.stock_locate,
                                                        .tracking_number = m.tracking_number,
                                                        .timestamp_ns = m.timestamp_ns,
                                                        .order_ref = m.order_ref,
                                                        .side = m.side,
                                                        .shares = m.shares,
                                                        .stock = m.stock,
                                                        .price_e4 = m.price_e4,
                                                        .attribution = {{'M', 'A', 'K', 'R'}}});
        put_market(m);
    }

    // Of one share first what of more is in parts.
    void put(const itch::OrderExecuted& m) {
        itch::OrderExecuted rest = m;
        const std::uint32_t part = m.executed_shares / 3;
        if (part > 0) {
            messages_.emplace_back(itch::OrderExecutedWithPrice{.stock_locate = m.stock_locate,
                                                                .tracking_number = 0,
                                                                .timestamp_ns = m.timestamp_ns,
                                                                .order_ref = m.order_ref,
                                                                .executed_shares = part,
                                                                .match_number = ++matches_,
                                                                .printable = true,
                                                                .execution_price_e4 = 1'000'050});
            messages_.emplace_back(itch::OrderCancel{.stock_locate = m.stock_locate,
                                                     .tracking_number = 0,
                                                     .timestamp_ns = m.timestamp_ns,
                                                     .order_ref = m.order_ref,
                                                     .cancelled_shares = part});
            rest.executed_shares -= 2 * part;
        }
        rest.match_number = ++matches_;
        messages_.emplace_back(rest);
        if (random_.below(4) == 0)
            messages_.emplace_back(itch::BrokenTrade{.stock_locate = m.stock_locate,
                                                     .tracking_number = 0,
                                                     .timestamp_ns = m.timestamp_ns,
                                                     .match_number = matches_});
    }

    void put_market(const itch::AddOrder& m) {
        itch::Trade trade{.stock_locate = m.stock_locate, .timestamp_ns = m.timestamp_ns};
        trade.shares = 1 + random_.below(300);
        trade.stock = m.stock;
        trade.price_e4 = m.price_e4;
        trade.match_number = ++matches_;
        messages_.emplace_back(trade);
        itch::CrossTrade cross{.stock_locate = m.stock_locate, .timestamp_ns = m.timestamp_ns};
        cross.shares = random_.below(3);
        cross.stock = m.stock;
        cross.cross_price_e4 = m.price_e4;
        cross.match_number = ++matches_;
        messages_.emplace_back(cross);
        itch::NetOrderImbalance indicated{.stock_locate = m.stock_locate,
                                          .timestamp_ns = m.timestamp_ns};
        indicated.paired_shares = random_.below(1'000);
        indicated.stock = m.stock;
        indicated.reference_price_e4 = m.price_e4;
        messages_.emplace_back(indicated);
        itch::StockTradingAction state{.stock_locate = m.stock_locate,
                                       .timestamp_ns = m.timestamp_ns};
        state.stock = m.stock;
        for (const char letter : {'H', 'T'}) {
            state.trading_state = letter;
            messages_.emplace_back(state);
        }
    }

    RandomStream random_;
    std::uint64_t matches_ = 0;
    Messages messages_;
};

}  // namespace damrak::modify::testing
