// Shared by the subcommands of the program: registration, exit codes and error reporting. Used by
// apps/damrak only, on the main thread.
#pragma once

#include <functional>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include <damrak/base/number_text.hpp>

namespace CLI {
class App;
}

namespace damrak::app {

inline constexpr int k_exit_success = 0;
inline constexpr int k_exit_failure = 1;
inline constexpr int k_exit_usage = 2;

/// The line of `damrak --help` for a subcommand that is a program of its own.
inline constexpr const char* k_lab_description = "Runs experiments on the cost of design choices";

/// Work to do once the command line is valid; returns the exit code.
using Job = std::function<int()>;

// Each adds its subcommand to `program`; the subcommand puts its work into `job` when it is chosen.
// `job` must outlive the parsing.
void add_serve(CLI::App& program, Job& job);
void add_generate(CLI::App& program, Job& job);
void add_replay(CLI::App& program, Job& job);
void add_convert(CLI::App& program, Job& job);
void add_archive(CLI::App& program, Job& job);
void add_book(CLI::App& program, Job& job);
void add_journal(CLI::App& program, Job& job);
void add_fix(CLI::App& program, Job& job);
void add_load(CLI::App& program, Job& job);
void add_term(CLI::App& program, Job& job);
void add_report(CLI::App& program, Job& job);
void add_instruments(CLI::App& program, Job& job);
void add_sim(CLI::App& program, Job& job);
void add_venue(CLI::App& program, Job& job);
void add_lab(CLI::App& program, Job& job);

/// Prints one line on stderr and returns k_exit_failure. Line breaks within the message become
/// spaces.
int fail(std::string_view message);
/// Prints one line on stderr that refers to the help of `subcommand`; returns k_exit_usage.
int fail_usage(std::string_view message, std::string_view subcommand);

/// The one object of --json on stdout, whatever bytes are in its names.
void print_json(const nlohmann::ordered_json& object);

}  // namespace damrak::app
