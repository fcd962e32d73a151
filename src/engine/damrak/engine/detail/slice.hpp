// The result of an engine call: see engine.hpp.
#pragma once

#include <cstdint>
#include <span>

#include <damrak/domain/event.hpp>

namespace damrak {

/// Some of the events of a command, in order. Valid until the next call of the engine.
struct Slice {
    const Event* first = nullptr;
    std::uint32_t count = 0;
    bool more = false;  ///< resume() returns more events of the same command

    [[nodiscard]] std::span<const Event> events() const { return {first, count}; }
    [[nodiscard]] const Event* begin() const { return first; }
    [[nodiscard]] const Event* end() const { return first + count; }
};

}  // namespace damrak
