// The same market file and seed give the same events on every machine, with every compiler and with
// or without fused multiply-add: hashes of the first half minute of each example.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <damrak/market_runs/run.hpp>

namespace damrak::market_runs::golden_hashes_test {
namespace {

constexpr const char* k_hashes = "tests/markets/market_runs/golden_hashes.txt";

std::map<std::string, std::string> known_hashes() {
    std::map<std::string, std::string> hashes;
    std::ifstream file{k_hashes};
    for (std::string name, hash; file >> name >> hash;) hashes[name] = hash;
    return hashes;
}

TEST(GoldenHashes, OfEachExampleAreThoseOfEveryMachine) {
    const auto known = known_hashes();
    std::map<std::string, std::string> made;
    for (const auto& entry : std::filesystem::directory_iterator{"examples/markets"}) {
        if (entry.path().extension() != ".toml") continue;
        auto file = read_market_file(entry.path());
        if (!file || file->groups.empty()) continue;  // participants for a recorded day
        file->duration_ns = std::min(file->duration_ns, 30 * k_second_ns);
        std::erase_if(file->timeline,
                      [&](const TimelineEntry& one) { return one.at_ns > file->duration_ns; });
        const auto run = run_market(*file, {.seed = 1});
        ASSERT_TRUE(run) << run.error();
        EXPECT_TRUE(run->faults.empty()) << entry.path();
        made[entry.path().stem()] = fmt::format("{:016x}", run->hash);
    }
    std::string text;
    for (const auto& [name, hash] : made) text += fmt::format("{} {}\n", name, hash);
    EXPECT_EQ(made, known) << "if markets were meant to change, write this into " << k_hashes
                           << ":\n"
                           << text;
}

}  // namespace
}  // namespace damrak::market_runs::golden_hashes_test
