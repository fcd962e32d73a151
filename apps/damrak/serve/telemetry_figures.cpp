// What ServeTelemetry answers with figures to the operator, and with levels to everybody else.
#include <damrak/exchange/capacity.hpp>
#include <damrak/gateway/feeds/feed_metrics.hpp>
#include <damrak/market_data_api/api.hpp>
#include <damrak/telemetry/prometheus.hpp>

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
    if (request.query == "format=json")
        return {.content_type = "application/json", .body = timing_json()};
    return {.body = telemetry::timing_table(collector_->timing_rows())};
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
