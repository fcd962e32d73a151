// Commands to their last slice: see engine.hpp, which includes this.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <damrak/engine/engine.hpp>

namespace damrak {

template <class F>
void Engine::apply(const Command& command, F&& f) {
    for (Slice slice = apply(command);; slice = resume()) {
        for (const Event& event : slice) f(event);
        if (!slice.more) return;
    }
}

template <class F>
void Engine::apply_queued(std::span<const Command> commands, F&& f) {
    for (std::size_t i = 0; i < commands.size();) {
        const std::size_t count = apply_run(commands, i);
        const bool more = work_ != Work::none;
        const Event* first = events_.data();
        for (std::size_t j = 0; j < count; ++j, ++i) {
            const Event* const end = event_ends_[j];
            f(i, Slice{first, static_cast<std::uint32_t>(end - first), more && j + 1 == count});
            first = end;
        }
        for (bool goes_on = more; goes_on;) {
            const Slice slice = resume();
            goes_on = slice.more;
            f(i - 1, slice);
        }
    }
}

}  // namespace damrak
