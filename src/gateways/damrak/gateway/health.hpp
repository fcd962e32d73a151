// What gateways tell whoever runs the exchange: how much of their finite resources is used, and
// whether they work. Published figures, for any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace damrak::gateway {

/// Usage of a finite resource.
struct Usage {
    std::string_view name;  ///< as in [capacity], or the setting that limits it
    std::uint64_t used = 0;
    std::uint64_t capacity = 0;
    /// Above this, anonymous participants are refused.
    std::uint64_t anonymous = 0;
};

struct Health {
    std::string failure;  ///< why clients cannot trade; empty: they can
    std::string warning;  ///< in a few words; empty: none
};

}  // namespace damrak::gateway
