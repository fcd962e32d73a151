#include <damrak/gateway/feeds/feed_settings.hpp>

#include <cstdint>

#include <damrak/feed/line_faults.hpp>
#include <damrak/net/address.hpp>

namespace damrak::gateway::feeds {

void add_feed_rows(Rows<Settings>& rows) {
    const auto feed = [](auto member) { return at(k_own<FeedSettings>, member); };
    const auto archive = [](auto member) { return at(k_own<ArchiveSettings>, member); };
    rows.section("feed");
    constexpr std::int64_t k_most_delay_us = 1'000'000;
    rows.number("mold_delay_us", feed(&FeedSettings::mold_delay_us), 0, k_most_delay_us,
                "microseconds that a message of the MoldUDP64 feed waits for others to share its "
                "packet");
    const auto hosts = [](const std::string& text) {
        const auto parsed = net::parse_hosts_and_ports(text);
        return parsed ? std::string{} : parsed.error();
    };
    rows.text("mold_unicast_a", feed(&FeedSettings::mold_unicast_a),
              "unicast receivers of MoldUDP64 line A: HOST:PORT, with commas between them")
        .checked(hosts);
    rows.text("mold_unicast_b", feed(&FeedSettings::mold_unicast_b), "likewise of line B")
        .checked(hosts);
    rows.text("faults", feed(&FeedSettings::faults),
              "faults of the MoldUDP64 lines, to test receivers: line=A,loss=0.01,duplicate=0.01,"
              "reorder=0.01,gap=0.001,delay=5,seed=7 (delay in milliseconds); empty: none")
        .by_flag("--feed-faults")
        .checked([](const std::string& text) {
            const auto faults = feed::LineFaults::parse(text);
            return text.empty() || faults ? std::string{} : faults.error();
        });
    rows.truth("new_session", feed(&FeedSettings::new_session),
               "begin a new feed session of the day, whose messages count from 1")
        .by_flag("--new-feed-session")
        .by_flag_only();
    rows.number("days", feed(&FeedSettings::days), 1, 100'000,
                "trading days whose sessions can be read again, the current one included; "
                "their files stay even if the archive has them");
    rows.section("archive");
    rows.truth("enabled", archive(&ArchiveSettings::enabled),
               "archive each trading day of the ITCH feed in DATA/archive");
    rows.number("days", archive(&ArchiveSettings::days), 0, 100'000,
                "trading days to keep, the current one included; 0: all");
    rows.number("free_mib", archive(&ArchiveSettings::free_mib), 0, k_most_uint32,
                "MiB of disk that stay free: with less, archiving waits");
}

std::optional<Misfit> check_feed(const Settings& settings) {
    const auto& feed = settings.of<FeedSettings>();
    const bool has_unicast = !feed.mold_unicast_a.empty() || !feed.mold_unicast_b.empty();
    if (!has_unicast || settings.port("mold")) return {};
    return Misfit{feed.mold_unicast_a.empty() ? "feed.mold_unicast_b" : "feed.mold_unicast_a",
                  "MoldUDP64 is off: give it a port with gateways.mold"};
}

}  // namespace damrak::gateway::feeds
