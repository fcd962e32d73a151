// The jobs of `damrak sim`. Each returns the exit code.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace damrak::app {

struct SimRunOptions {
    std::filesystem::path file;
    std::optional<std::uint64_t> seed;
    std::uint32_t seeds = 1;
    std::optional<std::uint32_t> jobs;
    std::string duration;
    std::filesystem::path keep;
    bool json = false;
};

int run_sim(const SimRunOptions& options);
int check_market_file(const std::filesystem::path& file);
int list_kinds(bool json);
int explain_market(const std::string& what);

}  // namespace damrak::app
