#include <damrak/archive/day_cursor.hpp>

#include <algorithm>
#include <ranges>

#include <damrak/archive/day_json.hpp>
#include <damrak/archive/known_parts.hpp>
#include <damrak/base/assert.hpp>

namespace damrak::archive {

DayCursor::DayCursor(const Day& day, const DayRange& range) : day_(&day), range_(range) {
    const auto& places = day.message_blocks_;
    const auto first = std::ranges::find_if(places, [&](std::size_t place) {
        const BlockHeader& header = day.blocks_[place].header;
        return header.last_time_ns >= range.from_ns &&
               header.first_message + header.messages > range.after + 1;
    });
    // What is missing before that block may be of the range, too.
    if (first == places.begin()) return;
    const BlockHeader& before = day.blocks_[*(first - 1)].header;
    go_to(*(first - 1) + 1, before.first_message + before.messages - 1);
}

DayCursor DayCursor::with_books(const Day& day, const DayRange& range, const TakeBooks& take) {
    DAMRAK_ASSERT(range.locate.has_value());
    DayCursor cursor{day, range};
    std::size_t place = cursor.place_;
    while (place < day.blocks_.size() && day.blocks_[place].header.kind != BlockKind::messages)
        ++place;
    const auto follows = [&](const auto& block) { return block.gap.empty(); };
    if (KnownParts::may_exist(day.depth()) &&
        std::ranges::all_of(day.blocks_ | std::views::take(place), follows)) {
        cursor.go_to(0, 0);
        return cursor;
    }
    for (;;) {
        const auto checkpoint = day.checkpoint_for(*range.locate, place);
        if (!checkpoint) break;
        place = *checkpoint;
        const auto frames = day.read(day.blocks_[place]);
        if (!frames || !cursor.is_before_range(place)) continue;
        cursor.go_to(place + 1, day.blocks_[place].header.first_message - 1);
        if (!take(*frames))
            cursor.invalid_ = cursor.gap(
                day.told(day.blocks_[place].offset, "a message of the checkpoint is invalid"));
        return cursor;
    }
    cursor.go_to(0, 0);
    return cursor;
}

// What is missing before a checkpoint may be of the range: when its last messages came is not known
// then.
bool DayCursor::is_before_range(std::size_t checkpoint) const {
    bool follows = true;
    for (std::size_t i = checkpoint + 1; i-- > 0 && follows;) {
        follows = day_->blocks_[i].gap.empty();
        if (i < checkpoint && day_->blocks_[i].header.kind == BlockKind::messages) return true;
    }
    const auto next = std::ranges::upper_bound(day_->message_blocks_, checkpoint);
    if (follows) return true;
    if (!is_confirmed(checkpoint)) return false;
    return day_->blocks_[checkpoint].header.first_message <= range_.after + 1 ||
           (next != day_->message_blocks_.end() &&
            day_->blocks_[*next].header.first_time_ns < range_.from_ns);
}

// Behind a gap a checkpoint may be of another day; the block after it says that it is of this one.
bool DayCursor::is_confirmed(std::size_t checkpoint) const {
    const std::size_t next = checkpoint + 1;
    return next < day_->blocks_.size() ? day_->blocks_[next].gap.empty()
                                       : day_->complete_ && day_->end_gap_.empty();
}

void DayCursor::go_to(std::size_t place, std::uint64_t last_message) {
    place_ = place;
    is_gap_told_ = false;
    last_message_ = last_message;
    last_time_ns_ = day_->last_time_before(place);
}

bool DayCursor::is_done() const {
    return last_time_ns_ > range_.until_ns || last_message_ >= range_.until;
}

bool DayCursor::is_wanted(std::size_t place) const {
    if (range_.breaks_trades) return day_->blocks_[place].header.marks == k_breaks_trades;
    if (!range_.locate || may_have(day_->blocks_[place].header, *range_.locate)) return true;
    if (!range_.has_last_block) return false;
    const auto& places = day_->message_blocks_;
    const auto next = std::ranges::upper_bound(places, place);
    if (is_done() || next == places.end()) return true;
    const BlockHeader& header = day_->blocks_[*next].header;
    return header.first_time_ns > range_.until_ns || header.first_message > range_.until;
}

Gap DayCursor::gap(std::string text, bool is_unwritten_end) const {
    return {.text = std::move(text),
            .last_message = last_message_,
            .known_until_ns = last_time_ns_,
            .is_unwritten_end = is_unwritten_end};
}

Gap DayCursor::invalid(std::uint64_t message) const {
    return gap(fmt::format("{}: message {} is invalid", day_->path_.string(), message));
}

DayCursor::Step DayCursor::next() {
    if (invalid_) return std::unexpected{*std::exchange(invalid_, std::nullopt)};
    // Within a nanosecond or after a message there may be more, so that the range ends only where
    // something later is known.
    while (!is_done()) {
        if (place_ == day_->blocks_.size()) return end();
        const auto& [offset, header, lost] = day_->blocks_[place_];
        if (!lost.empty() && !std::exchange(is_gap_told_, true)) return std::unexpected{gap(lost)};
        if (header.kind == BlockKind::messages) {
            if (header.first_time_ns > range_.until_ns || header.first_message > range_.until)
                break;
            if (auto step = read(place_); !step || *step) return step;
        } else {
            ++place_;
            is_gap_told_ = false;
        }
    }
    return std::nullopt;
}

/// Nothing if the block is not wanted. Continues behind it in any case.
DayCursor::Step DayCursor::read(std::size_t place) {
    const BlockHeader& header = day_->blocks_[place].header;
    const Gap before = gap({});
    go_to(place + 1, header.first_message + header.messages - 1);
    if (!is_wanted(place)) return std::nullopt;
    auto frames =
        range_.headers_only ? Result<std::vector<std::byte>>{} : day_->read(day_->blocks_[place]);
    if (!frames) {
        Gap lost = before;
        lost.text = std::move(frames.error());
        lost.is_one_block = true;
        return std::unexpected{std::move(lost)};
    }
    return MessageBlock{.first_message = header.first_message,
                        .messages = header.messages,
                        .first_time_ns = header.first_time_ns,
                        .last_time_ns = header.last_time_ns,
                        .frames = *std::move(frames)};
}

DayCursor::Step DayCursor::end() {
    if (day_->is_being_written()) {
        reached_present_end_ = true;
        return std::nullopt;
    }
    if (std::exchange(is_gap_told_, true)) return std::nullopt;
    if (!day_->complete_)
        return std::unexpected{
            gap(fmt::format("{}: the day ends at {}, after message {}: it was not written to its "
                            "end",
                            day_->path_.string(), time_text(last_time_ns_), last_message_),
                true)};
    if (day_->end_gap_.empty()) return std::nullopt;
    return std::unexpected{gap(day_->end_gap_)};
}

std::optional<std::int64_t> DayCursor::skip_to_books(const TakeBooks& take) {
    DAMRAK_ASSERT(range_.locate.has_value());
    for (std::size_t place = place_; place < day_->blocks_.size(); ++place) {
        const BlockHeader& header = day_->blocks_[place].header;
        if (header.kind == BlockKind::messages && header.first_time_ns > range_.until_ns) break;
        if (!is_checkpoint_of(header, *range_.locate) || !is_confirmed(place)) continue;
        const auto frames = day_->read(day_->blocks_[place]);
        if (!frames || !take(*frames)) continue;
        go_to(place + 1, header.first_message - 1);
        const auto next = std::ranges::upper_bound(day_->message_blocks_, place);
        return next == day_->message_blocks_.end() ? day_->last_time_ns()
                                                   : day_->blocks_[*next].header.first_time_ns;
    }
    place_ = day_->blocks_.size();
    is_gap_told_ = true;
    return std::nullopt;
}

Completeness DayCursor::at_end() const {
    if (!reached_present_end_) return {};
    return {
        .known_until_ns = last_time_ns_, .last_message = last_message_, .is_being_written = true};
}

}  // namespace damrak::archive
