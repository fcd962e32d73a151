// The names of commands and events, for logs, JSON and the messages of tests: those of the
// enumerators. An invalid byte is "unknown".
#pragma once

#include <string_view>

#include <damrak/domain/command.hpp>
#include <damrak/domain/event.hpp>

namespace damrak {

[[nodiscard]] std::string_view name(CommandKind kind);
[[nodiscard]] std::string_view name(EventKind kind);

}  // namespace damrak
