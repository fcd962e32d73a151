// The tables of a day by a reader of its own, which knows only the messages and the documents: maps
// of orders, everything computed again for each row. Rows are lines as in a CSV file.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include <damrak/tables/schema.hpp>
#include <damrak/wire/itch/descriptor.hpp>
#include <damrak/wire/itch/messages.hpp>

namespace damrak::testing {

class SlowTables {
  public:
    using Messages = std::vector<wire::itch::Message>;

    SlowTables(const Messages& messages, std::int64_t epoch_ns)
        : messages_(&messages), epoch_ns_(epoch_ns) {
        for (const auto& message : messages) {
            if (const auto* const one = std::get_if<wire::itch::BrokenTrade>(&message))
                broken_.insert(one->match_number);
            if (const auto* const one = std::get_if<wire::itch::StockDirectory>(&message))
                symbols_[one->stock_locate] = one->stock.text();
        }
    }

    [[nodiscard]] std::vector<std::string> rows(tables::Table table, std::size_t levels = 1) {
        orders_.clear();
        std::vector<std::string> rows;
        std::map<std::uint16_t, std::string> last;
        for (std::size_t i = 0; i < messages_->size(); ++i)
            std::visit(
                [&](const auto& m) {
                    const std::string head = this->head(m.timestamp_ns, i + 1, m.stock_locate);
                    if (table == tables::Table::trades) trade(head, m, rows);
                    if (table == tables::Table::auctions) auction(head, m, rows);
                    if (table == tables::Table::halts) halt(head, m, rows);
                    if (table == tables::Table::messages) rows.push_back(head + message(m));
                    apply(m);
                    if (table != tables::Table::bbo && table != tables::Table::depth) return;
                    if constexpr (requires { m.order_ref; } || requires { m.match_number; }) {
                        std::string book = levels_of(m.stock_locate, levels);
                        const auto [at, is_first] = last.try_emplace(m.stock_locate);
                        if (!is_first && at->second == book) return;
                        rows.push_back(head + book);
                        at->second = std::move(book);
                    }
                },
                (*messages_)[i]);
        return rows;
    }
    /// At each multiple of the interval.
    [[nodiscard]] std::vector<std::string> sampled(std::size_t levels, std::int64_t every_ns) {
        orders_.clear();
        std::vector<std::string> rows;
        std::vector<std::pair<std::uint16_t, std::size_t>> last;  // message, by first order
        const std::int64_t end_ns = time_of(messages_->back());
        std::size_t next = 0;
        for (std::int64_t time_ns = 0; time_ns <= end_ns; time_ns += every_ns) {
            for (; next < messages_->size() && time_of((*messages_)[next]) <= time_ns; ++next)
                std::visit(
                    [&](const auto& m) {
                        apply(m);
                        if constexpr (requires { m.order_ref; } || requires { m.match_number; }) {
                            auto at =
                                std::ranges::find(last, m.stock_locate,
                                                  &std::pair<std::uint16_t, std::size_t>::first);
                            if (at == last.end()) at = last.insert(at, {m.stock_locate, 0});
                            at->second = next + 1;
                        }
                    },
                    (*messages_)[next]);
            for (const auto& [locate, sequence] : last)
                rows.push_back(head(time_ns, sequence, locate) + levels_of(locate, levels));
        }
        return rows;
    }

  private:
    struct Order {
        std::uint16_t locate = 0;
        Side side{};
        std::uint32_t price_e4 = 0;
        std::uint64_t shares = 0;
    };

    static std::int64_t time_of(const wire::itch::Message& message) {
        return std::visit([](const auto& m) { return m.timestamp_ns; }, message);
    }
    static std::string price(std::uint32_t price_e4) {
        return fmt::format("{}.{:04}", price_e4 / 10'000, price_e4 % 10'000);
    }
    static char letter(Side side) { return side == Side::buy ? 'B' : 'A'; }
    [[nodiscard]] std::string head(std::int64_t time_ns, std::size_t sequence,
                                   std::uint16_t locate) const {
        const auto symbol = symbols_.find(locate);
        return fmt::format("{},{},{}", epoch_ns_ + time_ns, sequence,
                           symbol == symbols_.end() ? "" : symbol->second);
    }
    [[nodiscard]] const Order* find(std::uint64_t reference) const {
        const auto found = orders_.find(reference);
        return found == orders_.end() ? nullptr : &found->second;
    }
    [[nodiscard]] std::string_view is_broken(std::uint64_t match) const {
        return broken_.contains(match) ? "true" : "false";
    }

