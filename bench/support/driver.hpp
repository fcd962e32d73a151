// Shared by all benchmark programs: the options --json and --save, exit codes, output of figures,
// and the median of several runs. Called by main() and table printing; none of it is timed.
#pragma once

#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <nlohmann/json_fwd.hpp>

namespace damrak::bench {

/// Output of figures: a table or one JSON object on the terminal, and the object in a file.
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

/// Requires at least one value. Of an even number of values, the mean of the middle two.
[[nodiscard]] double median(std::vector<double> values);

}  // namespace damrak::bench
