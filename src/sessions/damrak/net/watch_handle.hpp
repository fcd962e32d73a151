// Identifies the subject of a network event. Plain value; fits the word that epoll stores with a
// descriptor.
#pragma once

#include <cstdint>

namespace damrak::net {

struct WatchHandle {
    enum class Kind : std::uint32_t {  // NOLINT(performance-enum-size): leaves no padding
        listener,                      ///< a connection waits to be accepted
        connection,                    ///< `number` is its number at the owner
        other,  ///< a descriptor owned elsewhere; `number` is its number at the owner
    };
    Kind kind = Kind::listener;
    std::uint32_t number = 0;

    friend constexpr bool operator==(const WatchHandle&, const WatchHandle&) = default;
};

}  // namespace damrak::net