    template <class M>
    void trade(const std::string& head, const M& m, std::vector<std::string>& rows) const {
        namespace itch = wire::itch;
        if constexpr (requires { m.executed_shares; }) {
            const Order* const order = find(m.order_ref);
            std::string at = order == nullptr ? "" : price(order->price_e4);
            bool printable = true;
            if constexpr (requires { m.printable; }) {
                at = price(m.execution_price_e4);
                printable = m.printable;
            }
            rows.push_back(fmt::format("{},{},{},{},{},{},{},,{},{}", head, itch::Layout<M>::k_type,
                                       order == nullptr ? 'N' : letter(opposite(order->side)), at,
                                       m.executed_shares, m.order_ref, m.match_number, printable,
                                       is_broken(m.match_number)));
        } else if constexpr (std::is_same_v<M, itch::Trade>) {
            rows.push_back(fmt::format("{},P,{},{},{},,{},,true,{}", head,
                                       m.tracking_number == 65'534 ? letter(opposite(m.side)) : 'N',
                                       price(m.price_e4), m.shares, m.match_number,
                                       is_broken(m.match_number)));
        } else if constexpr (std::is_same_v<M, itch::CrossTrade>) {
            rows.push_back(fmt::format("{},Q,N,{},{},,{},{},true,{}", head, price(m.cross_price_e4),
                                       m.shares, m.match_number, m.cross_type,
                                       is_broken(m.match_number)));
        }
    }

    template <class M>
    void auction(const std::string& head, const M& m, std::vector<std::string>& rows) const {
        const auto some = [](std::uint32_t price_e4) {
            return price_e4 == 0 ? std::string{} : price(price_e4);
        };
        if constexpr (std::is_same_v<M, wire::itch::NetOrderImbalance>)
            rows.push_back(fmt::format("{},I,{},{},{},{},{},{},{},,", head, m.cross_type,
                                       some(m.reference_price_e4), m.paired_shares,
                                       m.imbalance_shares, m.imbalance_direction,
                                       some(m.far_price_e4), some(m.near_price_e4)));
        else if constexpr (std::is_same_v<M, wire::itch::CrossTrade>)
            rows.push_back(fmt::format("{},Q,{},{},{},,,,,{},{}", head, m.cross_type,
                                       m.shares == 0 ? "" : price(m.cross_price_e4), m.shares,
                                       m.match_number, is_broken(m.match_number)));
    }

    template <class M>
    void halt(const std::string& head, const M& m, std::vector<std::string>& rows) const {
        namespace itch = wire::itch;
        if constexpr (std::is_same_v<M, itch::StockTradingAction>)
            rows.push_back(fmt::format("{},H,{},{},,,,,", head, m.trading_state, m.reason.text()));
        else if constexpr (std::is_same_v<M, itch::OperationalHalt>)
            rows.push_back(fmt::format("{},h,{},,{},,,,", head, m.action, m.market_code));
        else if constexpr (std::is_same_v<M, itch::LuldAuctionCollar>)
            rows.push_back(fmt::format("{},J,P,,,{},{},{},{}", head, price(m.reference_price_e4),
                                       price(m.lower_price_e4), price(m.upper_price_e4),
                                       m.extensions));
        else if constexpr (std::is_same_v<M, itch::MwcbStatus>)
            rows.push_back(fmt::format("{},W,{},,,,,,", head, m.breached_level));
    }

