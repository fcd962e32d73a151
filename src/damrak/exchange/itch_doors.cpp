#include <damrak/exchange/itch_doors.hpp>

#include <memory>
#include <utility>

#include <damrak/exchange/notices.hpp>
#include <damrak/feed_gateway/feed_server.hpp>

namespace damrak::exchange {

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
    return itch;
}

}  // namespace

journal::Result<OpenFeed> open_itch(const Settings& settings) {
    auto itch = itch_settings(settings);
    if (!itch) return std::unexpected{std::move(itch.error())};
    const auto faults = settings.feed_faults.empty()
                            ? std::expected<feed::LineFaults, std::string>{}
                            : feed::LineFaults::parse(settings.feed_faults);
    if (!faults) return std::unexpected{"feed.faults: " + faults.error()};
    const auto say = [notices = settings.on_notice](const std::string& what) {
        Notices{notices}.say("note         feed: {}", what);
    };
    if (faults->any())
        Notices{settings.on_notice}.say("warning      the feed has faults on purpose: {}",
                                        settings.feed_faults);
    auto feed = feed::ItchFeed::open(
        {.folder = settings.data / "feed", .itch = *std::move(itch), .on_notice = say},
        settings.capacity);
    if (!feed) return std::unexpected{std::move(feed.error())};
    auto server = gateway::FeedServer::start({.address = settings.numeric_address,
                                              .itch = settings.port("itch"),
                                              .glimpse = settings.port("glimpse"),
                                              .mold = settings.port("mold"),
                                              .retransmit = settings.port("retransmit"),
                                              .mold_delay_ns = settings.mold_delay_us * 1'000,
                                              .faults = *faults},
                                             **feed);
    if (!server) return std::unexpected{std::move(server.error())};
    (*feed)->on_change([raw = server->get()] { raw->wake(); });
    auto ports = (*server)->ports();
    return OpenFeed{.feed = *std::move(feed),
                    .ports = std::move(ports),
                    .server = std::shared_ptr<gateway::FeedServer>{*std::move(server)}};
}

}  // namespace damrak::exchange
