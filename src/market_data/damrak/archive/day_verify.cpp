// Verifies an archived day: reads every block, and rebuilds every checkpoint from the messages
// before it.
#include <algorithm>
#include <utility>

#include <damrak/archive/day.hpp>
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

std::vector<std::string> Day::verify(const std::function<void()>& on_block) const {
    std::vector<std::string> found = damage_;
    OpenState state;
    std::uint64_t followed = 0;  ///< messages applied to `state`
    for (const Place& place : blocks_) {
        const BlockHeader& header = place.header;
        const bool is_next = header.first_message == followed + 1;
        auto frames = read(place);
        if (!frames) {
            found.push_back(std::move(frames.error()));
        } else if (header.kind == BlockKind::messages) {
            if (wire::itch::walk(*frames, state).end == wire::itch::WalkEnd::fault)
                found.push_back(told(place.offset, "a message of the block is invalid"));
            else if (is_next)
                followed += header.messages;
        } else if (is_next && !std::ranges::equal(*frames, checkpoint_of(state, header))) {
            found.push_back(
                told(place.offset, "the checkpoint differs from the messages before it"));
        }
        on_block();
    }
    return found;
}

}  // namespace damrak::archive
