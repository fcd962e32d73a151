// The settings of the order-by-order feed and its archive: plain values, in the bag of the
// exchange's settings, and their rows. At start or reload.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <damrak/gateway/setting.hpp>
#include <damrak/gateway/settings.hpp>

namespace damrak::gateway::feeds {

struct FeedSettings {
    std::int64_t mold_delay_us = 0;  ///< a feed message waits to share a packet
    // Unicast receivers of MoldUDP64: host:port, separated by commas.
    std::string mold_unicast_a;
    std::string mold_unicast_b;
    std::string faults;        ///< see feed/line_faults.hpp; empty: none
    bool new_session = false;  ///< for this start only
    std::uint32_t days = 3;  ///< trading days whose sessions can be read, the current one included
};

/// Of the order-by-order feed, and of the events with their owners.
struct ArchiveSettings {
    bool enabled = true;
    std::uint32_t days = 0;          ///< trading days to keep; zero: all
    std::uint32_t free_mib = 1'024;  ///< disk space to leave free
};

void add_feed_rows(Rows<Settings>& rows);
[[nodiscard]] std::optional<Misfit> check_feed(const Settings& settings);

}  // namespace damrak::gateway::feeds
