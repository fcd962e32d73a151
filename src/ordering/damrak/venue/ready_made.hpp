// The venues that ship with the program: the files of examples/venues, as bytes.
#pragma once

#include <span>
#include <string_view>

namespace damrak::venue {

struct ReadyMade {
    std::string_view name;
    std::string_view text;  ///< the venue file
};

[[nodiscard]] std::span<const ReadyMade> ready_made();
/// Null: there is none of this name.
[[nodiscard]] const ReadyMade* find_ready_made(std::string_view name);

}  // namespace damrak::venue
