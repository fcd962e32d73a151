// An option of the command line whose value is one of a few words, each of which stands for a value
// of an enumeration. Used by the options of apps/damrak.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

namespace damrak::app {

/// Adds `flag` to `command`: one of `words`, which stand in the order of E and live as long as the
/// program; others are refused with the list. `set` is called with the value that was chosen, and
/// not at all without the flag; the help shows `usual` as the default.
template <class E, std::size_t size, class Set>
void add_word_option(CLI::App& command, const std::string& flag, E usual,
                     const std::array<std::string_view, size>& words, Set set,
                     const std::string& description) {
    command
        .add_option_function<std::string>(
            flag,
            [&words, set = std::move(set)](const std::string& word) {
                set(static_cast<E>(std::ranges::find(words, word) - words.begin()));
            },
            description)
        ->default_str(std::string{words[static_cast<std::size_t>(usual)]})
        ->check(CLI::IsMember(std::vector<std::string>{words.begin(), words.end()}));
}

}  // namespace damrak::app
