#include "serve/telemetry.hpp"

#include <algorithm>
#include <chrono>
#include <csignal>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include <damrak/base/version.hpp>
#include <damrak/exchange/system_time.hpp>
#include <damrak/http/origin.hpp>
#include <damrak/market_stream/asyncapi.hpp>
#include <damrak/page/assets.hpp>
#include <damrak/telemetry/run_directory.hpp>

#include "cli.hpp"
#include "say.hpp"
#include "serve/config.hpp"
#include "serve/fix_admin.hpp"
#include "serve/instruments.hpp"
#include "serve/latency_answer.hpp"
#include "serve/program_routes.hpp"
#include "serve/replay.hpp"
#include "serve/trades.hpp"

namespace damrak::app {

namespace {

using Json = nlohmann::ordered_json;

std::atomic<bool> table_asked{false};

constexpr unsigned k_first_error = 400;  ///< of an HTTP answer

#ifdef NDEBUG
constexpr const char* k_build = "release";
#else
constexpr const char* k_build = "debug";
#endif

void handle_table_signal() {
    struct sigaction action{};
    action.sa_handler = [](int) { table_asked.store(true); };
    action.sa_flags = SA_RESTART;
    ::sigaction(SIGUSR1, &action, nullptr);
}

std::string dumped(const Json& json) {
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

Json json_of(const CycleClock& clock) {
    const auto& calibration = clock.calibration();
    const auto drift = clock.drift();
    return {{"source", name(calibration.source)},
            {"ns_per_tick", calibration.ns_per_tick},
            {"base_ticks", calibration.base.ticks},
            {"base_utc_ns", calibration.base_utc_ns},
            {"checked_after_s", static_cast<double>(drift.elapsed_ns) / 1e9},
            {"drift_ppm", drift.parts_per_million()}};
}

Json json_of(const telemetry::Machine& machine) {
    return {{"host", machine.host},
            {"system", machine.system},
            {"processor", machine.processor},
            {"processors", machine.processors},
            {"memory_bytes", machine.memory_bytes}};
}

market_data_api::PresentSession sessions_of(const exchange::Exchange& exchange) {
    if (!exchange.has_order_feed()) return nullptr;
    return [&exchange] { return exchange.feed_session(); };
}

}  // namespace

ServeTelemetry::ServeTelemetry(const ServeSettings& settings, exchange::Exchange& exchange,
                               const VenueState& venue, OperatorAccess& access)
    : settings_(settings),
      exchange_(&exchange),
      venue_(&venue),
      clock_(CycleClock::calibrated()),
      begin_utc_ns_(exchange::system_time().value),
      folder_(telemetry::run_directory(settings_.data, begin_utc_ns_)),
      operator_(access),
      market_data_(
          settings_.archive_folder(), sessions_of(exchange), program_routes(),
          operator_.of(exchange, [&venue] { return venue.fees(); }),
          [&exchange](std::string_view symbol) { return exchange.statuses().find(symbol); }),
      surroundings_(exchange),
      operations_(
          settings_, exchange, surroundings_, [this] { return usages(); },
          [this] { return loss_warning(); }),
      capacity_(settings.on_notice),
      trading_(make_page_trading(settings, exchange)),
      stream_({.session = sessions_of(exchange),
               .operations =
                   [this](bool has_figures) {
                       return has_figures ? operations_.stream_members(*collector_, stream_)
                                          : operations_.stream_levels();
                   },
               .trading = trading_.get()}) {}

journal::Result<std::unique_ptr<ServeTelemetry>> ServeTelemetry::start(
    const ServeSettings& settings, exchange::Exchange& exchange, const VenueState& venue,
    OperatorAccess& access) {
    std::unique_ptr<ServeTelemetry> made{new ServeTelemetry{settings, exchange, venue, access}};
    if (auto opened = made->open(); !opened) return std::unexpected{std::move(opened.error())};
    return made;
}

journal::Result<void> ServeTelemetry::open() {
    const bool log = settings_.event_log || settings_.classic_logs;
    telemetry::Probe& probe = exchange_->trading().probe();
    probe.start({.sample_every = settings_.timing_every,
                 .log_events = log,
                 .stamp_records = settings_.classic_logs,
                 .ring_records = std::size_t{1} << (log ? 18U : 16U)},
                clock_);
    auto made = telemetry::make_run_directory(folder_);
    if (made) remove_old_runs();
    collector_ = std::make_unique<telemetry::Collector>(
        telemetry::CollectorConfig{.folder = folder_,
                                   .event_log = settings_.event_log,
                                   .classic_logs = settings_.classic_logs},
        probe, clock_);
    if (made) made = describe_run();
    if (!made) unkept_ = std::move(made.error());
    tell_losses();
    if (const auto port = settings_.port("http")) {
        if (auto opened = operator_.open(settings_, *port); !opened) return opened;
        auto http = http::Server::start(
            {.address = settings_.numeric_address,
             .port = *port,
             .tls = settings_.http_tls,
             .answer =
                 [this](const http::Request& request) {
                     http::Answer reply = answer(request);
                     if (reply.status >= k_first_error)
                         reply.body = without_folder(std::move(reply.body), settings_.data);
                     return reply;
                 },
             .is_long = [this](const http::Request& request) { return is_long(request); },
             .maximum_body_bytes = k_admin_body_bytes,
             .maximum_connections = settings_.connections_of("http", http::k_connections),
             .is_operator =
                 [this](const http::Request& request) { return operator_.admits(request); },
             .web_sockets = {.upgrade =
                                 [this](const http::Request& request) { return welcome(request); },
                             .maximum =
                                 settings_.connections_of("web_sockets", http::k_web_sockets)},
             .on_tick = [this] { stream_.tick(); },
             .tick = market_stream::MarketStream::k_tick});
        if (!http) return std::unexpected{std::move(http.error())};
        http_ = std::move(*http);
        rows_of_http_ = http_.get();
    }
    handle_table_signal();
    thread_ = std::jthread{[this](const std::stop_token& stop) { collect(stop); }};
    return {};
}

journal::Result<void> ServeTelemetry::describe_run() const {
    if (auto written = write_metadata(); !written) return written;
    return settings_.classic_logs ? write_run_config() : journal::Result<void>{};
}

// Once: the exchange runs without what is kept of a run, and /health continues to report it.
void ServeTelemetry::tell_losses() {
    if (is_told_) return;
    const std::string why = unkept_.empty() ? collector_->losses().error : unkept_;
    if (!why.empty()) say("note         {}: what is kept of this run has gaps\n", why);
    is_told_ = !why.empty();
}

std::string ServeTelemetry::loss_warning() const {
    const auto losses = collector_->losses();
    const bool has_logs = settings_.event_log || settings_.classic_logs;
    const std::uint64_t rows =
        losses.log_rows + losses.unwritten_rows + (has_logs ? losses.ring_records : 0);
    if (!unkept_.empty() || !losses.error.empty())
        return fmt::format("DATA/runs cannot be written: {} rows of this run's logs are lost",
                           rows);
    return rows == 0 ? "" : fmt::format("{} rows of this run's logs are lost", rows);
}

void ServeTelemetry::remove_old_runs() const {
    if (settings_.keep_runs == 0) return;
    const auto removed = telemetry::remove_old_runs(folder_, settings_.keep_runs);
    if (!removed)
        say("note         {}\n", removed.error());
    else if (*removed > 0)
        say("runs         {} removed; --keep-runs is {}\n",
            counted(static_cast<std::int64_t>(*removed), "old one"), settings_.keep_runs);
}

ServeTelemetry::~ServeTelemetry() {
    // Both read the rows of HTTP: the thread ends before the service, whose threads are its own.
    const bool has_run = thread_.joinable();
    thread_.request_stop();
    if (has_run) thread_.join();
    http_.reset();
    if (!has_run) return;
    collector_->close(exchange::unset_time().value);
    tell_losses();
    exchange_->trading().tell_totals();
    tell_timing();
    const auto losses = collector_->losses();
    if (losses.any())
        say("lost         {} of the event log for want of time, {} for want of "
            "room, {} that could not be written\n",
            counted(static_cast<std::int64_t>(losses.ring_records), "record"),
            counted(static_cast<std::int64_t>(losses.log_rows), "row"),
            counted(static_cast<std::int64_t>(losses.unwritten_rows), "row"));
    const auto drift = clock_.drift();
    say("clock        {}, {:+.2f} ppm against the system's over {:.0f} s\n",
        name(clock_.calibration().source), drift.parts_per_million(),
        static_cast<double>(drift.elapsed_ns) / 1e9);
    say("run          {}\n", folder_.string());
}

// Polls from time to time, as the producer of the ring wakes nobody.
void ServeTelemetry::collect(const std::stop_token& stop) {
    using namespace std::chrono_literals;
    GrowingPause pause{5ms, 50ms};
    while (!stop.stop_requested()) {
        const std::size_t work = collector_->do_work(exchange::unset_time().value);
        surroundings_.look();
        tell_losses();
        if (table_asked.exchange(false)) tell_timing();
        exchange_->trading().look_for_troubles(exchange::unset_time().value);
        capacity_.look(usages());
        std::this_thread::sleep_for(pause.after(work));
    }
}

exchange::Usages ServeTelemetry::usages() const {
    exchange::Usages all = exchange::usages_of(*exchange_, settings_);
    const http::Server* const http = rows_of_http_;
    const http::ServerPlaces places = http == nullptr ? http::ServerPlaces{} : http->places();
    using gateway::Usage;
    all.push_back(Usage::of_row("http_connections", places.connections));
    all.push_back(Usage::of_row("http_waiting_requests", places.waiting));
    all.push_back(Usage::of_row("web_sockets", places.web_sockets));
    return all;
}

std::optional<std::uint16_t> ServeTelemetry::http_port() const {
    return http_ ? std::optional{http_->port()} : std::nullopt;
}

void ServeTelemetry::publish_instruments(std::string json) {
    const std::scoped_lock lock{instruments_lock_};
    instruments_ = std::move(json);
}

journal::Result<void> ServeTelemetry::write_metadata() const {
    if (auto written =
            telemetry::write_text(folder_ / "configuration.toml", config_text(settings_));
        !written)
        return written;
    return telemetry::write_text(folder_ / "metadata.json",
                                 dumped({{"version", version()},
                                         {"begin_utc_ns", begin_utc_ns_},
                                         {"process", ::getpid()},
                                         {"machine", json_of(telemetry::this_machine())},
                                         {"compiler", __VERSION__},
                                         {"build", k_build},
                                         {"clock", json_of(clock_)}}));
}

// The file that MiniExchange's analysis scripts look for first.
journal::Result<void> ServeTelemetry::write_run_config() const {
    const std::filesystem::path folder = std::filesystem::absolute(folder_ / "classic");
    const exchange::Ports& ports = exchange_->ports();
    Json files;
    telemetry::ClassicLogs::Files::each_name([&](std::string_view name) {
        files[std::string{name}] = (folder / (std::string{name} + ".csv")).string();
    });
    return telemetry::write_text(
        folder / "run_config.json",
        dumped({{"port", ports.contains("binary") ? ports.at("binary") : 0},
                {"name", "classic"},
                {"output_base", folder.parent_path().string()},
                {"build-type", k_build},
                {"build_metadata", fmt::format("damrak {}", version())},
                {"baseTick", clock_.calibration().base.ticks},
                {"nsPerTick", clock_.calibration().ns_per_tick},
                {"files", std::move(files)}}));
}

std::string ServeTelemetry::timing_json() const {
    Json rows = Json::array();
    for (const telemetry::TimingRow& row : collector_->timing_rows()) {
        Json object;
        row.fields(
            [&](std::string_view name, const auto& value) { object[std::string{name}] = value; });
        rows.push_back(std::move(object));
    }
    const auto losses = collector_->losses();
    return dumped({{"unit", "ns"},
                   {"sampled_every", settings_.timing_every},
                   {"clock", json_of(clock_)},
                   {"lost_records", losses.ring_records},
                   {"skipped_rows", losses.log_rows},
                   {"unwritten_rows", losses.unwritten_rows},
                   {"rows", std::move(rows)}});
}

journal::Result<void> ServeTelemetry::write_timing() const {
    if (auto written = telemetry::write_text(folder_ / "timing.json", timing_json()); !written)
        return written;
    if (auto written = telemetry::write_text(
            folder_ / k_latency_file, latency_json(*collector_, {}, settings_.timing_every, {}));
        !written)
        return written;
    journal::Result<void> result;
    collector_->with_latencies([&](const telemetry::Latencies& latencies) {
        result = telemetry::write_histograms(folder_, latencies, begin_utc_ns_,
                                             exchange::system_time().value);
    });
    return result;
}

void ServeTelemetry::tell_timing() const {
    if (settings_.timing_every == 0) return;
    say("{}", telemetry::timing_table(collector_->timing_rows()));
    if (const auto written = write_timing(); !written) say("note         {}\n", written.error());
}

bool ServeTelemetry::is_long(const http::Request& request) const {
    const std::string_view path = request.path;
    return market_data_api::is_route(path) && !program_route(path) &&
           !market_data_.is_refused(request);
}

std::expected<http::WebSocketWelcome, http::Answer> ServeTelemetry::welcome(
    const http::Request& request) {
    if (request.path == market_stream::k_stream_path && http::has_sound_host(request))
        return stream_.welcome(request, {.may_trade = operator_.admits(request),
                                         .sees_figures = operator_.shows_figures(request)});
    return std::unexpected{market_data_api::answer_of(
        {.status = 404,
         .code = "unknown_path",
         .message = fmt::format("the WebSocket is {}", market_stream::k_stream_path)})};
}

http::Answer ServeTelemetry::answer(const http::Request& request) {
    constexpr const char* k_json = "application/json";
    const std::string_view path = request.path;
    if (!http::has_sound_host(request))
        return {.status = 421,
                .body = "Host: on this machine the service is localhost, 127.0.0.1 or [::1]\n"};
    if (const auto route = program_route(path); route && !market_data_.is_refused(request))
        return answer_of(*route, request,
                         {.access = operator_,
                          .operations = operations_,
                          .replayed = settings_.replayed.get(),
                          .stream = stream_,
                          .venue = *venue_});
    if (market_data_api::is_route(path)) {
        if (market_data_.is_refused(request)) operator_.count_refused(request);
        return market_data_.answer(request);  // on the worker, unless it is refused
    }
    if (path == k_fix_sessions_path)
        return answer_fix_admin(exchange_->trading().admin<gateway::fix::FixAdmin>(), request,
                                operator_.admits(request));
    if (request.is_post)
        return {
            .status = 405,
            .body = fmt::format("only {} and paths below /v1 take POST\n", k_fix_sessions_path)};
    if (const page::Asset* asset = page::find(path)) return page::answer(*asset);
    if (path == "/metrics" || path == "/health" || path == "/timing")
        return answer_figures(request);
    if (path == k_instruments_path) {
        const std::scoped_lock lock{instruments_lock_};
        return {.content_type = k_json, .body = instruments_};
    }
    if (path == k_trades_path)
        return {.content_type = k_json, .body = trades_json(exchange_->trades(), request.query)};
    return {.status = 404,
            .body =
                "there are /, /v1, /v1/stream, /v1/replay, /metrics, /health, /instruments, "
                "/trades, /timing, "
                "/timing?format=json, /fix/sessions\n"};
}

}  // namespace damrak::app
