// A random market of two instruments, as a feed session on disk, and the plainest model of it: the
// open orders by arrival, the trades, and sums over them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include <damrak/feed/feed_session.hpp>
#include <damrak/feed/message_block.hpp>
#include <damrak/wire/itch/messages.hpp>

#include "support/scratch_folder.hpp"

namespace damrak::testing {

namespace itch = wire::itch;

struct ModelOrder {
    std::uint64_t reference = 0;
    bool is_buy = true;
    std::uint32_t price_e4 = 0;
    std::uint32_t quantity = 0;
    friend bool operator==(const ModelOrder&, const ModelOrder&) = default;
};
struct ModelTrade {
    std::uint64_t sequence = 0;
    std::int64_t time_ns = 0;
    std::uint32_t price_e4 = 0;
    std::uint64_t quantity = 0;
    int aggressor = 0;
    std::uint64_t match_number = 0;
    friend bool operator==(const ModelTrade&, const ModelTrade&) = default;
};
struct ModelInstrument {
    std::string symbol;
    char state = 'T';  ///< as in ITCH: T trading, H halted, Q orders are collected
    std::optional<itch::NetOrderImbalance> auction{};
    std::vector<ModelOrder> orders{};  ///< by arrival
    std::vector<ModelTrade> trades{};
    std::uint64_t entered = 0;
    std::uint64_t executions = 0;
    std::uint64_t cancels = 0;

    /// Best price first; by arrival at a price; of this many levels.
    [[nodiscard]] std::vector<ModelOrder> side(bool is_buy, std::size_t levels) const {
        std::vector<ModelOrder> found;
        std::ranges::copy_if(orders, std::back_inserter(found),
                             [&](const ModelOrder& one) { return one.is_buy == is_buy; });
        std::ranges::stable_sort(found, [&](const ModelOrder& a, const ModelOrder& b) {
            return is_buy ? a.price_e4 > b.price_e4 : a.price_e4 < b.price_e4;
        });
        std::size_t seen = 0;
        for (std::size_t i = 0; i < found.size(); ++i)
            if (i == 0 || found[i].price_e4 != found[i - 1].price_e4)
                if (++seen > levels) {
                    found.resize(i);
                    break;
                }
        return found;
    }
};

class RandomMarket {
  public:
    explicit RandomMarket(std::uint32_t seed, feed::FeedSessionId id = {20261127, 0})
        : draw_(seed), session_(*feed::FeedSession::open(folder_.path(), id, 0)) {
        for (const char* symbol : {"ONE", "TWO"}) {
            instruments_.push_back({.symbol = symbol});
            locate_ = static_cast<std::uint16_t>(instruments_.size());
            add(itch::StockDirectory{});
            add(itch::StockTradingAction{.trading_state = 'T'});
        }
        write();
    }

    [[nodiscard]] std::shared_ptr<feed::FeedSession> session() const { return session_; }
    [[nodiscard]] std::uint64_t sequence() const { return sequence_; }
    [[nodiscard]] std::int64_t time_ns() const { return time_ns_; }
    [[nodiscard]] const ModelInstrument& instrument(std::size_t i) const { return instruments_[i]; }

    /// From now on some trades are broken.
    void break_trades() { breaks_ = true; }
    /// Appends this many messages to the session.
    void step(std::size_t messages) {
        for (std::size_t i = 0; i < messages; ++i) one_message();
        write();
    }

  private:
    std::uint32_t below(std::uint32_t bound) { return static_cast<std::uint32_t>(draw_() % bound); }

    template <class M>
    void add(M message, std::optional<std::uint64_t> match_number = {}) {
        message.stock_locate = locate_;
        // Now and then some seconds pass, so that candles end.
        time_ns_ += below(200) == 0 ? 3'000'000'000 : 1'000'000;
        message.timestamp_ns = time_ns_;
        if constexpr (requires { message.stock; })
            message.stock = *itch::Stock::from(instruments_[locate_ - 1U].symbol);
        if constexpr (requires { message.match_number; })
            message.match_number = match_number ? *match_number : ++match_;
        block_.append(message);
        ++sequence_;
    }
    void write() {
        static_cast<void>(session_->append(block_.bytes(), ++record_));
        block_.clear();
    }

