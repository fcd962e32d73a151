// A random day, and its heatmap by a slow obvious model: every quantity of every order with the
// time that it stood, summed over each cell.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <iterator>
#include <limits>
#include <map>
#include <vector>

#include <gtest/gtest.h>

#include <damrak/archive/day_writer.hpp>
#include <damrak/archive/heatmap.hpp>
#include <damrak/base/random.hpp>
#include <damrak/wire/itch/messages.hpp>

namespace damrak::archive {

namespace itch = wire::itch;

inline constexpr std::int64_t k_open_ns = 34'200'000'000'000;

/// An order, or what is left of it, with the time that it stood.
struct Stood {
    Side side{};
    std::uint32_t price_e4 = 0;
    std::uint64_t shares = 0;
    std::int64_t since_ns = 0;
    std::int64_t until_ns = std::numeric_limits<std::int64_t>::max();
};
struct Traded {
    std::int64_t time_ns = 0;
    std::uint64_t shares = 0;
    char incoming = 'X';
};

/// A random day of two instruments. The first one is noted.
class RandomDay {
  public:
    RandomDay(const std::filesystem::path& path, std::uint64_t seed, int messages)
        : random_(RandomStream{seed}) {
        auto writer = DayWriter::create(path, {.date = 20261123, .source = "random"});
        writer_ = &*writer;
        writer_->add(named(itch::StockDirectory{}, 1));
        writer_->add(named(itch::StockDirectory{}, 2));
        for (int i = 0; i < messages; ++i) {
            // Often at the same time, at times after a pause.
            const std::uint64_t kind = below(20);
            time_ns_ += static_cast<std::int64_t>(kind == 0  ? below(900'000'000)
                                                  : kind < 5 ? 0
                                                             : below(3'000'000));
            step();
        }
        EXPECT_TRUE(writer->close());
    }

    std::vector<Stood> stood;
    std::vector<Traded> trades;

  private:
    std::uint64_t below(std::uint64_t n) { return random_.next() % n; }
    template <class M>
    M named(M message, std::uint16_t locate) {
        message.stock_locate = locate;
        message.timestamp_ns = time_ns_;
        if constexpr (requires { message.stock; })
            message.stock = *itch::Stock::from(locate == 1 ? "ONE" : "TWO");
        return message;
    }
    void add_order() {
        itch::AddOrder message;
        message.order_ref = ++reference_;
        message.side = below(2) == 0 ? Side::buy : Side::sell;
        message.shares = static_cast<std::uint32_t>(1 + below(500));
        message.price_e4 = price(message.side);
        const bool is_noted = below(5) != 0;
        writer_->add(named(message, is_noted ? 1 : 2));
        if (is_noted) note(message.order_ref, message.side, message.price_e4, message.shares);
    }
    std::uint32_t price(Side side) {
        const auto ticks = static_cast<std::uint32_t>(below(30) * 100);
        return side == Side::buy ? 1'000'000 - ticks : 1'000'100 + ticks;
    }
    void note(std::uint64_t reference, Side side, std::uint32_t price_e4, std::uint64_t shares) {
        open_[reference] = stood.size();
        stood.push_back({side, price_e4, shares, time_ns_});
    }
    void change(std::uint64_t reference, std::uint64_t left) {
        Stood& was = stood[open_[reference]];
        was.until_ns = time_ns_;
        const Stood copy = was;
        open_.erase(reference);
        if (left > 0) note(reference, copy.side, copy.price_e4, left);
    }
    void step() {
        const std::uint64_t kind = below(10);
        if (open_.size() < 20 || (kind < 4 && open_.size() < 400)) return add_order();
        auto chosen = open_.begin();
        std::advance(chosen,
                     static_cast<std::ptrdiff_t>(below(std::min<std::size_t>(open_.size(), 60))));
        const std::uint64_t reference = chosen->first;
        const Stood order = stood[chosen->second];
        const auto part = static_cast<std::uint32_t>(1 + below(order.shares));
        const char incoming = order.side == Side::buy ? 'S' : 'B';
        if (kind == 4) {
            writer_->add(
                named(itch::OrderExecuted{.order_ref = reference, .executed_shares = part}, 1));
            trades.push_back({time_ns_, part, incoming});
            change(reference, order.shares - part);
        } else if (kind == 5) {
            itch::OrderExecutedWithPrice message;
            message.order_ref = reference;
            message.executed_shares = part;
            message.printable = below(2) == 0;
            message.execution_price_e4 = order.price_e4;
            writer_->add(named(message, 1));
            if (message.printable) trades.push_back({time_ns_, part, incoming});
            change(reference, order.shares - part);
        } else if (kind == 6 && part < order.shares) {
            writer_->add(
                named(itch::OrderCancel{.order_ref = reference, .cancelled_shares = part}, 1));
            change(reference, order.shares - part);
        } else if (kind == 7) {
            itch::OrderReplace message;
            message.order_ref = reference;
            message.new_order_ref = ++reference_;
            message.shares = part + 1;
            message.price_e4 = price(order.side);
            writer_->add(named(message, 1));
            change(reference, 0);
            note(message.new_order_ref, order.side, message.price_e4, message.shares);
        } else if (kind == 8) {
            itch::Trade message;
            message.shares = part;
            message.price_e4 = order.price_e4;
            writer_->add(named(message, 1));
            trades.push_back({time_ns_, part, 'X'});
        } else {
            writer_->add(named(itch::OrderDelete{.order_ref = reference}, 1));
            change(reference, 0);
        }
    }

