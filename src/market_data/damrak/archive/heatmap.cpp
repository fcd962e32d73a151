#include <damrak/archive/heatmap.hpp>

#include <algorithm>
#include <utility>

#include <damrak/archive/broken_trades.hpp>
#include <damrak/archive/day_cursor.hpp>
#include <damrak/archive/detail/heatmap_levels.hpp>
#include <damrak/archive/detail/heatmap_raster.hpp>
#include <damrak/wire/itch/walk.hpp>

namespace damrak::archive {

namespace {

using Raster = HeatmapRaster;
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

/// Reads the window, and continues after a gap at the next checkpoint.
class Drawing {
  public:
    Drawing(const Day& day, std::uint16_t locate, Heatmap& map, Raster& raster)
        : day_(&day),
          locate_(locate),
          broken_(broken_trades(day)),
          map_(&map),
          raster_(raster),
          levels_(raster_, broken_.value) {
        map_->damage = broken_.completeness.missing;
    }

    void run() {
        const std::int64_t begin_ns = map_->grid.begin_ns;
        const std::int64_t end_ns = map_->grid.end_ns();
        if (day_->last_time_ns() < begin_ns) return;
        DayCursor cursor = DayCursor::with_books(
            *day_, {.locate = locate_, .from_ns = begin_ns, .until_ns = end_ns - 1},
            [&](std::span<const std::byte> frames) { return take(frames, begin_ns); });
        for (;;) {
            const auto block = cursor.next();
            if (block && !*block) break;
            if (!block) {
                map_->damage.push_back(block.error().text);
                if (block.error().is_unwritten_end) break;
                if (!go_on_after(cursor, block.error())) return;
                continue;
            }
            IntoLevels into{levels_, locate_, end_ns};
            if (wire::itch::walk((*block)->frames, into).end == wire::itch::WalkEnd::fault)
                map_->damage.push_back(cursor.invalid((*block)->first_message).text);
        }
        levels_.settle(end_ns);
    }

  private:
    /// The book of a checkpoint stands since `time_ns`.
    bool take(std::span<const std::byte> frames, std::int64_t time_ns) {
        Levels levels{raster_, broken_.value};
        FromCheckpoint into{levels, locate_, time_ns};
        if (wire::itch::walk(frames, into).end == wire::itch::WalkEnd::fault) return false;
        levels_ = std::move(levels);
        return true;
    }
    /// The book is not known from the gap on, up to a checkpoint. False: there is none.
    bool go_on_after(DayCursor& cursor, const Gap& gap) {
        levels_.settle(gap.known_until_ns);
        levels_ = Levels{raster_, broken_.value};
        std::vector<std::byte> books;
        const auto known_ns = cursor.skip_to_books([&books](std::span<const std::byte> frames) {
            books.assign(frames.begin(), frames.end());
            return true;
        });
        if (!known_ns) return false;
        raster_.skip(*known_ns);
        return take(books, *known_ns);
    }

    const Day* day_;
    std::uint16_t locate_;
    Answer<order_flow::BrokenTrades> broken_;
    Heatmap* map_;
    Raster& raster_;
    Levels levels_;
};

}  // namespace

Heatmap heatmap(const Day& day, std::uint16_t locate, const HeatmapView& view) {
    return draw_heatmap(
        heatmap_columns(view, day.first_time_ns(), day.last_time_ns()), view,
        [&](Heatmap& map, HeatmapRaster& raster) { Drawing{day, locate, map, raster}.run(); });
}

}  // namespace damrak::archive
