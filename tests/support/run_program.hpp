// Runs the built program as a user would and keeps what it printed. For the system tests; the
// program's path comes in the environment variable DAMRAK_PROGRAM, which CTest sets.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace damrak::testing {

struct ProgramRun {
    int exit_code{};  // 128 and the signal's number for a process that was killed by one
    std::string out;
    std::string err;
};

/// `input` is what it reads from its standard input.
[[nodiscard]] ProgramRun run_program(const std::vector<std::string>& arguments,
                                     const std::string& input = {});

/// The same for a program of tests/peers/, which is another make's client or server; nothing if it
/// was not built, for want of that make's library.
[[nodiscard]] std::optional<ProgramRun> run_peer(const std::string& name,
                                                 const std::vector<std::string>& arguments,
                                                 const std::string& input = {});

/// A script of /bin/sh, for pipes and signals between programs; `$DAMRAK_PROGRAM` is the program.
[[nodiscard]] ProgramRun run_shell(const std::string& script);

/// The same for a benchmark.
[[nodiscard]] ProgramRun run_bench(const std::string& name,
                                   const std::vector<std::string>& arguments);

/// Number of lines of an error message; users are promised one.
[[nodiscard]] std::size_t lines_in(const std::string& text);

}  // namespace damrak::testing
