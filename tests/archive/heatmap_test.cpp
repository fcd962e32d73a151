// The heatmap of a day against a slow obvious model: every quantity of every order with the time
// that it stood, summed over each cell.
#include <damrak/archive/heatmap.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <ios>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <damrak/archive/day_format.hpp>
#include <damrak/archive/day_writer.hpp>
#include <damrak/base/random.hpp>
#include <damrak/wire/itch/messages.hpp>

#include "support/scratch_folder.hpp"

namespace damrak::archive {
namespace {

namespace itch = wire::itch;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr std::int64_t k_open_ns = 34'200'000'000'000;

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
        auto writer = DayWriter::create(path, 20261123, "random");
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
Heatmap modelled(const RandomDay& day, const HeatmapGrid& grid) {
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
int difference(const Heatmap& a, const Heatmap& b, std::size_t from = 0,
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

class HeatmapOfDay : public ::testing::Test {
  protected:
    [[nodiscard]] Heatmap read(const HeatmapView& view) const {
        const auto day = Day::open(path_);
        EXPECT_TRUE(day);
        return heatmap(*day, 1, view);
    }
    /// Changes a byte in the middle of a block of messages.
    void damage_block(std::size_t block) {
        std::fstream file{path_, std::ios::binary | std::ios::in | std::ios::out};
        DayHeader day;
        file.read(reinterpret_cast<char*>(&day), sizeof day);
        for (std::size_t seen = 0;;) {
            BlockHeader header;
            ASSERT_TRUE(file.read(reinterpret_cast<char*>(&header), sizeof header));
            if (header.kind == BlockKind::messages && seen++ == block) break;
            file.seekg(header.payload_bytes, std::ios::cur);
        }
        file.seekp(static_cast<std::streamoff>(file.tellg()) + 100);
        file.write("damaged", 7);
    }

    damrak::testing::ScratchFolder folder_;
    std::filesystem::path path_ = folder_ / "day.dar";
};

}  // namespace

TEST_F(HeatmapOfDay, HasWhatTheModelHas) {
    for (const std::uint64_t seed : {1U, 2U, 3U}) {
        const RandomDay day{path_, seed, 4'000};
        const HeatmapView views[]{
            {.columns = 50, .rows = 100},
            {.columns = 1, .rows = 1},
            {.columns = 3, .rows = 7, .low_e4 = 999'000, .high_e4 = 1'001'050},
            {.from_ns = k_open_ns + 7'123'456'789,
             .until_ns = k_open_ns + 9'000'000'001,
             .columns = 40,
             .rows = 60},
            {.from_ns = k_open_ns + 20'000'000'000,
             .until_ns = k_open_ns + 20'003'000'000,
             .columns = 30,
             .rows = 500},
        };
        for (const HeatmapView& view : views) {
            const Heatmap map = read(view);
            ASSERT_GT(map.grid.columns, 0U);
            EXPECT_THAT(map.damage, IsEmpty());
            EXPECT_EQ(difference(map, modelled(day, map.grid)), -1) << seed;
        }
    }
}

TEST_F(HeatmapOfDay, BeginsInTheMiddleOfManyBlocks) {
    const RandomDay day{path_, 4, 60'000};
    const std::int64_t last = Day::open(path_)->last_time_ns();
    const Heatmap map =
        read({.from_ns = last - 3'000'000'000, .until_ns = last, .columns = 20, .rows = 30});
    EXPECT_EQ(difference(map, modelled(day, map.grid)), -1);
}

TEST_F(HeatmapOfDay, GoesOnAfterADamagedBlockAtTheNextCheckpoint) {
    const RandomDay random{path_, 5, 70'000};
    std::int64_t lost_from = 0;
    std::int64_t lost_until = 0;
    {
        const auto day = Day::open(path_);
        ASSERT_GE(day->blocks(), 4U);
        lost_from = day->block(0).last_time_ns;
        lost_until = day->block(2).first_time_ns;
    }
    damage_block(1);
    const Heatmap map = read({.columns = 200, .rows = 60});
    ASSERT_THAT(map.damage, SizeIs(1));
    EXPECT_THAT(map.damage.front(), ::testing::HasSubstr("day.dar: at offset "));
    const HeatmapGrid& grid = map.grid;
    const auto column = [&](std::int64_t time_ns) {
        return static_cast<std::size_t>((time_ns - grid.begin_ns) / grid.column_ns);
    };
    const Heatmap whole = modelled(random, grid);
    EXPECT_EQ(difference(map, whole, 0, column(lost_from)), -1);
    EXPECT_EQ(difference(map, whole, column(lost_until) + 1), -1);
    ASSERT_GT(column(lost_until), column(lost_from) + 2) << "something is lost";
    for (std::size_t c = column(lost_from) + 1; c < column(lost_until); ++c) {
        EXPECT_EQ(map.columns[c].bid_e4, 0U);
        EXPECT_EQ(
            std::ranges::count(map.bids.begin() + static_cast<std::ptrdiff_t>(c * grid.rows),
                               map.bids.begin() + static_cast<std::ptrdiff_t>((c + 1) * grid.rows),
                               Uint128{0}),
            grid.rows);
    }
    // A window behind the damage knows nothing of it.
    const Heatmap later = read({.from_ns = lost_until + 5'000'000'000, .columns = 20, .rows = 60});
    EXPECT_THAT(later.damage, IsEmpty());
    EXPECT_EQ(difference(later, modelled(random, later.grid)), -1);
}

TEST_F(HeatmapOfDay, IsEmptyWhereNothingIs) {
    const RandomDay day{path_, 6, 100};
    EXPECT_EQ(read({.from_ns = k_open_ns * 2}).grid.columns, 0U);
    EXPECT_EQ(read({.from_ns = 5, .until_ns = 9}).grid.columns, 5U);
    const auto opened = Day::open(path_);
    const Heatmap other = heatmap(*opened, 3, {.columns = 10, .rows = 10});
    EXPECT_EQ(other.columns.size(), other.grid.columns);
    EXPECT_TRUE(std::ranges::all_of(other.bids, [](Uint128 cell) { return cell == 0; }));
}

TEST(HeatmapGridOf, IsAsFineAsItsColumnsAndRowsAllow) {
    constexpr std::int64_t k_second = 1'000'000'000;
    for (const std::int64_t from : {std::int64_t{0}, k_open_ns + 123'456'789})
        for (const std::int64_t span :
             {1L, 999L, 5 * k_second, 3'600 * k_second, 23'400 * k_second})
            for (const std::uint32_t columns : {1U, 7U, 400U, 2'000U}) {
                const HeatmapView view{
                    .from_ns = from, .until_ns = from + span - 1, .columns = columns};
                const HeatmapGrid grid = heatmap_columns(view, 0, k_open_ns * 2);
                EXPECT_LE(grid.columns, columns);
                EXPECT_LE(grid.begin_ns, from);
                EXPECT_GE(grid.end_ns(), from + span);
                EXPECT_GT(grid.begin_ns + grid.column_ns, from) << "the first column has something";
                EXPECT_LT(grid.end_ns() - grid.column_ns, from + span) << "and so has the last";
                if (grid.column_ns >= k_second) {
                    EXPECT_EQ(grid.begin_ns % k_second, 0);
                }
            }
    HeatmapGrid grid;
    for (const std::uint32_t low : {0U, 99U, 10'049U, 1'000'000U})
        for (const std::uint32_t height : {1U, 99U, 5'001U, 4'000'000'000U})
            for (const std::uint32_t rows : {1U, 3U, 200U, 1'000U}) {
                const HeatmapView view{.rows = rows, .low_e4 = low, .high_e4 = low + height};
                add_heatmap_rows(grid, view, 0, 0);
                EXPECT_LE(grid.rows, rows);
                EXPECT_LE(grid.low_e4, low);
                EXPECT_GE(grid.high_e4(), low + height);
                EXPECT_EQ(grid.low_e4 % grid.step_e4, 0U);
            }
}

}  // namespace damrak::archive
