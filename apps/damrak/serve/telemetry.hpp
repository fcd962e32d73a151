// Telemetry of a `damrak serve` run: the directory of the run, the collector on its own thread,
// HTTP for monitoring, and the table of stage times at the end and on SIGUSR1.
#pragma once

#include <atomic>
#include <cstdint>
#include <expected>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include <damrak/base/cycle_clock.hpp>
#include <damrak/exchange/capacity.hpp>
#include <damrak/exchange/exchange.hpp>
#include <damrak/exchange/surroundings.hpp>
#include <damrak/http/server.hpp>
#include <damrak/market_data_api/api.hpp>
#include <damrak/market_stream/market_stream.hpp>
#include <damrak/telemetry/collector.hpp>

#include "serve/operations.hpp"
#include "serve/operator_access.hpp"
#include "serve/page_trading.hpp"
#include "serve/settings.hpp"
#include "serve/venue_state.hpp"

namespace damrak::app {

class ServeTelemetry {
  public:
    /// Before the exchange's first turn; it, the state of its venue and the access must outlive
    /// this.
    [[nodiscard]] static journal::Result<std::unique_ptr<ServeTelemetry>> start(
        const ServeSettings& settings, exchange::Exchange& exchange, const VenueState& venue,
        OperatorAccess& access);
    ServeTelemetry(const ServeTelemetry&) = delete;
    ServeTelemetry& operator=(const ServeTelemetry&) = delete;
    /// Writes what is left, and tells the table. After the exchange's last turn.
    ~ServeTelemetry();

    /// HTTP port; empty if it is closed.
    [[nodiscard]] std::optional<std::uint16_t> http_port() const;
    /// Sets the answer of /instruments; any thread.
    void publish_instruments(std::string json);
    [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }

  private:
    ServeTelemetry(const ServeSettings& settings, exchange::Exchange& exchange,
                   const VenueState& venue, OperatorAccess& access);

    [[nodiscard]] journal::Result<void> open();
    /// What the directory of the run begins with.
    [[nodiscard]] journal::Result<void> describe_run() const;
    [[nodiscard]] journal::Result<void> write_metadata() const;
    [[nodiscard]] journal::Result<void> write_run_config() const;
    void remove_old_runs() const;
    [[nodiscard]] journal::Result<void> write_timing() const;
    [[nodiscard]] http::Answer answer(const http::Request& request);
    /// Whether the answer is made on the worker.
    [[nodiscard]] bool is_long(const http::Request& request) const;
    [[nodiscard]] std::expected<http::WebSocketWelcome, http::Answer> welcome(
        const http::Request& request);
    /// Of the exchange, then of the HTTP service: always the same ones. Any thread.
    [[nodiscard]] exchange::Usages usages() const;
    /// What only the operator may see in full: /metrics, /health and /timing.
    [[nodiscard]] http::Answer answer_figures(const http::Request& request);
    [[nodiscard]] http::Answer timing(const http::Request& request) const;
    [[nodiscard]] http::Answer metrics(bool has_figures) const;
    [[nodiscard]] std::string timing_json() const;
    void collect(const std::stop_token& stop);
    void tell_timing() const;
    void tell_losses();
    /// For /health; empty: nothing of the run's logs is lost.
    [[nodiscard]] std::string loss_warning() const;

    ServeSettings settings_;
    exchange::Exchange* exchange_;
    const VenueState* venue_;
    CycleClock clock_;
    std::int64_t begin_utc_ns_;
    std::filesystem::path folder_;
    std::string unkept_;  ///< why the run's directory is not there or not complete; empty: it is
    bool is_told_ = false;
    std::unique_ptr<telemetry::Collector> collector_;
    std::mutex instruments_lock_;
    std::string instruments_ = "{}\n";
    OperatorAccess& operator_;
    market_data_api::MarketDataApi market_data_;
    exchange::Surroundings surroundings_;
    Operations operations_;
    exchange::CapacityWatch capacity_;
    std::unique_ptr<PageTrading> trading_;  ///< null: the page cannot trade
    market_stream::MarketStream stream_;
    /// For the answers of the service itself, from the moment that it is there.
    std::atomic<const http::Server*> rows_of_http_{nullptr};
    std::unique_ptr<http::Server> http_;  ///< ends before what it calls
    std::jthread thread_;
};

}  // namespace damrak::app
