#include <damrak/exchange/feed_metrics.hpp>

#include <cstdint>
#include <string_view>

#include <fmt/format.h>

#include <damrak/archive/archiver.hpp>
#include <damrak/archive/event_log.hpp>
#include <damrak/feed/feed_session.hpp>

namespace damrak::exchange {

namespace {

void put(std::string& text, std::string_view name, std::string_view help, std::uint64_t value) {
    text += fmt::format("# HELP damrak_{0} {1}\n# TYPE damrak_{0} gauge\ndamrak_{0} {2}\n", name,
                        help, value);
}

}  // namespace

std::string feed_metrics(const Exchange& exchange) {
    std::string text;
    if (const auto session = exchange.feed_session())
        put(text, "feed_messages", "Messages of the ITCH feed session.", session->messages());
    const archive::Archiver* const archiver = exchange.archiver();
    if (archiver == nullptr) return text;
    const archive::ArchiverState state = archiver->state();
    put(text, "archive_messages", "Messages of the feed session in the archive.", state.messages);
    put(text, "archive_waiting", "Messages of the feed session not in the archive yet.",
        state.waiting);
    put(text, "archive_waits_for_space", "Whether archiving waits for disk space.",
        state.waits_for_space ? 1 : 0);
    put(text, "archive_failing", "Whether archiving failed and is tried again.",
        state.is_failing ? 1 : 0);
    if (const auto* const log = exchange.event_log()) {
        put(text, "archive_missing_records",
            "Records since the start whose events are not in the archive.", log->missing_records());
        put(text, "archive_leaves_out", "Whether events are left out of the archive at present.",
            log->leaves_out() ? 1 : 0);
    }
    return text;
}

std::string feed_warning(const Exchange& exchange) {
    const archive::Archiver* const archiver = exchange.archiver();
    if (archiver == nullptr) return {};
    const archive::ArchiverState state = archiver->state();
    const archive::EventLog* const log = exchange.event_log();
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

}  // namespace damrak::exchange
