// Commands and events as one line of text, for messages of tests and tools. Fields that are zero
// are left out. Not for any hot path.
#pragma once

#include <string>
#include <vector>

#include <damrak/domain/command.hpp>
#include <damrak/domain/event.hpp>

namespace damrak {

[[nodiscard]] std::string describe(const Command& command);
[[nodiscard]] std::string describe(const Event& event);
/// One line per event.
[[nodiscard]] std::string describe(const std::vector<Event>& events);

}  // namespace damrak