    void one_message() {
        locate_ = below(4) == 0 ? 2 : 1;
        ModelInstrument& in = instruments_[locate_ - 1U];
        if (in.state == 'Q' && below(4) == 0) return tell_auction(in);
        if (breaks_ && !in.trades.empty() && below(400) == 0) return break_trade(in);
        const std::uint32_t kind = below(100);
        if (in.orders.empty() || kind < 45) return enter(in);
        ModelOrder& order = in.orders[below(static_cast<std::uint32_t>(in.orders.size()))];
        if (kind < 60) return execute(in, order);
        if (kind < 70) return reduce(in, order);
        if (kind < 85) return remove(in, order);
        if (kind < 95) return replace(in, order);
        if (kind < 98) return trade_hidden(in);
        in.state = "THQ"[below(3)];
        in.auction.reset();
        add(itch::StockTradingAction{.trading_state = in.state});
    }
    // Mostly one of the last.
    void break_trade(ModelInstrument& in) {
        const auto back =
            std::min<std::size_t>(below(below(4) == 0 ? 1'000 : 5), in.trades.size() - 1);
        const auto which = in.trades.end() - 1 - static_cast<std::ptrdiff_t>(back);
        const std::uint64_t match_number = which->match_number;
        in.trades.erase(which);
        add(itch::BrokenTrade{}, match_number);
    }
    void tell_auction(ModelInstrument& in) {
        in.auction = {.paired_shares = below(1'000),
                      .imbalance_shares = below(1'000),
                      .imbalance_direction = "BSNO"[below(4)],
                      .reference_price_e4 = below(3) == 0 ? 0 : 100'0000 + below(100),
                      .cross_type = "OCHI"[below(4)]};
        add(*in.auction);
    }
    ModelOrder fresh(bool is_buy) {
        const std::uint32_t distance = below(40) * 100;
        return {.reference = ++reference_,
                .is_buy = is_buy,
                .price_e4 = is_buy ? 100'0000 - distance : 100'0100 + distance,
                .quantity = 1 + below(500)};
    }
    void enter(ModelInstrument& in) {
        const ModelOrder order = fresh(below(2) == 0);
        in.orders.push_back(order);
        ++in.entered;
        itch::AddOrder message;
        message.order_ref = order.reference;
        message.side = order.is_buy ? Side::buy : Side::sell;
        message.shares = order.quantity;
        message.price_e4 = order.price_e4;
        add(message);
    }
    void execute(ModelInstrument& in, ModelOrder& order) {
        const std::uint32_t quantity = 1 + below(order.quantity);
        const bool at_other_price = below(3) == 0;
        const std::uint32_t price = at_other_price ? order.price_e4 + 50 : order.price_e4;
        ++in.executions;
        if (at_other_price) {
            itch::OrderExecutedWithPrice message;
            message.order_ref = order.reference;
            message.executed_shares = quantity;
            message.printable = true;
            message.execution_price_e4 = price;
            add(message);
        } else {
            add(itch::OrderExecuted{.order_ref = order.reference, .executed_shares = quantity});
        }
        in.trades.push_back({sequence_, time_ns_, price, quantity, order.is_buy ? -1 : 1, match_});
        shrink(in, order, quantity);
    }
    void reduce(ModelInstrument& in, ModelOrder& order) {
        if (order.quantity == 1) return remove(in, order);
        const std::uint32_t quantity = 1 + below(order.quantity - 1);
        ++in.cancels;
        add(itch::OrderCancel{.order_ref = order.reference, .cancelled_shares = quantity});
        shrink(in, order, quantity);
    }
    void remove(ModelInstrument& in, ModelOrder& order) {
        ++in.cancels;
        add(itch::OrderDelete{.order_ref = order.reference});
        shrink(in, order, order.quantity);
    }
    void replace(ModelInstrument& in, ModelOrder& order) {
        const ModelOrder next = fresh(order.is_buy);
        ++in.entered;
        itch::OrderReplace message;
        message.order_ref = order.reference;
        message.new_order_ref = next.reference;
        message.shares = next.quantity;
        message.price_e4 = next.price_e4;
        add(message);
        shrink(in, order, order.quantity);
        in.orders.push_back(next);
    }
    void trade_hidden(ModelInstrument& in) {
        itch::Trade message;
        message.shares = 1 + below(100);
        message.price_e4 = 100'0050;
        add(message);
        in.trades.push_back({sequence_, time_ns_, 100'0050, message.shares, 0, match_});
    }
    static void shrink(ModelInstrument& in, ModelOrder& order, std::uint32_t quantity) {
        order.quantity -= quantity;
        std::erase_if(in.orders, [](const ModelOrder& one) { return one.quantity == 0; });
    }

    ScratchFolder folder_;
    std::mt19937 draw_;
    std::shared_ptr<feed::FeedSession> session_;
    feed::MessageBlock block_;
    std::vector<ModelInstrument> instruments_;
    std::uint16_t locate_ = 0;
    std::int64_t time_ns_ = 36'000'000'000'000;
    std::uint64_t sequence_ = 0;
    std::uint64_t record_ = 0;
    std::uint64_t match_ = 0;
    bool breaks_ = false;
    std::uint64_t reference_ = 0;
};

}  // namespace damrak::testing
