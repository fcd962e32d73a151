// Reports of `damrak replay DAY --venue`: a column for each venue beside the recording, or JSON.
#pragma once

#include <memory>
#include <span>

#include <nlohmann/json.hpp>

#include <damrak/replay/venue_day.hpp>

#include "replay/options.hpp"
#include "replay/reading.hpp"

namespace damrak::app {

/// A run of the day. They all read the same recording.
struct VenueResult {
    RecordingFormat format{};
    Reading reading{};
    std::unique_ptr<replay::VenueDay> day{};
};

[[nodiscard]] nlohmann::ordered_json to_json(const ReplayOptions& options,
                                             std::span<const VenueResult> results);
void print_tables(const ReplayOptions& options, std::span<const VenueResult> results);

}  // namespace damrak::app
