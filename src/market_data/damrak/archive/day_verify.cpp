// Verifies an archived day: reads every block, and rebuilds every checkpoint from the messages
// before it.
#include <algorithm>
#include <utility>

#include <damrak/archive/day.hpp>
#include <damrak/archive/day_cursor.hpp>
#include <damrak/archive/detail/open_state.hpp>
#include <damrak/wire/itch/walk.hpp>

namespace damrak::archive {

namespace {

/// The expected content of the checkpoint block.
std::vector<std::byte> checkpoint_of(const OpenState& state, const BlockHeader& header) {
    std::vector<std::byte> frames;
    for (const std::uint16_t locate : state.locates())
        if (locate >= (header.locates & 0xFFFFU) && locate <= header.locates >> 16U)
            state.append(locate, frames);
    return frames;
}

}  // namespace

Completeness Day::completeness() const {
    Completeness found{.missing = damage_};
    const auto gap_place = static_cast<std::size_t>(
        std::ranges::find_if(blocks_, [](const Place& place) { return !place.gap.empty(); }) -
        blocks_.begin());
    found.known_until_ns = last_time_before(gap_place);
    const bool lacks_more = damage_.size() != tail_lost_;
    // What is behind the last block of messages.
    DayCursor cursor{*this, {.after = messages_, .headers_only = true}};
    auto step = cursor.next();
    while (step && *step) step = cursor.next();
    if (!step) {
        const Gap& gap = step.error();
        if (std::ranges::find(found.missing, gap.text) == found.missing.end())
            found.missing.push_back(gap.text);
        found.lacks_only_the_end = gap.is_unwritten_end && !lacks_more;
    } else if (found.is_complete()) {
        return cursor.at_end();
    }
    return found;
}

Completeness Day::verify(const std::function<void()>& on_block) const {
    Completeness found = completeness();
    const auto lose_from = [&](std::size_t place) {
        const std::int64_t before_ns = last_time_before(place);
        const bool is_first = found.is_complete() || before_ns < found.known_until_ns;
        if (is_first) found.known_until_ns = before_ns;
        found.lacks_only_the_end = false;
    };
    OpenState state;
    std::uint64_t followed = 0;  ///< messages applied to `state`
    for (std::size_t i = 0; i < blocks_.size(); ++i) {
        const Place& place = blocks_[i];
        const BlockHeader& header = place.header;
        const bool is_next = header.first_message == followed + 1;
        auto frames = read(place);
        if (!frames) {
            lose_from(i);
            found.missing.push_back(std::move(frames.error()));
        } else if (header.kind == BlockKind::messages) {
            if (wire::itch::walk(*frames, state).end == wire::itch::WalkEnd::fault) {
                lose_from(i);
                found.missing.push_back(told(place.offset, "a message of the block is invalid"));
            } else if (is_next) {
                followed += header.messages;
            }
        } else if (is_next && !std::ranges::equal(*frames, checkpoint_of(state, header))) {
            lose_from(i);
            found.missing.push_back(
                told(place.offset, "the checkpoint differs from the messages before it"));
        }
        on_block();
    }
    return found;
}

}  // namespace damrak::archive
