// What all benchmark programs have in common: the options --json and --save, how they end, where
// their figures go, and the median of several runs. Called by main() and what prints a table; none
// of it is timed.
#pragma once

#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <nlohmann/json_fwd.hpp>

namespace damrak::bench {

/// Where figures go: to the terminal, as a table or as one JSON object, and the object to a file.
struct Output {
    bool json = false;
    std::string save_path;

    void add_to(CLI::App& app);
    /// Prints the object if that is asked for, and keeps it in the file if there is one. The exit
    /// status: 1, with a line on stderr, when the file cannot be written.
    [[nodiscard]] int deliver(const nlohmann::ordered_json& out) const;
};

/// Ends main(): 0 for --help, 2 for wrong usage, what `run` returns otherwise.
template <class Run>
[[nodiscard]] int run_driver(CLI::App& app, int argc, char** argv, Run run) {
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? 0 : 2;
    }
    return run();
}

/// Of any number of values but none; between the two in the middle if their number is even.
[[nodiscard]] double median(std::vector<double> values);

}  // namespace damrak::bench
