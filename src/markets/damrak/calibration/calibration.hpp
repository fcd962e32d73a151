// Estimates of the models of order flow from a recorded day, and the market file of them.
//
//   const auto calibration = calibration::calibrate(day, {});
//   const auto file = calibration::market_file_of(*calibration);   // for `damrak sim run`
//
// Reads the day twice; at set-up of studies only.
#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include <damrak/calibration/detail/flow_record.hpp>
#include <damrak/market_runs/recorded_measures.hpp>
#include <damrak/participants/kind.hpp>

namespace damrak::calibration {

/// Which orders of a day count.
struct CalibrationSettings {
    std::int64_t tick = 100;  ///< price units
    std::int64_t ticks = 50;  ///< orders up to this far from the opposite best price
    std::int64_t queues = 3;  ///< of each side, for the queue-reactive model
    market_runs::MeasuredHours hours{};
    std::string model{};  ///< one of them; empty: all
};

/// Of one parameter of a kind of participant, or of one of its numbers.
struct Estimate {
    std::string name;
    double value = 0;
    double standard_error = 0;  ///< zero: at its bound, or known without error
    std::uint64_t count = 0;    ///< events that it rests on
};

/// The parameters of a kind of participant, as a day suggests them.
struct ModelEstimate {
    const participants::Kind* kind = nullptr;
    std::vector<Estimate> estimates;
    participants::ParameterValues parameters;  ///< of the kind, by the estimates
    std::string note;  ///< why no participant can have these parameters; empty: one can
};

struct Calibration {
    std::string symbol;
    std::int64_t tick = 0;
    double seconds = 0;
    std::uint64_t events = 0;
    double first_mid = 0;  ///< price units
    std::uint64_t anomalies = 0;
    std::vector<ModelEstimate> models;
    archive::DayDepth depth{};  ///< what of the book the day shows
    archive::Completeness completeness{};
};

/// Names of the models.
[[nodiscard]] const std::vector<std::string_view>& models();

/// The error is one sentence: what is wrong with the file, or that it has too little to estimate
/// from.
[[nodiscard]] std::expected<Calibration, std::string> calibrate(
    const market_runs::RecordedDay& day, const CalibrationSettings& settings);

// From one record, for tests.
[[nodiscard]] ModelEstimate zero_intelligence_of(const FlowRecord& record);
[[nodiscard]] ModelEstimate cont_stoikov_talreja_of(const FlowRecord& record);
[[nodiscard]] ModelEstimate queue_reactive_of(const FlowRecord& record,
                                              const RecordSettings& settings);
[[nodiscard]] ModelEstimate hawkes_of(const FlowRecord& record);

/// A market with one instrument for each model, made by that model alone.
[[nodiscard]] std::string market_file_of(const Calibration& calibration);

}  // namespace damrak::calibration
