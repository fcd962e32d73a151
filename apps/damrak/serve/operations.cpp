#include "serve/operations.hpp"

#include <filesystem>
#include <fstream>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include <damrak/archive/archiver.hpp>
#include <damrak/base/version.hpp>
#include <damrak/exchange/system_time.hpp>
#include <damrak/feed/feed_session.hpp>
#include <damrak/gateway/feeds/feed_metrics.hpp>
#include <damrak/gateway/feeds/feed_server.hpp>
#include <damrak/journal/snapshot.hpp>

namespace damrak::app {

namespace {

using Json = nlohmann::ordered_json;

Json json_of(const exchange::Usages& usages) {
    Json capacity;
    for (const gateway::Usage& one : usages)
        capacity[std::string{one.name}] = {{"used", one.used}, {"capacity", one.capacity}};
    return capacity;
}

Json levels_of(const exchange::Usages& usages) {
    Json levels;
    for (const gateway::Usage& one : usages)
        levels[std::string{one.name}] = exchange::level_of(one);
    return levels;
}

/// Without the braces, which are those of the message.
std::string members_of(const Json& json) {
    std::string text = json.dump(-1, ' ', false, Json::error_handler_t::replace);
    text.front() = ',';
    text.pop_back();
    return text;
}

Json latency_of(const telemetry::Collector& collector) {
    constexpr std::size_t k_p50 = 2;
    constexpr std::size_t k_p99 = 6;
    using Row = telemetry::TimingRow;
    static_assert(Row::k_percents[k_p50] == 50 && Row::k_percents[k_p99] == 99);
    Json rows = Json::array();
    for (const Row& row : collector.timing_rows())
        rows.push_back({{"request", row.request},
                        {"stage", row.span},
                        {"count", row.count},
                        {"p50_ns", row.percentiles_ns[k_p50]},
                        {"p99_ns", row.percentiles_ns[k_p99]},
                        {"max_ns", row.max_ns}});
    return rows;
}

/// Resident memory of this process; zero if the system does not tell.
std::uint64_t memory_bytes() {
    std::ifstream file{"/proc/self/statm"};
    std::uint64_t size = 0;
    std::uint64_t resident = 0;
    file >> size >> resident;
    return resident * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

/// The record of the newest snapshot; zero if there is none.
std::uint64_t newest_snapshot(const std::filesystem::path& data) {
    const auto files = journal::list_snapshots(journal::real_files(), data);
    return files && !files->empty() ? files->front().sequence : 0;
}

gateway::feeds::FeedStatus status_of(const exchange::Exchange& exchange) {
    const gateway::feeds::FeedServer* const server = exchange.order_feed().subscribers;
    return server == nullptr ? gateway::feeds::FeedStatus{} : server->status();
}

/// Messages of the feed session, those that are not in the archive yet, and what its subscribers
/// have missed.
Json feed_of(const exchange::Exchange& exchange) {
    const auto session = exchange.feed_session();
    const archive::Archiver* const archiver = exchange.order_feed().archiver.get();
    const gateway::feeds::FeedStatus status = status_of(exchange);
    const auto& asked = status.retransmission;
    return {{"messages", session == nullptr ? 0 : session->messages()},
            {"unarchived", archiver == nullptr ? 0 : archiver->state().waiting},
            {"subscribers", status.subscribers},
            {"slow_subscribers", status.slow.size()},
            {"most_behind", status.most_behind()},
            {"retransmission_requests", asked.answered + asked.unavailable + asked.limited},
            {"retransmitted", asked.messages}};
}

double per_second(std::uint64_t count, std::int64_t elapsed_ns) {
    return elapsed_ns > 0 ? static_cast<double>(count) * 1e9 / static_cast<double>(elapsed_ns) : 0;
}

}  // namespace

std::string without_folder(std::string text, const std::filesystem::path& data) {
    const std::string folder = (data / "").string();
    for (std::size_t at = 0; !folder.empty() && (at = text.find(folder, at)) != std::string::npos;)
        text.erase(at, folder.size());
    return text;
}

Operations::Operations(const ServeSettings& settings, exchange::Exchange& exchange,
                       const exchange::Surroundings& surroundings,
                       std::function<exchange::Usages()> usages,
                       std::function<std::string()> loss_warning)
    : settings_(&settings),
      exchange_(&exchange),
      surroundings_(&surroundings),
      usages_(std::move(usages)),
      loss_warning_(std::move(loss_warning)),
      begin_ns_(exchange::unset_time().value),
      last_ns_(begin_ns_) {}

http::Answer Operations::health(bool has_figures) {
    const telemetry::Counters now = counters();
    const Condition found = condition(now);
    const exchange::Usages usages = usages_();
    Json json{{"status", found.status},
              {"version", version()},
              {"uptime_s", uptime_s()},
              {"levels", levels_of(usages)}};
    if (has_figures) {
        const auto& clock = surroundings_->clock();
        json.update(Json{{"reason", found.reason},
                         {"clock_behind_s", static_cast<double>(clock.behind_ns()) / 1e9},
                         {"clock_set_s", static_cast<double>(clock.set_ns()) / 1e9},
                         {"connections", now.accepted_connections - now.closed_connections},
                         {"messages", now.messages()},
                         {"filling", exchange::filling(usages)},
                         {"capacity", json_of(usages)},
                         {"journal_kept", exchange_->journal().writer().durable_position()}});
    }
    return {.status = found.is_well ? 200U : 503U,
            .content_type = "application/json",
            .body = json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n"};
}

std::string Operations::stream_levels() {
    return members_of({{"uptime_s", uptime_s()},
                       {"status", condition(counters()).status},
                       {"levels", levels_of(usages_())}});
}

std::string Operations::stream_members(const telemetry::Collector& collector,
                                       const market_stream::MarketStream& stream) {
    const telemetry::Counters now = counters();
    const Condition found = condition(now);
    const journal::JournalWriter& writer = exchange_->journal().writer();
    const std::uint64_t commands = writer.appended_position();
    const std::int64_t now_ns = exchange::unset_time().value;
    const std::int64_t elapsed_ns = now_ns - last_ns_;
    const exchange::Usages usages = usages_();
    const Json json{{"uptime_s", uptime_s()},
                    {"status", found.status},
                    {"reason", found.reason},
                    {"commands_per_s", per_second(commands - last_commands_, elapsed_ns)},
                    {"messages_per_s", per_second(now.messages() - last_messages_, elapsed_ns)},
                    {"connections", now.accepted_connections - now.closed_connections},
                    {"viewers", stream.viewers()},
                    {"slow_viewers", stream.slow_viewers()},
                    {"left_out", stream.left_out()},
                    {"latency", latency_of(collector)},
                    {"journal",
                     {{"appended", commands},
                      {"kept", writer.durable_position()},
                      {"synced", writer.synced_position()},
                      {"snapshot", newest_snapshot(settings_->data)}}},
                    {"feed", feed_of(*exchange_)},
                    {"memory_bytes", memory_bytes()},
                    {"levels", levels_of(usages)},
                    {"capacity", json_of(usages)}};
    last_ns_ = now_ns;
    last_commands_ = commands;
    last_messages_ = now.messages();
    return members_of(json);
}

http::Answer Operations::subscribers(const market_stream::MarketStream& stream) const {
    Json rows = Json::array();
    for (const gateway::feeds::SlowSubscriber& one : status_of(*exchange_).slow)
        rows.push_back({{"service", one.service},
                        {"client", one.client},
                        {"behind", one.behind},
                        {"unit", "messages"}});
    for (const auto& [number, unsent_bytes] : stream.slow())
        rows.push_back({{"service", "stream"},
                        {"client", fmt::format("viewer {}", number)},
                        {"behind", unsent_bytes},
                        {"unit", "bytes"}});
    return {.content_type = "application/json", .body = Json{{"slow", rows}}.dump() + "\n"};
}

Operations::Condition Operations::condition(const telemetry::Counters& counters) {
    const std::string refusal = exchange_->journal().writer().refusal();
    const bool stalled = is_stalled(counters.turns);
    gateway::Health gateways = exchange_->trading().health();
    const bool failed = !gateways.failure.empty();
    std::string why = surroundings_->warning();
    if (why.empty()) why = std::move(gateways.warning);
    if (why.empty()) why = gateway::feeds::feed_warning(exchange_->order_feed());
    if (why.empty()) why = loss_warning_();
    if (stalled)
        why = "the thread that trades has not finished a turn for seconds";
    else if (failed)
        why = std::move(gateways.failure);
    if (!refusal.empty()) why = refusal;
    const bool is_well = refusal.empty() && !stalled && !failed;
    return {.is_well = is_well,
            .status = !is_well      ? "failing"
                      : why.empty() ? "ok"
                                    : "warning",
            .reason = without_folder(std::move(why), settings_->data)};
}

// The thread that trades has not finished a turn for seconds.
bool Operations::is_stalled(std::uint64_t turns) {
    constexpr std::int64_t k_patience_ns = 5'000'000'000;
    const std::int64_t now = exchange::unset_time().value;
    if (turns != turns_seen_ || turns_seen_at_ns_ == 0) {
        turns_seen_ = turns;
        turns_seen_at_ns_ = now;
    }
    return now - turns_seen_at_ns_ > k_patience_ns;
}

telemetry::Counters Operations::counters() const {
    return exchange_->trading().probe().published();
}

double Operations::uptime_s() const {
    return static_cast<double>(exchange::unset_time().value - begin_ns_) / 1e9;
}

}  // namespace damrak::app
