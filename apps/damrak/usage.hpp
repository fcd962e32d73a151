// Error messages for a wrong command line, with suggestions for unknown commands and options. Used
// only by program.cpp, after CLI11 rejected the line.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
}

namespace damrak::app {

/// The command that the first words name, as far as they name one.
struct Chosen {
    const CLI::App* command;
    std::string path;    ///< without the program: "fix print"
    std::string prefix;  ///< with all before its own name, as CLI11 wants it for help
    std::size_t used = 0;
};
[[nodiscard]] Chosen chosen_in(const CLI::App& program, const std::vector<std::string>& words);

[[nodiscard]] std::string unknown_command(const Chosen& chosen, std::string_view word);

/// `refusal` is what CLI11 says; it stands where nothing better can be said.
[[nodiscard]] std::string explain(const Chosen& chosen, const std::vector<std::string>& words,
                                  std::string_view refusal);

}  // namespace damrak::app
