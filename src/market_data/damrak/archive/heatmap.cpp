#include <damrak/archive/heatmap.hpp>

#include <algorithm>
#include <utility>

#include <fmt/format.h>

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

/// Reads the blocks of the window, and goes on after damage at the next checkpoint.
class Drawing {
  public:
    Drawing(const Day& day, std::uint16_t locate, Heatmap& map, Raster& raster)
        : day_(&day), locate_(locate), map_(&map), raster_(raster), levels_(raster_) {}

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
    Raster& raster_;
    Levels levels_;
    bool is_known_ = false;
    std::uint64_t expected_ = 1;  ///< the message after those in the book
};

}  // namespace

Heatmap heatmap(const Day& day, std::uint16_t locate, const HeatmapView& view) {
    return draw_heatmap(
        heatmap_columns(view, day.first_time_ns(), day.last_time_ns()), view,
        [&](Heatmap& map, HeatmapRaster& raster) { Drawing{day, locate, map, raster}.run(); });
}

}  // namespace damrak::archive
