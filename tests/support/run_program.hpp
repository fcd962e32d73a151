// Runs the built program as a user would and captures its output. For system tests; CTest sets the
// environment variable DAMRAK_PROGRAM to the program's path.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace damrak::testing {

struct ProgramRun {
    int exit_code{};  // 128 plus the signal's number for a process killed by one
    std::string out;
    std::string err;
};

/// `input` is its standard input.
[[nodiscard]] ProgramRun run_program(const std::vector<std::string>& arguments,
                                     const std::string& input = {});

/// The same for a program of tests/peers/, a third-party client or server; empty if it was not
/// built because its library is missing.
[[nodiscard]] std::optional<ProgramRun> run_peer(const std::string& name,
                                                 const std::vector<std::string>& arguments,
                                                 const std::string& input = {});

/// Runs a script of /bin/sh, for pipes and signals between programs; `$DAMRAK_PROGRAM` is the
/// program, `eventually 'COMMAND'` waits until the command succeeds, and `timeout $patience` is
/// for what must end.
[[nodiscard]] ProgramRun run_shell(const std::string& script);

/// The same for a benchmark.
[[nodiscard]] ProgramRun run_bench(const std::string& name,
                                   const std::vector<std::string>& arguments);

/// Number of lines of an error message; users are promised one.
[[nodiscard]] std::size_t lines_in(const std::string& text);

}  // namespace damrak::testing