    template <class M>
    [[nodiscard]] std::string message(const M& m) const {
        namespace itch = wire::itch;
        constexpr char k_type = itch::Layout<M>::k_type;
        if constexpr (std::is_same_v<M, itch::AddOrder>)
            return fmt::format(",A,A,{},{},{},{},{},,,,,false", letter(m.side), price(m.price_e4),
                               m.shares, m.shares, m.order_ref);
        if constexpr (std::is_same_v<M, itch::Trade>)
            return fmt::format(",P,T,{},{},{},,,,{},true,{},false",
                               m.tracking_number == 65'534 ? letter(m.side) : 'N',
                               price(m.price_e4), m.shares, m.match_number,
                               is_broken(m.match_number));
        if constexpr (std::is_same_v<M, itch::CrossTrade>)
            return fmt::format(",Q,T,N,{},{},,,,{},true,{},false", price(m.cross_price_e4),
                               m.shares, m.match_number, is_broken(m.match_number));
        if constexpr (std::is_same_v<M, itch::BrokenTrade>)
            return fmt::format(",B,N,N,,,,,,{},,,false", m.match_number);
        if constexpr (requires { m.order_ref; } && !requires { m.stock; }) {
            const Order* const order = find(m.order_ref);
            const char side = order == nullptr ? 'N' : letter(order->side);
            const std::string at = order == nullptr ? "" : price(order->price_e4);
            const auto rest = [&](std::uint64_t shares) {
                return order == nullptr ? "" : std::to_string(order->shares - shares);
            };
            if constexpr (requires { m.printable; })
                return fmt::format(",C,F,{},{},{},{},{},,{},{},{},false", side,
                                   price(m.execution_price_e4), m.executed_shares,
                                   rest(m.executed_shares), m.order_ref, m.match_number,
                                   m.printable, is_broken(m.match_number));
            else if constexpr (requires { m.executed_shares; })
                return fmt::format(",E,F,{},{},{},{},{},,{},true,{},false", side, at,
                                   m.executed_shares, rest(m.executed_shares), m.order_ref,
                                   m.match_number, is_broken(m.match_number));
            else if constexpr (requires { m.cancelled_shares; })
                return fmt::format(",X,C,{},{},{},{},{},,,,,false", side, at, m.cancelled_shares,
                                   rest(m.cancelled_shares), m.order_ref);
            else if constexpr (requires { m.new_order_ref; })
                return fmt::format(",U,M,{},{},{},{},{},{},,,,false", side, price(m.price_e4),
                                   m.shares, m.shares, m.new_order_ref, m.order_ref);
            else
                return fmt::format(",D,C,{},{},{},0,{},,,,,false", side, at, rest(0), m.order_ref);
        }
        return fmt::format(",{},N,N,,,,,,,,,false", k_type);
    }

    void apply(const auto& m) {
        const auto take = [&](std::uint64_t reference, std::uint64_t shares) {
            const auto found = orders_.find(reference);
            if (found == orders_.end()) return;
            found->second.shares -= shares;
            if (found->second.shares == 0) orders_.erase(found);
        };
        if constexpr (requires { m.executed_shares; }) {
            take(m.order_ref, m.executed_shares);
        } else if constexpr (requires { m.cancelled_shares; }) {
            take(m.order_ref, m.cancelled_shares);
        } else if constexpr (requires { m.new_order_ref; }) {
            const auto old = orders_.extract(m.order_ref);
            if (!old) return;
            orders_[m.new_order_ref] = {m.stock_locate, old.mapped().side, m.price_e4, m.shares};
        } else if constexpr (std::is_same_v<std::remove_cvref_t<decltype(m)>,
                                            wire::itch::AddOrder>) {
            orders_[m.order_ref] = {m.stock_locate, m.side, m.price_e4, m.shares};
        } else if constexpr (std::is_same_v<std::remove_cvref_t<decltype(m)>,
                                            wire::itch::OrderDelete>) {
            orders_.erase(m.order_ref);
        }
    }

    [[nodiscard]] std::string levels_of(std::uint16_t locate, std::size_t count) const {
        using Level = std::pair<std::uint64_t, std::uint64_t>;  // shares, orders
        std::map<std::uint32_t, Level, std::greater<>> bids;
        std::map<std::uint32_t, Level> asks;
        for (const auto& [reference, order] : orders_) {
            if (order.locate != locate) continue;
            auto& [shares, orders] =
                order.side == Side::buy ? bids[order.price_e4] : asks[order.price_e4];
            shares += order.shares;
            ++orders;
        }
        std::string cells;
        auto bid = bids.begin();
        auto ask = asks.begin();
        for (std::size_t i = 0; i < count; ++i) {
            const bool has_bid = bid != bids.end();
            const bool has_ask = ask != asks.end();
            const Level buy = has_bid ? bid->second : Level{};
            const Level sell = has_ask ? ask->second : Level{};
            cells += fmt::format(",{},{},{},{},{},{}", has_bid ? price(bid->first) : "",
                                 has_ask ? price(ask->first) : "", buy.first, sell.first,
                                 buy.second, sell.second);
            if (has_bid) ++bid;
            if (has_ask) ++ask;
        }
        return cells;
    }

    const Messages* messages_;
    std::int64_t epoch_ns_;
    std::set<std::uint64_t> broken_;
    std::map<std::uint16_t, std::string> symbols_;
    std::map<std::uint64_t, Order> orders_;
};

}  // namespace damrak::testing