    RandomStream random_;
    DayWriter* writer_ = nullptr;
    std::int64_t time_ns_ = k_open_ns;
    std::uint64_t reference_ = 0;
    std::map<std::uint64_t, std::size_t> open_;
};

/// The same by the model, on the grid of `map`.
inline Heatmap modelled(const RandomDay& day, const HeatmapGrid& grid) {
    Heatmap map{.grid = grid};
    map.columns.resize(grid.columns);
    map.bids.resize(std::size_t{grid.columns} * grid.rows);
    map.asks.resize(map.bids.size());
    for (std::size_t c = 0; c < grid.columns; ++c) {
        const std::int64_t begin = grid.begin_ns + static_cast<std::int64_t>(c) * grid.column_ns;
        const std::int64_t end = begin + grid.column_ns;
        HeatmapColumn& column = map.columns[c];
        for (const Stood& one : day.stood) {
            const std::int64_t overlap =
                std::min(end, one.until_ns) - std::max(begin, one.since_ns);
            const bool is_in_rows = one.price_e4 >= grid.low_e4 && one.price_e4 < grid.high_e4();
            if (overlap > 0 && is_in_rows)
                (one.side == Side::buy
                     ? map.bids
                     : map.asks)[c * grid.rows + (one.price_e4 - grid.low_e4) / grid.step_e4] +=
                    Uint128{one.shares} * static_cast<std::uint64_t>(overlap);
            // At the end of a column the messages of the next one are not in the book.
            if (one.since_ns >= end || one.until_ns < end) continue;
            if (one.since_ns == one.until_ns) continue;
            std::uint32_t& best = one.side == Side::buy ? column.bid_e4 : column.ask_e4;
            if (best == 0 || (one.side == Side::buy ? one.price_e4 > best : one.price_e4 < best))
                best = one.price_e4;
        }
        for (const Traded& trade : day.trades)
            if (trade.time_ns >= begin && trade.time_ns < end)
                (trade.incoming == 'B'   ? column.bought
                 : trade.incoming == 'S' ? column.sold
                                         : column.other) += trade.shares;
    }
    return map;
}

/// Number of the first column in which they differ; -1: none.
inline int difference(const Heatmap& a, const Heatmap& b, std::size_t from = 0,
                      std::size_t to = std::numeric_limits<std::size_t>::max()) {
    const std::size_t rows = a.grid.rows;
    for (std::size_t c = from; c < std::min<std::size_t>(a.grid.columns, to); ++c) {
        const HeatmapColumn& one = a.columns[c];
        const HeatmapColumn& two = b.columns[c];
        if (one.bid_e4 != two.bid_e4 || one.ask_e4 != two.ask_e4 || one.bought != two.bought ||
            one.sold != two.sold || one.other != two.other)
            return static_cast<int>(c);
        for (std::size_t cell = c * rows; cell < (c + 1) * rows; ++cell)
            if (a.bids[cell] != b.bids[cell] || a.asks[cell] != b.asks[cell])
                return static_cast<int>(c);
    }
    return -1;
}

}  // namespace damrak::archive
