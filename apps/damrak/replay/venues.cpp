#include "replay/venues.hpp"

#include <expected>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <damrak/replay/venue_day.hpp>
#include <damrak/venue/venue_file.hpp>

#include "cli.hpp"
#include "replay/recording.hpp"
#include "replay/venue_report.hpp"

namespace damrak::app {

namespace {

using Venues = std::vector<std::shared_ptr<const venue::Venue>>;

std::expected<Venues, std::string> find_venues(const std::vector<std::string>& names) {
    Venues venues;
    for (const std::string& name : names) {
        auto found = venue::find_venue(name);
        if (!found) return std::unexpected{std::move(found.error())};
        venues.push_back(std::make_shared<const venue::Venue>(*std::move(found)));
    }
    return venues;
}

}  // namespace

int replay_by_venues(const ReplayOptions& options, RecordingFormat format,
                     files::ByteSource source) {
    const auto venues = find_venues(options.venues);
    if (!venues) return fail(venues.error());
    const replay::StatisticsSettings settings{.depth_levels = options.depth};
    std::vector<VenueResult> results;
    std::optional<files::ByteSource> given{std::move(source)};
    for (const auto& venue : *venues) {
        std::expected<files::ByteSource, std::string> opened =
            given ? *std::exchange(given, std::nullopt) : files::ByteSource::open(options.file);
        if (!opened) return fail(opened.error());
        auto recording = open_recording(options, format, *std::move(opened));
        if (!recording) return fail(recording.error());
        const archive::DayDepth depth = recording->depth();
        if (const auto why = archive::why_no_orders(depth); !why.empty())
            return fail(fmt::format("{}: {}: --venue needs orders", options.file.string(), why));
        if (depth.depth > 0)
            return fail(fmt::format(
                "{}: by other rules orders below level {} would count, which are not known: take a "
                "day of all levels, or --trust-messages for the orders of the messages alone",
                options.file.string(), depth.depth));
        VenueResult result{.format = format};
        auto [reading, day] = read_into(options, *std::move(recording), [&] {
            return std::make_unique<replay::VenueDay>(capacity_for(options, format), settings,
                                                      venue, options.seed);
        });
        result.reading = std::move(reading);
        result.day = std::move(day);
        result.day->finish(options.until_ns != ReplayOptions{}.until_ns);
        if (!result.day->refusal().empty()) return fail(result.day->refusal());
        results.push_back(std::move(result));
    }
    if (options.json)
        print_json(to_json(options, results));
    else
        print_tables(options, results);
    const std::string& error = results.front().reading.error;
    return error.empty() ? k_exit_success : fail(error);
}

}  // namespace damrak::app
