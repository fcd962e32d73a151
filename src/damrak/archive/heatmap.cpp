#include <damrak/archive/heatmap.hpp>

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include <damrak/archive/heatmap_levels.hpp>
#include <damrak/wire/itch/walk.hpp>

namespace damrak::archive {

namespace {

/// Draws into the cells what it is told. Without rows it finds the range of the prices.
class Raster {
  public:
    explicit Raster(Heatmap& map) : map_(&map) {
        const std::size_t cells = std::size_t{map.grid.columns} * map.grid.rows;
        map.columns.assign(map.grid.columns, {});
        map.bids.assign(cells, 0);
        map.asks.assign(cells, 0);
    }

    void pass(const auto& levels, std::int64_t time_ns) {
        const HeatmapGrid& grid = map_->grid;
        for (; passed_ < grid.columns && begin_of(passed_ + 1) <= time_ns; ++passed_) {
            HeatmapColumn& column = map_->columns[passed_];
            column.bid_e4 = levels.best_bid();
            column.ask_e4 = levels.best_ask();
            note(column.bid_e4);
            note(column.ask_e4);
        }
    }
    void stood(Side side, std::uint32_t price_e4, std::uint64_t shares, std::int64_t since_ns,
               std::int64_t until_ns) {
        const HeatmapGrid& grid = map_->grid;
        if (price_e4 < grid.low_e4 || price_e4 >= grid.high_e4()) return;
        const std::size_t row = (price_e4 - grid.low_e4) / grid.step_e4;
        std::int64_t at = std::max(since_ns, grid.begin_ns);
        const std::int64_t end = std::min(until_ns, grid.end_ns());
        auto& cells = side == Side::buy ? map_->bids : map_->asks;
        while (at < end) {
            const std::size_t column = column_of(at);
            const std::int64_t next = std::min(end, begin_of(column + 1));
            cells[column * grid.rows + row] +=
                Uint128{shares} * static_cast<std::uint64_t>(next - at);
            at = next;
        }
    }
    void trade(std::int64_t time_ns, std::uint32_t price_e4, std::uint64_t shares,
               Incoming incoming) {
        const HeatmapGrid& grid = map_->grid;
        if (time_ns < grid.begin_ns || time_ns >= grid.end_ns()) return;
        HeatmapColumn& column = map_->columns[column_of(time_ns)];
        (incoming == Incoming::buyer    ? column.bought
         : incoming == Incoming::seller ? column.sold
                                        : column.other) += shares;
        note(price_e4);
    }
    /// The book is not known up to this time.
    void skip(std::int64_t time_ns) {
        while (passed_ < map_->grid.columns && begin_of(passed_ + 1) <= time_ns) ++passed_;
    }
    [[nodiscard]] std::uint32_t low_e4() const { return low_e4_; }
    [[nodiscard]] std::uint32_t high_e4() const { return high_e4_; }

  private:
    [[nodiscard]] std::int64_t begin_of(std::size_t column) const {
        return map_->grid.begin_ns + map_->grid.column_ns * static_cast<std::int64_t>(column);
    }
    [[nodiscard]] std::size_t column_of(std::int64_t time_ns) const {
        return static_cast<std::size_t>((time_ns - map_->grid.begin_ns) / map_->grid.column_ns);
    }
    void note(std::uint32_t price_e4) {
        if (price_e4 == 0) return;
        low_e4_ = low_e4_ == 0 ? price_e4 : std::min(low_e4_, price_e4);
        high_e4_ = std::max(high_e4_, price_e4);
    }

    Heatmap* map_;
    std::size_t passed_ = 0;  ///< columns whose end is behind
    std::uint32_t low_e4_ = 0;
    std::uint32_t high_e4_ = 0;
};

using Levels = DisplayedLevels<Raster>;

/// Takes the messages of one instrument up to a time.
struct IntoLevels {
    Levels& levels;
    std::uint16_t locate;
    std::int64_t end_ns;
    bool on(const auto& message) {
        if (message.timestamp_ns >= end_ns) return false;
        if (message.stock_locate == locate) levels.on(message);
        return true;
    }
};

/// A checkpoint has several instruments.
struct FromCheckpoint {
    Levels& levels;
    std::uint16_t locate;
    std::int64_t time_ns;
    void on(const auto& message) {
        if (message.stock_locate == locate) levels.set(message, time_ns);
    }
};

/// Reads the blocks of the window, and goes on after damage at the next checkpoint.
class Drawing {
  public:
    Drawing(const Day& day, std::uint16_t locate, Heatmap& map)
        : day_(&day), locate_(locate), map_(&map), raster_(map), levels_(raster_) {}

