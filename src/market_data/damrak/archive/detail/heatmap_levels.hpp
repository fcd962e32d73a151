// The displayed quantity of each price of one instrument, message by message, for the heatmap. A
// sink learns how long each quantity stood and which trades there were. A book builder is not used:
// the priority of orders does not matter here. One thread; a hash look-up and a tree look-up for a
// message.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <type_traits>
#include <unordered_map>

#include <damrak/domain/order_terms.hpp>
#include <damrak/order_flow/broken_trades.hpp>
#include <damrak/wire/itch/messages.hpp>

namespace damrak::archive {

/// Who came: the buyer, the seller, or it is not known (hidden orders and crosses).
enum class Incoming : std::uint8_t { buyer, seller, unknown };

/// `Sink` has, all times being nanoseconds since midnight:
///   void pass(const DisplayedLevels&, time)         before each change: the book up to this time
///   void stood(side, price_e4, shares, since, time) what is displayed may change
///   void trade(time, price_e4, shares, incoming)
template <class Sink>
class DisplayedLevels {
  public:
    struct Level {
        std::uint64_t shares = 0;
        std::int64_t since_ns = 0;
    };
    using Prices = std::map<std::uint32_t, Level>;

    /// `broken` must outlive it.
    DisplayedLevels(Sink& sink, const order_flow::BrokenTrades& broken)
        : sink_(&sink), broken_(&broken) {}

    [[nodiscard]] std::uint32_t best_bid() const {
        return sides_[0].empty() ? 0 : sides_[0].rbegin()->first;
    }
    [[nodiscard]] std::uint32_t best_ask() const {
        return sides_[1].empty() ? 0 : sides_[1].begin()->first;
    }

    [[nodiscard]] std::uint64_t shares(Side side, std::uint32_t price_e4) const {
        const Prices& prices = sides_[side == Side::buy ? 0 : 1];
        const auto found = prices.find(price_e4);
        return found == prices.end() ? 0 : found->second.shares;
    }

    /// Messages of a checkpoint: the book as it stands at `time_ns`, whatever their own times are.
    void set(const auto& message, std::int64_t time_ns) { apply(message, time_ns); }

    void on(const auto& message) {
        if constexpr (requires { message.order_ref; } || requires { message.match_number; }) {
            sink_->pass(*this, message.timestamp_ns);
            note_trade(message);
            apply(message, message.timestamp_ns);
        }
    }

    /// Tells how long the open quantities have stood, and continues from there.
    void settle(std::int64_t time_ns) {
        sink_->pass(*this, time_ns);
        for (const Side side : {Side::buy, Side::sell})
            for (auto& [price_e4, level] : of(side)) tell(side, price_e4, level, time_ns);
    }

  private:
    struct Open {
        std::uint32_t price_e4 = 0;
        std::uint32_t shares = 0;
        Side side{};
    };

    Prices& of(Side side) { return sides_[side == Side::buy ? 0 : 1]; }

    void tell(Side side, std::uint32_t price_e4, Level& level, std::int64_t time_ns) {
        sink_->stood(side, price_e4, level.shares, level.since_ns, time_ns);
        level.since_ns = std::max(level.since_ns, time_ns);
    }
    void add(std::uint64_t reference, const Open& order, std::int64_t time_ns) {
        if (order.shares == 0 || !orders_.emplace(reference, order).second) return;
        const auto [at, is_new] = of(order.side).try_emplace(order.price_e4);
        if (is_new) at->second.since_ns = time_ns;
        tell(order.side, order.price_e4, at->second, time_ns);
        at->second.shares += order.shares;
    }
    /// Takes at most what the order has. Returns the order as it was; no shares: there is none.
    Open take(std::uint64_t reference, std::uint32_t shares, std::int64_t time_ns) {
        const auto found = orders_.find(reference);
        if (found == orders_.end()) return {};
        const Open before = found->second;
        const auto level = of(before.side).find(before.price_e4);
        tell(before.side, before.price_e4, level->second, time_ns);
        const std::uint32_t taken = std::min(shares, before.shares);
        level->second.shares -= taken;
        if (level->second.shares == 0) of(before.side).erase(level);
        found->second.shares -= taken;
        if (found->second.shares == 0) orders_.erase(found);
        return before;
    }

    void apply(const auto& message, std::int64_t time_ns) {
        using M = std::remove_cvref_t<decltype(message)>;
        if constexpr (std::is_same_v<M, wire::itch::AddOrder> ||
                      std::is_same_v<M, wire::itch::AddOrderAttributed>) {
            add(message.order_ref,
                {.price_e4 = message.price_e4, .shares = message.shares, .side = message.side},
                time_ns);
        } else if constexpr (requires { message.executed_shares; }) {
            take(message.order_ref, message.executed_shares, time_ns);
        } else if constexpr (requires { message.cancelled_shares; }) {
            take(message.order_ref, message.cancelled_shares, time_ns);
        } else if constexpr (std::is_same_v<M, wire::itch::OrderDelete>) {
            take(message.order_ref, UINT32_MAX, time_ns);
        } else if constexpr (std::is_same_v<M, wire::itch::OrderReplace>) {
            const Open old = take(message.order_ref, UINT32_MAX, time_ns);
            if (old.shares > 0)
                add(message.new_order_ref,
                    {.price_e4 = message.price_e4, .shares = message.shares, .side = old.side},
                    time_ns);
        }
    }
    void note_trade(const auto& message) {
        using M = std::remove_cvref_t<decltype(message)>;
        if constexpr (requires { message.match_number; })
            if (broken_->has(message.match_number)) return;
        if constexpr (requires { message.executed_shares; }) {
            const auto found = orders_.find(message.order_ref);
            if (found == orders_.end()) return;
            const Open& order = found->second;
            std::uint32_t price_e4 = order.price_e4;
            if constexpr (requires { message.printable; }) {
                if (!message.printable) return;
                price_e4 = message.execution_price_e4;
            }
            sink_->trade(message.timestamp_ns, price_e4, message.executed_shares,
                         order.side == Side::sell ? Incoming::buyer : Incoming::seller);
        } else if constexpr (std::is_same_v<M, wire::itch::Trade>) {
            sink_->trade(message.timestamp_ns, message.price_e4, message.shares, Incoming::unknown);
        } else if constexpr (std::is_same_v<M, wire::itch::CrossTrade>) {
            if (message.shares > 0)
                sink_->trade(message.timestamp_ns, message.cross_price_e4, message.shares,
                             Incoming::unknown);
        }
    }

    Sink* sink_;
    const order_flow::BrokenTrades* broken_;
    std::unordered_map<std::uint64_t, Open> orders_;
    std::array<Prices, 2> sides_;
};

}  // namespace damrak::archive
