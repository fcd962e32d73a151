// Commands as text, one a line, for worked examples and bug reports
// (docs/reference/command-script.md):
//
//   09:30:00 new buy quantity=100 price=10.02 tif=ioc
//
// Read as a whole before anything is applied, so a mistake changes nothing. At set-up only.
#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include <damrak/domain/command.hpp>

namespace damrak::script {

struct ScriptStep {
    std::uint32_t line = 0;
    bool shows_book = false;  ///< of command.instrument, instead of a command
    Command command{};        ///< stamped
};

struct ScriptTerms {
    std::string zone = "UTC";  ///< of times of day
};

/// `where` names the text in messages. The error has the line, what is wrong and what is allowed.
[[nodiscard]] std::expected<std::vector<ScriptStep>, std::string> parse_script(
    std::string_view text, std::string_view where, const ScriptTerms& terms);

}  // namespace damrak::script
