// A recorded day of limited depth in the market that replays it: how the feed tells its messages
// from others (wire/itch/view_mark.hpp).
#pragma once

#include <cstdint>
#include <limits>

#include <damrak/domain/identifiers.hpp>

namespace damrak::feed {

struct Recording {
    /// The other order, which these have not, of entries and cancels that the view made and not a
    /// participant.
    static constexpr OrderId k_made_by_view{std::numeric_limits<std::uint64_t>::max()};

    ParticipantId participant{};  ///< whose orders are the recorded ones
    bool has_view = false;        ///< the day has limited depth
    std::uint16_t levels = 0;     ///< of each side that are known, if it has
};

}  // namespace damrak::feed
