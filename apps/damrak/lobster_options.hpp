// Options of all commands that read LOBSTER days.
#pragma once

#include <filesystem>
#include <optional>

#include <CLI/CLI.hpp>

namespace damrak::app {

/// `--trust-messages`: a message file may stand alone.
inline CLI::Option* add_trust_messages(CLI::App& command, bool& is_set) {
    return command.add_flag(
        "--trust-messages", is_set,
        "without an order book file: rebuild the book from the LOBSTER messages alone; orders "
        "and levels are missing");
}

/// `--book` and `--trust-messages`.
template <class Path>
void add_lobster_book(CLI::App& command, Path& book, bool& trust_messages) {
    command.add_option("--book", book,
                       "LOBSTER order book file; default: that of the same name beside the "
                       "message file");
    add_trust_messages(command, trust_messages);
}

}  // namespace damrak::app
