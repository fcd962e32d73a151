#include "load/udp_run.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include <damrak/base/affinity.hpp>
#include <damrak/base/system_time.hpp>
#include <damrak/client/load_schedule.hpp>
#include <damrak/net/address.hpp>
#include <damrak/net/network_namespace.hpp>

#include "load/udp_echo.hpp"

namespace damrak::app {

namespace {

constexpr std::size_t k_requests_a_turn = 64;
constexpr std::size_t k_answers_a_turn = 256;
constexpr std::int64_t k_least_last_patience_ns = 500'000'000;  // with the answers at the end

/// A sender during a run.
template <class Path>
class UdpLoop {
  public:
    UdpLoop(const LoadOptions& options, const client::PacketLoadSettings& settings, Path& path,
            const net::Endpoint& to)
        : options_(options), load_(settings), path_(path), to_(to) {
        if (options.timetable) schedule_.emplace(*options.timetable, k_one_part, 0);
    }

    UdpResult run() {
        const std::int64_t begin_ns = load_clock_ns();
        const std::int64_t measure_ns = begin_ns + nanoseconds_of(options_.warm_up_s);
        const std::int64_t end_ns = measure_ns + nanoseconds_of(options_.seconds);
        begin_ns_ = begin_ns;
        heard_ns_ = begin_ns;
        std::int64_t now_ns = begin_ns;
        while (now_ns < measure_ns) now_ns = turn(now_ns, true);
        load_.record(true);
        const client::PacketLoadTally before = load_.tally();
        std::uint64_t answered = before.answered;
        std::int64_t answered_ns = now_ns;
        while (now_ns < end_ns || (answered - before.answered < options_.at_least &&
                                   now_ns - answered_ns < k_give_up_ns)) {
            now_ns = turn(now_ns, true);
            if (std::exchange(answered, load_.tally().answered) != load_.tally().answered)
                answered_ns = now_ns;
        }
        load_.record(false);
        const double measured_s = static_cast<double>(now_ns - measure_ns) / 1e9;
        const client::PacketLoadTally after = load_.tally();
        const std::int64_t last_patience_ns = std::max(k_least_last_patience_ns, patience_ns_);
        while (load_.outstanding() > 0 && now_ns - heard_ns_ < last_patience_ns)
            now_ns = turn(now_ns, false);
        UdpResult result{.tally = load_.tally(), .seconds = measured_s};
        result.asked = after.asked - before.asked;
        result.answered = after.answered - before.answered;
        result.accepted = after.accepted - before.accepted;
        result.trades = after.trades - before.trades;
        result.given_up = given_up_;
        result.counters = path_.counters();
        return result;
    }

  private:
    static constexpr std::array<std::uint32_t, 1> k_one_part{1};

    /// Returns the time behind it.
    std::int64_t turn(std::int64_t now_ns, bool asking) {
        if (asking && ask(now_ns) > 0) {
            load_.stamp(load_clock_ns());
            path_.flush();
        }
        const std::size_t heard =
            path_.receive(k_answers_a_turn, options_.spin || options_.one_way || schedule_ ? 0 : 1,
                          [this](const net::Datagram& one) {
                              if (heard_now_ns_ == 0) heard_now_ns_ = load_clock_ns();
                              load_.hear(one.bytes, heard_now_ns_);
                          });
        const std::int64_t then_ns = std::max(load_clock_ns(), std::exchange(heard_now_ns_, 0));
        if (heard > 0) heard_ns_ = then_ns;
        if (asking && load_.outstanding() >= window() && then_ns - heard_ns_ > patience_ns_) {
            given_up_ += load_.outstanding();
            load_.forget_outstanding();
            heard_ns_ = then_ns;
        }
        return then_ns;
    }

    [[nodiscard]] std::uint64_t window() const {
        return options_.one_way || schedule_ ? std::numeric_limits<std::uint64_t>::max()
                                             : options_.settings.window;
    }

    std::size_t ask(std::int64_t now_ns) {
        std::size_t asked = 0;
        for (; asked < k_requests_a_turn && load_.outstanding() < window(); ++asked) {
            if (schedule_ && schedule_->due_ns() > now_ns - begin_ns_) break;
            if (!load_.ask(path_, to_)) break;
            if (schedule_) {
                load_.stamp(begin_ns_ + schedule_->due_ns());
                schedule_->advance();
            }
        }
        return asked;
    }

