// Days of one participant whose parameters are known, for tests of calibration.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include <gtest/gtest.h>

#include <damrak/calibration/calibration.hpp>
#include <damrak/market_runs/market_file.hpp>
#include <damrak/market_runs/recorded_day.hpp>
#include <damrak/market_runs/run.hpp>

#include "support/scratch_folder.hpp"

namespace damrak::calibration {

inline const Estimate& named(const ModelEstimate& model, const std::string& name) {
    static const Estimate none{};
    for (const Estimate& estimate : model.estimates)
        if (estimate.name == name) return estimate;
    ADD_FAILURE() << "no estimate " << name;
    return none;
}

/// A day of one participant, kept.
inline std::filesystem::path kept_day(const testing::ScratchFolder& folder,
                                      const std::string& participant, const std::string& duration,
                                      std::uint64_t seed) {
    const auto file = market_runs::parse_market_file(
        "duration = \"" + duration + "\"\n[[instrument]]\nsymbol = \"AAA\"\n[[participants]]\n" +
            participant,
        "test");
    EXPECT_TRUE(file) << file.error();
    const auto day = folder.path() / "day.dar";
    const auto run = market_runs::run_market(*file, {.seed = seed, .keep = day});
    EXPECT_TRUE(run) << run.error();
    return day;
}

/// And read again.
inline Calibration calibrated(const std::string& participant, const std::string& duration,
                              const CalibrationSettings& settings, std::uint64_t seed = 5) {
    const testing::ScratchFolder folder;
    const auto day = kept_day(folder, participant, duration, seed);
    const auto recorded = market_runs::recorded_day(day);
    EXPECT_TRUE(recorded) << recorded.error();
    auto result = calibrate(*recorded, settings);
    EXPECT_TRUE(result) << result.error();
    EXPECT_EQ(result->anomalies, 0U);
    return *std::move(result);
}

// Books so full that every cancel finds an order.
inline const std::string k_hawkes =
    "kind = \"hawkes\"\nbase_per_s = [0.1, 0.1, 1.5, 1.5, 0.2, 0.2]\n"
    "branching = [0.4,0,0,0,0,0, 0,0.4,0,0,0,0, 0.3,0.2,0.3,0,0,0, 0.2,0.3,0,0.3,0,0,"
    " 0,0.2,0.1,0,0.1,0, 0.2,0,0,0.1,0,0.1]\ndecay_per_s = 2\nmost_open = 5000\n";

}  // namespace damrak::calibration