    void run() {
        std::size_t at = 0;
        while (at < day_->blocks() && day_->block(at).last_time_ns < map_->grid.begin_ns) ++at;
        if (at == day_->blocks()) return;
        at = begin_at(at, 0, map_->grid.begin_ns).value_or(at);
        for (; at < day_->blocks() && day_->block(at).first_time_ns < map_->grid.end_ns(); ++at) {
            const BlockHeader& block = day_->block(at);
            if (is_known_ && block.first_message != expected_)
                lose(at, fmt::format("messages {} to {} are missing", expected_,
                                     block.first_message - 1));
            if (!is_known_) static_cast<void>(begin_at(at, at, block.first_time_ns));
            if (is_known_)
                read(at);
            else
                raster_.skip(block.last_time_ns);
        }
        if (is_known_) levels_.settle(map_->grid.end_ns());
    }
    [[nodiscard]] const Raster& raster() const { return raster_; }

  private:
    /// Takes the checkpoint before this block, unless it is of a block before `least`. The book
    /// stands since `time_ns`. Returns the block at which to go on.
    std::optional<std::size_t> begin_at(std::size_t block, std::size_t least,
                                        std::int64_t time_ns) {
        Levels levels{raster_};
        const auto begin =
            day_->read_checkpoint(locate_, block, [&](std::span<const std::byte> frames) {
                FromCheckpoint into{levels, locate_, time_ns};
                return wire::itch::walk(frames, into).end != wire::itch::WalkEnd::fault;
            });
        is_known_ = begin && *begin >= least && (*begin > 0 || day_->block(0).first_message == 1);
        if (!is_known_) return std::nullopt;
        expected_ = day_->block(*begin).first_message;
        levels_ = std::move(levels);
        return *begin;
    }
    void read(std::size_t i) {
        const BlockHeader& block = day_->block(i);
        expected_ = block.first_message + block.messages;
        if (!may_have(block, locate_)) return;
        const auto frames = day_->read_block(i);
        if (!frames) return lose(i, frames.error());
        IntoLevels into{levels_, locate_, map_->grid.end_ns()};
        if (wire::itch::walk(*frames, into).end == wire::itch::WalkEnd::fault)
            lose(i, fmt::format("a message of the block from message {} on is invalid",
                                block.first_message));
    }
    /// The book is not known from this block on, up to a checkpoint.
    void lose(std::size_t i, std::string why) {
        const BlockHeader& block = day_->block(i);
        // What is missing came after the last message before the block.
        levels_.settle(i == 0 ? block.first_time_ns : day_->block(i - 1).last_time_ns);
        raster_.skip(block.last_time_ns);
        map_->damage.push_back(std::move(why));
        levels_ = Levels{raster_};
        is_known_ = false;
    }

    const Day* day_;
    std::uint16_t locate_;
    Heatmap* map_;
    Raster raster_;
    Levels levels_;
    bool is_known_ = false;
    std::uint64_t expected_ = 1;  ///< the message after those in the book
};

}  // namespace

Heatmap heatmap(const Day& day, std::uint16_t locate, const HeatmapView& view) {
    Heatmap map{.grid = heatmap_columns(view, day.first_time_ns(), day.last_time_ns())};
    std::uint32_t low_e4 = 0;
    std::uint32_t high_e4 = 0;
    if (map.grid.columns > 0 && (!view.low_e4 || !view.high_e4)) {
        Drawing range{day, locate, map};
        range.run();
        low_e4 = range.raster().low_e4();
        high_e4 = range.raster().high_e4();
        map.damage.clear();
    }
    add_heatmap_rows(map.grid, view, low_e4, high_e4);
    Drawing{day, locate, map}.run();
    return map;
}

}  // namespace damrak::archive
