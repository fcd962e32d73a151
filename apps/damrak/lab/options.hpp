// Options of `damrak lab run` and `damrak lab factor`, and how to run them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include <damrak/lab/results.hpp>

namespace damrak::app {

struct LabOptions {
    std::vector<std::string> experiments;  ///< empty: all
    std::filesystem::path report;          ///< folder; empty: none
    bool quick = false;
    bool json = false;
    bool list = false;
    std::uint64_t seed = 42;
    std::vector<std::string> slow;  ///< VARIANT=PERCENT
    bool without_instructions = false;
};

/// Runs, tells and reports; the exit code.
[[nodiscard]] int run_lab(const LabOptions& options);

[[nodiscard]] nlohmann::ordered_json lab_json(const lab::RunResult& run);

}  // namespace damrak::app
