// The ways in which a simulated exchange stops, and how often each occurred.
#pragma once

#include <cstdint>
#include <string>

#include <damrak/base/random.hpp>
#include <damrak/journal/writer.hpp>

namespace damrak::simulation {

enum class Stop : std::uint8_t { kill, power, close };

[[nodiscard]] inline std::string told(Stop how) {
    switch (how) {
        case Stop::kill:
            return "the exchange is killed";
        case Stop::power:
            return "the power goes";
        case Stop::close:
            break;
    }
    return "the exchange is closed";
}

/// A sudden stop. A power failure only if reports wait for the disk; otherwise it could lose
/// reported events.
[[nodiscard]] inline Stop sudden_stop(RandomStream& random, journal::Durability durability) {
    const bool keeps_all = durability != journal::Durability::async;
    return keeps_all && random.coin() ? Stop::power : Stop::kill;
}

struct StopTally {
    std::uint64_t kills = 0;
    std::uint64_t power_losses = 0;
    std::uint64_t closes = 0;

    void count(Stop how) {
        (how == Stop::kill ? kills : how == Stop::power ? power_losses : closes) += 1;
    }
    void add(const StopTally& other) {
        kills += other.kills;
        power_losses += other.power_losses;
        closes += other.closes;
    }
};

}  // namespace damrak::simulation
