#include <damrak/gateway/feeds/itch_gateways.hpp>

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <utility>

#include <damrak/archive/archiver.hpp>
#include <damrak/archive/event_log.hpp>
#include <damrak/feed/feed_session.hpp>
#include <damrak/feed/itch/itch_feed.hpp>
#include <damrak/gateway/feeds/feed_server.hpp>
#include <damrak/gateway/feeds/feed_settings.hpp>
#include <damrak/gateway/notices.hpp>
#include <damrak/journal/folder.hpp>
#include <damrak/net/address.hpp>
#include <damrak/recorded_market/replayed_day.hpp>
#include <damrak/venue/market_hours.hpp>

namespace damrak::gateway::feeds {

namespace {

journal::Result<feed::ItchSettings> itch_settings(const Settings& settings) {
    feed::ItchSettings itch;
    if (settings.day.zone != "UTC") {
        auto zone = TimeZone::find(settings.day.zone);
        if (!zone) return std::unexpected{"day.zone: " + zone.error()};
        itch.zone = *std::move(zone);
    }
    for (const ParticipantSettings& one : settings.participants)
        if (const auto name = wire::itch::Mpid::from(one.mpid); name && !one.mpid.empty())
            itch.attributed.emplace(one.id, *name);
    if (settings.replayed) itch.recording = settings.replayed->recording();
    itch.indicatives_on_clock = settings.venue && settings.venue->indicative_every_ns != 0;
    if (settings.venue && venue::MarketHours::exist(*settings.venue)) {
        auto timetable = venue::Timetable::make(*settings.venue, 0);
        if (!timetable) return std::unexpected{"run.venue: " + timetable.error()};
        itch.hours = std::make_shared<venue::MarketHours>(*std::move(timetable));
    }
    return itch;
}

constexpr unsigned k_mib_bits = 20;

std::function<void(const std::string&)> archive_notice(const Settings& settings) {
    return [notices = settings.on_notice](const std::string& what) {
        Notices{notices}.say("note         archive: {}", what);
    };
}

journal::Result<std::shared_ptr<archive::Archiver>> archiver_of(const feed::ItchFeed& feed,
                                                                const Settings& settings) {
    const auto& kept = settings.of<ArchiveSettings>();
    if (!kept.enabled) return nullptr;
    return archive::Archiver::start({.sessions = settings.feed_folder(),
                                     .folder = settings.archive_folder(),
                                     .keep_days = kept.days,
                                     .keep_sessions = settings.of<FeedSettings>().days,
                                     .free_bytes = std::uint64_t{kept.free_mib} << k_mib_bits,
                                     .on_notice = archive_notice(settings)},
                                    [&feed] { return feed.session(); });
}

std::optional<archive::EventLog::JournalInstance> instance_of(
    const std::filesystem::path& directory) {
    const auto contents = journal::look_into(journal::real_files(), directory);
    if (!contents || contents->segments.empty()) return std::nullopt;
    return contents->segments.back().header.identity.instance;
}

journal::Result<std::shared_ptr<archive::EventLog>> event_log_of(const Settings& settings) {
    const auto& kept = settings.of<ArchiveSettings>();
    if (!kept.enabled) return nullptr;
    return archive::EventLog::open(
        {.folder = settings.archive_folder(),
         .journal = [directory = settings.data] { return instance_of(directory); },
         .session = feed::FeedSession::last_in(settings.feed_folder()),
         .free_bytes = std::uint64_t{kept.free_mib} << k_mib_bits,
         .on_notice = archive_notice(settings)});
}

}  // namespace

journal::Result<OpenFeed> open_itch(const Settings& settings) {
    auto itch = itch_settings(settings);
    if (!itch) return std::unexpected{std::move(itch.error())};
    const auto& wanted = settings.of<FeedSettings>();
    const auto faults = wanted.faults.empty() ? std::expected<feed::LineFaults, std::string>{}
                                              : feed::LineFaults::parse(wanted.faults);
    if (!faults) return std::unexpected{"feed.faults: " + faults.error()};
    const auto a = net::parse_hosts_and_ports(wanted.mold_unicast_a);
    if (!a) return std::unexpected{"feed.mold_unicast_a: " + a.error()};
    const auto b = net::parse_hosts_and_ports(wanted.mold_unicast_b);
    if (!b) return std::unexpected{"feed.mold_unicast_b: " + b.error()};
    const auto say = [notices = settings.on_notice](const std::string& what) {
        Notices{notices}.say("note         feed: {}", what);
    };
    if (faults->any())
        Notices{settings.on_notice}.say("warning      the feed has faults on purpose: {}",
                                        wanted.faults);
    auto feed = feed::ItchFeed::open(
        {.folder = settings.feed_folder(), .itch = *std::move(itch), .on_notice = say},
        settings.capacity);
    if (!feed) return std::unexpected{std::move(feed.error())};
    auto server = FeedServer::start(
        {.address = settings.numeric_address,
         .maximum_itch = settings.connections_of("itch", FeedServerConfig::k_subscribers),
         .maximum_glimpse = settings.connections_of("glimpse", FeedServerConfig::k_subscribers),
         .itch = settings.port("itch"),
         .glimpse = settings.port("glimpse"),
         .mold = settings.port("mold"),
         .retransmit = settings.port("retransmit"),
         .mold_delay_ns = wanted.mold_delay_us * 1'000,
         .mold_unicast = {*a, *b},
         .faults = *faults,
         .on_notice = say},
        **feed);
    if (!server) return std::unexpected{std::move(server.error())};
    (*feed)->on_change([raw = server->get()] { raw->wake(); });
    auto archiver = archiver_of(**feed, settings);
    if (!archiver) return std::unexpected{std::move(archiver.error())};
    auto event_log = event_log_of(settings);
    if (!event_log) return std::unexpected{std::move(event_log.error())};
    auto ports = (*server)->ports();
    const feed::ItchFeed* const raw_feed = feed->get();
    const FeedServer* const raw_server = server->get();
    return OpenFeed{.feed = *std::move(feed),
                    .ports = std::move(ports),
                    .server = std::shared_ptr<FeedServer>{*std::move(server)},
                    .session = [raw_feed] { return raw_feed->session(); },
                    .check_session =
                        [folder = settings.feed_folder()](const TradingDay& day) {
                            return feed::FeedSession::check(
                                folder, {.date = day.date, .number = day.feed_session});
                        },
                    .is_failing = [raw_feed] { return raw_feed->is_failing(); },
                    .subscribers = raw_server,
                    .archiver = *std::move(archiver),
                    .event_log = *std::move(event_log)};
}

}  // namespace damrak::gateway::feeds
