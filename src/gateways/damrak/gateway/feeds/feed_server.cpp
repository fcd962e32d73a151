#include <damrak/gateway/feeds/feed_server.hpp>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include <fmt/format.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

namespace damrak::gateway::feeds {

namespace {

TcpGatewayConfig gateway_config(const FeedServerConfig& config, std::uint16_t port,
                                std::uint32_t most) {
    constexpr std::size_t k_input_bytes = 2'048;
    constexpr std::size_t k_output_bytes = std::size_t{256} << 10U;
    return {.address = config.address,
            .port = port,
            .maximum_connections = most,
            .read_bytes = k_input_bytes,
            .input_bytes = k_input_bytes,
            .output_bytes = k_output_bytes};
}

}  // namespace

std::expected<std::unique_ptr<FeedServer>, std::string> FeedServer::start(
    const FeedServerConfig& config, feed::ItchFeed& feed) {
    std::unique_ptr<FeedServer> server{new FeedServer};
    if (auto opened = server->open(config, feed); !opened)
        return std::unexpected{std::move(opened.error())};
    server->thread_ =
        std::jthread{[raw = server.get()](const std::stop_token& stop) { raw->run(stop); }};
    return server;
}

FeedServer::~FeedServer() {
    thread_.request_stop();
    wake();
    if (thread_.joinable()) thread_.join();
    if (woken_ >= 0) ::close(woken_);
}

std::expected<void, std::string> FeedServer::open(const FeedServerConfig& config,
                                                  feed::ItchFeed& feed) {
    on_notice_ = config.on_notice;
    earlier_.emplace(feed.folder());
    woken_ = ::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    if (woken_ < 0) return std::unexpected{fmt::format("eventfd: {}", std::strerror(errno))};
    auto poller = net::Poller::make();
    if (!poller) return std::unexpected{std::move(poller.error())};
    poller_ = std::move(*poller);
    const net::WatchHandle handle{.kind = net::WatchHandle::Kind::other, .number = 0};
    bool watches = poller_->add(woken_, handle);
    const auto open_gateway = [&](const char* name, SoupService service,
                                  std::optional<std::uint16_t> port,
                                  std::uint32_t most) -> std::expected<void, std::string> {
        if (!port) return {};
        auto gateway = std::make_unique<SoupFeed>(service, gateway_config(config, *port, most),
                                                  feed, *earlier_, ended_);
        if (auto listens = gateway->listen(); !listens) return listens;
        ports_[name] = gateway->port();
        watches = watches && poller_->add(gateway->wake_source(), handle);
        gateways_.push_back(std::move(gateway));
        return {};
    };
    if (auto opened = open_gateway("itch", SoupService::itch, config.itch, config.maximum_itch);
        !opened)
        return opened;
    if (auto opened =
            open_gateway("glimpse", SoupService::glimpse, config.glimpse, config.maximum_glimpse);
        !opened)
        return opened;
    if (config.mold) {
        auto lines = MoldLines::open({.port = *config.mold,
                                      .unicast = config.mold_unicast,
                                      .sender = {.delay_ns = config.mold_delay_ns},
                                      .faults = config.faults},
                                     feed);
        if (!lines) return std::unexpected{std::move(lines.error())};
        lines_ = *std::move(lines);
        ports_["mold"] = lines_->port();
    }
    if (config.retransmit) {
        auto server = MoldRetransmission::open(config.address, *config.retransmit, feed, *earlier_);
        if (!server) return std::unexpected{std::move(server.error())};
        retransmission_ = *std::move(server);
        ports_["retransmit"] = retransmission_->port();
        watches = watches && poller_->add(retransmission_->descriptor(), handle);
    }
    if (!watches) return std::unexpected{std::string{"cannot watch the subscribers of the feed"}};
    return {};
}

void FeedServer::add_usages(const FeedServer* server, Usages& all) {
    for (const auto& [service, name] : {std::pair{SoupService::itch, "itch_subscribers"},
                                        std::pair{SoupService::glimpse, "glimpse_subscribers"}}) {
        budget::Row::Figures places;
        if (server != nullptr)
            for (const auto& gateway : server->gateways_)
                if (gateway->service() == service) places = gateway->places();
        all.push_back(Usage::of_row(name, places));
    }
}

void FeedServer::wake() {
    if (!sleeps_.exchange(false)) return;
    const std::uint64_t one = 1;
    static_cast<void>(::write(woken_, &one, sizeof one));
}

bool FeedServer::serve() {
    const Timestamp now{clock_.now_ns()};
    bool more = false;
    for (const auto& gateway : gateways_) {
        gateway->poll(0);
        more |= gateway->serve() || (gateway->busy() && gateway->ready());
    }
    if (lines_ != nullptr) more |= lines_->serve(now);
    if (retransmission_ != nullptr) more |= retransmission_->serve(now);
    tell_status();
    return more;
}

void FeedServer::tell_status() {
    constexpr std::int64_t k_pause_ns = 500'000'000;
    const std::int64_t now_ns = clock_.now_ns();
    if (now_ns < next_status_ns_) return;
    next_status_ns_ = now_ns + k_pause_ns;
    FeedStatus status;
    for (const auto& gateway : gateways_) {
        status.subscribers += gateway->connections();
        gateway->append_slow(status.slow);
        if (const std::string line = gateway->take_ended(); !line.empty() && on_notice_)
            on_notice_(line);
    }
    if (retransmission_ != nullptr) status.retransmission = retransmission_->counters();
    const std::lock_guard lock{status_mutex_};
    status_ = std::move(status);
}

// How long to wait until something is due, if nobody wakes it up.
int FeedServer::patience_ms() {
    constexpr std::int64_t k_longest_ms = 100;  // heartbeats are due every second
    constexpr std::int64_t k_millisecond_ns = 1'000'000;
    if (lines_ == nullptr) return static_cast<int>(k_longest_ms);
    const std::int64_t due_ns = lines_->deadline().value - clock_.now_ns();
    return static_cast<int>(std::clamp((due_ns + k_millisecond_ns - 1) / k_millisecond_ns,
                                       std::int64_t{0}, k_longest_ms));
}

void FeedServer::run(const std::stop_token& stop) {
    std::array<epoll_event, 8> events{};
    while (!stop.stop_requested()) {
        // Later changes wake it up; earlier ones are served in this turn.
        sleeps_.store(true);
        if (serve() || !sleeps_.load()) continue;
        static_cast<void>(poller_->wait(events, patience_ms()));
        std::uint64_t count = 0;
        static_cast<void>(::read(woken_, &count, sizeof count));
    }
}

}  // namespace damrak::gateway::feeds