    const LoadOptions& options_;
    client::PacketLoad load_;
    Path& path_;
    net::Endpoint to_;
    std::optional<client::LoadSchedule> schedule_;
    std::int64_t patience_ns_ = nanoseconds_of(options_.answer_timeout_s);
    std::int64_t begin_ns_ = 0;
    std::int64_t heard_ns_ = 0;      ///< when something came last
    std::int64_t heard_now_ns_ = 0;  ///< in this turn
    std::uint64_t given_up_ = 0;
};

net::AnyPathOptions path_options(const LoadOptions& options) {
    net::AnyPathOptions wanted{.choice = options.udp_path,
                               .interface = options.udp_interface,
                               .address = {},
                               .mode = options.xdp_mode,
                               .prefer_busy_poll = options.busy_poll};
    if (wanted.interface.empty() || wanted.choice == net::PathChoice::socket)
        wanted.address = "0.0.0.0";
    return wanted;
}

std::expected<UdpResult, std::string> run_against(const LoadOptions& options,
                                                  const client::PacketLoadSettings& settings,
                                                  const std::string& host, std::uint16_t port) {
    const auto where = net::resolve(host, port);
    if (!where) return std::unexpected{where.error()};
    net::AnyPathOptions wanted = path_options(options);
    if (!where->is_ipv4()) {
        if (wanted.choice == net::PathChoice::xdp)
            return std::unexpected{
                fmt::format("{}: AF_XDP supports only IPv4; use --udp-path socket", where->host())};
        wanted.choice = net::PathChoice::socket;
        wanted.address = "::";
    }
    auto path = net::AnyPath::open(wanted);
    if (!path) return std::unexpected{path.error()};
    const auto to = path->resolve(where->host(), port);
    if (!to) return std::unexpected{to.error()};
    UdpResult result =
        path->visit([&](auto& open) { return UdpLoop{options, settings, open, *to}.run(); });
    result.path = path->describe();
    return result;
}

std::expected<void, std::string> take_core(const LoadOptions& options) {
    if (options.cores.empty() || pin_this_thread(options.cores.front())) return {};
    return std::unexpected{
        fmt::format("this process is not allowed to run on core {}", options.cores.front())};
}

// Higher with each run, up to 125,000 orders a second of the one before.
std::uint32_t number_by_clock() {
    constexpr std::int64_t k_ns_a_number = 8'000;
    return static_cast<std::uint32_t>(system_time_ns() / k_ns_a_number) & 0x7FFF'FFFEU;
}

}  // namespace

std::expected<client::PacketLoadSettings, std::string> packet_settings(const LoadOptions& options) {
    client::PacketLoadSettings settings{.orders_a_datagram = options.orders_a_datagram,
                                        .instrument = options.settings.instrument,
                                        .price_e2 = options.settings.mid_price_e2,
                                        .before = number_by_clock()};
    using wire::packet::Format;
    if (options.protocol == "packed")
        settings.format = Format::packed;
    else if (options.protocol == "words")
        settings.format = Format::words;
    else if (options.protocol != "extended")
        return std::unexpected{fmt::format(
            "{} is not a UDP protocol; expected packed, words or extended", options.protocol)};
    if (settings.format != Format::extended && options.orders_a_datagram != 1)
        return std::unexpected{std::string{
            "--orders-a-datagram needs the extended format; the others carry one order"}};
    return settings;
}

std::expected<UdpResult, std::string> run_udp(const LoadOptions& options) {
    const auto settings = packet_settings(options);
    if (!settings) return std::unexpected{settings.error()};
    if (auto taken = take_core(options); !taken) return std::unexpected{taken.error()};
    auto result = run_against(options, *settings, options.host, options.port);
    if (result && result->tally.answered == 0)
        return std::unexpected{fmt::format(
            "no answer from {}:{} to {} orders (is `damrak serve` running there, with its UDP "
            "gateway open?)",
            options.host, options.port, result->tally.asked)};
    return result;
}

std::expected<UdpResult, std::string> run_udp_echo(const LoadOptions& options) {
    auto settings = packet_settings(options);
    if (!settings) return std::unexpected{settings.error()};
    settings->echo = true;
    std::optional<net::VethPair> pair;
    LoadOptions here = options;
    std::string host = "127.0.0.1";
    if (!options.udp_interface.empty()) {
        auto made = net::VethPair::make();
        if (!made) return std::unexpected{"the bare echo: " + made.error()};
        pair.emplace(std::move(*made));
        here.udp_interface = net::VethPair::k_interface;
        host = net::VethPair::k_left_address;
    }
    const auto run = [&]() -> std::expected<UdpResult, std::string> {
        net::AnyPathOptions far = path_options(here);
        if (!pair) far.address = host;
        const auto echo = UdpEcho::start(
            far, pair ? &pair->left : nullptr, options.spin,
            options.cores.size() > 1 ? std::optional{options.cores[1]} : std::nullopt);
        if (!echo) return std::unexpected{echo.error()};
        if (auto taken = take_core(options); !taken) return std::unexpected{taken.error()};
        auto result = run_against(here, *settings, host, echo->port());
        if (result) result->far_path = echo->path();
        return result;
    };
    return pair ? pair->right.run(run) : run();
}

}  // namespace damrak::app
