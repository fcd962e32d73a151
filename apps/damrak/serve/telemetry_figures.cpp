// What ServeTelemetry answers with figures to the operator, and with levels to everybody else.
#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <string_view>

#include <damrak/exchange/capacity.hpp>
#include <damrak/gateway/feeds/feed_metrics.hpp>
#include <damrak/market_data_api/api.hpp>
#include <damrak/market_data_api/query.hpp>
#include <damrak/telemetry/prometheus.hpp>

#include "serve/latency_answer.hpp"
#include "serve/replay.hpp"
#include "serve/telemetry.hpp"
#include "serve/venue_state.hpp"

namespace damrak::app {

// A wrong token is refused, so that the person who configured it notices.
http::Answer ServeTelemetry::answer_figures(const http::Request& request) {
    const bool has_figures = operator_.shows_figures(request);
    if (operator_.is_wrong(request) || (request.path == "/timing" && !has_figures)) {
        operator_.count_refused(request);
        return market_data_api::unauthorized(request);
    }
    if (request.path == "/metrics") return metrics(has_figures);
    if (request.path == "/health") return operations_.health(has_figures);
    return timing(request);
}

http::Answer ServeTelemetry::timing(const http::Request& request) const {
    using telemetry::LatencyHistory;
    constexpr std::array<std::string_view, 5> k_names{"format", "window", "gateway", "stage",
                                                      "run"};
    constexpr market_data_api::Parameter k_window{
        .name = "window",
        .kind = market_data_api::ParameterKind::number,
        .least = LatencyHistory::k_shortest_s,
        .most = LatencyHistory::k_longest_s,
    };
    const auto query = market_data_api::Query::parse(request.query, k_names);
    if (!query) return market_data_api::answer_of(query.error());
    const auto runs = runs_with_latency(folder_.parent_path());
    http::Answer answer{.content_type = "application/json"};
    if (const auto run = query->text("run")) {
        // Only a name of the list becomes part of a path.
        if (std::ranges::find(runs, *run) == runs.end())
            return market_data_api::answer_of({.status = 404,
                                               .code = "unknown_run",
                                               .message = "run: no finished run has this name",
                                               .parameter = "run"});
        std::ifstream file{folder_.parent_path() / *run / k_latency_file};
        answer.body.assign(std::istreambuf_iterator{file}, {});
    } else if (query->text("window")) {
        const auto window = query->number(k_window);
        if (!window) return market_data_api::answer_of(window.error());
        answer.body = latency_json(*collector_,
                                   {.window_s = static_cast<std::int64_t>(*window),
                                    .gateway = query->text("gateway").value_or(""),
                                    .stage = query->text("stage").value_or("")},
                                   settings_.timing_every, runs);
    } else if (query->text("format") == "json") {
        answer.body = timing_json();
    } else {
        answer = {.body = telemetry::timing_table(collector_->timing_rows())};
    }
    return answer;
}

http::Answer ServeTelemetry::metrics(bool has_figures) const {
    const journal::JournalWriter& writer = exchange_->journal().writer();
    const bool is_healthy = writer.refusal().empty();
    const exchange::Usages rows = usages();
    http::Answer answer{.content_type = "text/plain; version=0.0.4; charset=utf-8"};
    if (!has_figures) {
        answer.body = telemetry::up_text(is_healthy) + exchange::level_metrics(rows);
        return answer;
    }
    const telemetry::Counters counters = exchange_->trading().probe().published();
    const auto losses = collector_->losses();
    collector_->with_latencies([&](const telemetry::Latencies& latencies) {
        answer.body =
            telemetry::prometheus_text({.counters = &counters,
                                        .latencies = &latencies,
                                        .losses = &losses,
                                        .journal_appended = writer.appended_position(),
                                        .journal_kept = writer.durable_position(),
                                        .journal_synced = writer.synced_position(),
                                        .healthy = is_healthy,
                                        .uptime_s = operations_.uptime_s(),
                                        .clock_drift_ppm = clock_.drift().parts_per_million()});
    });
    answer.body += surroundings_.metrics();
    answer.body += exchange::level_metrics(rows) + exchange::capacity_metrics(rows);
    answer.body += exchange_->trading().metrics();
    answer.body += gateway::feeds::feed_metrics(exchange_->order_feed());
    answer.body += operator_.metrics();
    answer.body += venue_->metrics();
    answer.body += stream_.metrics();
    if (settings_.replayed) answer.body += replay_metrics(*settings_.replayed);
    return answer;
}

}  // namespace damrak::app
