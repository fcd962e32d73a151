// Results of `damrak lab ingest` as a document for people and as JSON.
#pragma once

#include <cstdint>
#include <expected>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include <damrak/lab/document.hpp>
#include <damrak/lab/ingest/study.hpp>

namespace damrak::app {

/// The latency of a trade, a mean and a median for each round.
struct RoundLatencies {
    std::vector<double> means;
    std::vector<double> medians;

    void add(const Histogram& ns) {
        means.push_back(ns.mean());
        medians.push_back(static_cast<double>(ns.percentile(50)));
    }
};

/// Results of a step over all rounds.
struct IngestStep {
    const lab::ingest::Step* step = nullptr;
    lab::ingest::Load bursts{};
    lab::ingest::Load paced{};
    lab::ingest::Load flood{};
    RoundLatencies from_earlier{};  ///< of the bursts
    RoundLatencies from_later{};
    std::vector<double> slices{};  ///< of the flood, orders a second
    std::vector<double> trade_slices{};
    std::vector<double> recorded_slices{};  ///< the engine's side alone
    Histogram round_trip_ns{};
    std::uint64_t fill_empty = 0;
    std::uint64_t kernel_drops = 0;
    std::string path{};

    void add(lab::ingest::Run&& run);
};

struct IngestReport {
    const lab::ingest::Options& options;
    std::uint32_t rounds;
    std::span<const IngestStep> steps;
};

[[nodiscard]] nlohmann::ordered_json to_json(const IngestReport& report);
[[nodiscard]] lab::Document document_of(const IngestReport& report);
[[nodiscard]] std::expected<void, std::string> write_ingest_report(
    const std::filesystem::path& folder, const IngestReport& report);

}  // namespace damrak::app
