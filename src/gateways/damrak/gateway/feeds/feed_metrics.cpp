#include <damrak/gateway/feeds/feed_metrics.hpp>

#include <cstdint>
#include <string_view>

#include <fmt/format.h>

#include <damrak/archive/archiver.hpp>
#include <damrak/archive/event_log.hpp>
#include <damrak/feed/feed_session.hpp>
#include <damrak/gateway/feeds/feed_server.hpp>

namespace damrak::gateway::feeds {

namespace {

void put(std::string& text, std::string_view name, std::string_view help, std::uint64_t value,
         std::string_view type = "gauge") {
    text += fmt::format("# HELP damrak_{0} {1}\n# TYPE damrak_{0} {3}\ndamrak_{0} {2}\n", name,
                        help, value, type);
}

void put_subscribers(std::string& text, const FeedStatus& status) {
    put(text, "feed_subscribers", "Subscribers of the ITCH feed over TCP.", status.subscribers);
    put(text, "feed_slow_subscribers",
        "Subscribers for which a thousand messages or more are waiting.", status.slow.size());
    put(text, "feed_most_behind", "Messages that wait for the slowest of these.",
        status.most_behind());
    const auto& asked = status.retransmission;
    put(text, "feed_retransmission_requests_total", "Requests for messages of MoldUDP64.",
        asked.answered + asked.unavailable + asked.limited, "counter");
    put(text, "feed_retransmission_refused_total",
        "Of these, for messages that there are not, or above the rate limit.",
        asked.unavailable + asked.limited, "counter");
    put(text, "feed_retransmitted_messages_total", "Messages that were sent again.", asked.messages,
        "counter");
}

}  // namespace

std::string feed_metrics(const OpenFeed& feed) {
    std::string text;
    if (const auto session = feed.session ? feed.session() : nullptr)
        put(text, "feed_messages", "Messages of the ITCH feed session.", session->messages());
    if (feed.is_failing)
        put(text, "feed_failing", "Whether the ITCH feed stands still: its file cannot be used.",
            feed.is_failing() ? 1 : 0);
    if (feed.subscribers != nullptr) {
        put_subscribers(text, feed.subscribers->status());
        text += feed.subscribers->ended().metrics("feed");
    }
    const archive::Archiver* const archiver = feed.archiver.get();
    if (archiver == nullptr) return text;
    const archive::ArchiverState state = archiver->state();
    put(text, "archive_messages", "Messages of the feed session in the archive.", state.messages);
    put(text, "archive_waiting", "Messages of the feed session not in the archive yet.",
        state.waiting);
    put(text, "archive_waits_for_space", "Whether archiving waits for disk space.",
        state.waits_for_space ? 1 : 0);
    put(text, "archive_failing", "Whether archiving failed and is tried again.",
        state.is_failing ? 1 : 0);
    if (const auto* const log = feed.event_log.get()) {
        put(text, "archive_missing_records",
            "Records since the start whose events are not in the archive.", log->missing_records());
        put(text, "archive_leaves_out", "Whether events are left out of the archive at present.",
            log->leaves_out() ? 1 : 0);
    }
    return text;
}

std::string feed_warning(const OpenFeed& feed) {
    if (feed.is_failing && feed.is_failing())
        return "the ITCH feed has stopped: its file cannot be opened or written";
    const archive::Archiver* const archiver = feed.archiver.get();
    if (archiver == nullptr) return {};
    const archive::ArchiverState state = archiver->state();
    const archive::EventLog* const log = feed.event_log.get();
    if (log != nullptr && log->leaves_out())
        return "events are left out of the archive, and the journal may be removed: the disk is "
               "full or cannot be written";
    if (state.waits_for_space) return "archiving waits for disk space";
    if (state.is_failing) return "archiving fails and is tried again";
    if (const std::uint64_t missing = log == nullptr ? 0 : log->missing_records(); missing > 0)
        return fmt::format(
            "the events of {} records are not in the archive: damrak archive verify says which",
            missing);
    return {};
}

}  // namespace damrak::gateway::feeds
