// `damrak sim join`: the participants of a market file trade at an exchange that runs.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <damrak/base/duration_text.hpp>
#include <damrak/client/binary_order_client.hpp>
#include <damrak/client/fix_order_client.hpp>
#include <damrak/client/ouch_order_client.hpp>
#include <damrak/exchange/system_time.hpp>
#include <damrak/market_runs/market_file.hpp>
#include <damrak/net/client_descriptors.hpp>

#include "cli.hpp"
#include "say.hpp"
#include "serve/process.hpp"
#include "sim/jobs.hpp"
#include "sim/live_run.hpp"

namespace damrak::app {
namespace {

constexpr std::int64_t k_farewell_ns = 2 * k_second_ns;
constexpr std::int64_t k_told_ns = 2 * k_second_ns;
constexpr std::uint32_t k_most_participants = 1'000;

std::expected<std::unique_ptr<client::OrderClient>, std::string> make_link(
    const SimJoinOptions& options, std::uint32_t number, const client::Symbols& symbols) {
    const std::string name = fmt::format("{}{}", options.comp_id, number);
    if (options.gateway == "fix") {
        client::FixOrderClientSettings settings{
            .comp_id = name, .exchange_comp_id = options.exchange_comp_id, .market_data = false};
        return client::FixOrderClient::make(options.host, options.port.value_or(9'878), settings);
    }
    if (options.gateway == "ouch") {
        if (name.size() > wire::soupbin::k_user_bytes)
            return std::unexpected{
                fmt::format("{}: an OUCH user has at most {} characters; give a shorter --comp-id",
                            name, wire::soupbin::k_user_bytes)};
        return std::make_unique<client::OuchOrderClient>(
            client::OuchOrderClientSettings{.host = options.host,
                                            .port = options.port.value_or(26'400),
                                            .user = name,
                                            .password = options.password},
            symbols);
    }
    return std::make_unique<client::BinaryOrderClient>(client::BinaryOrderClientSettings{
        .host = options.host, .port = options.port.value_or(12'345)});
}

std::expected<LiveRun::Links, std::string> make_links(const SimJoinOptions& options,
                                                      const market_runs::MarketFile& file) {
    client::Symbols symbols;
    for (const auto& instrument : file.instruments)
        symbols.add(instrument.definition.id, std::string{instrument.definition.symbol.view()});
    LiveRun::Links links;
    for (std::uint32_t i = 1; i <= file.participants(); ++i) {
        auto link = make_link(options, i, symbols);
        if (!link) return std::unexpected{link.error()};
        links.push_back(*std::move(link));
    }
    return links;
}

/// Tells once about each trouble, when it lasts.
class Teller {
  public:
    void look(const LiveRun& run, std::int64_t now_ns) {
        const std::string trouble = run.trouble();
        if (trouble != trouble_) {
            trouble_ = trouble;
            since_ns_ = now_ns;
            is_told_ = false;
        }
        if (!trouble_.empty() && !is_told_ && now_ns - since_ns_ > k_told_ns) {
            is_told_ = true;
            say("waiting: {}\n", trouble_);
        }
        const auto& faults = run.market().faults();
        for (; faults_ < faults.size(); ++faults_) say("isolated: {}\n", faults[faults_]);
        if (run.market().has_started() && !std::exchange(has_started_, true))
            say("{} trade\n",
                counted(static_cast<std::int64_t>(run.market().participants()), "participant"));
    }

  private:
    std::string trouble_;
    std::int64_t since_ns_ = 0;
    std::size_t faults_ = 0;
    bool is_told_ = false;
    bool has_started_ = false;
};

void print(const SimJoinOptions& options, const live_participants::LiveMarket& market) {
    if (options.json)
        print_json({{"participants", market.participants()},
                    {"messages", market.orders_sent()},
                    {"fills", market.trades()},
                    {"faults", market.faults()}});
    else
        fmt::print("{} participants sent {} messages and had {} fills\n", market.participants(),
                   market.orders_sent(), market.trades());
}

}  // namespace

int join_exchange(const SimJoinOptions& options) {
    const auto file = market_runs::read_market_file(options.file);
    if (!file) return fail(file.error());
    if (file->participants() > k_most_participants)
        return fail(fmt::format("{}: {} participants; at most {} join, each with a connection",
                                options.file.string(), file->participants(), k_most_participants));
    std::int64_t duration_ns = INT64_MAX;
    if (!options.duration.empty()) {
        const auto duration = parse_duration(options.duration);
        if (!duration || *duration <= 0)
            return fail_usage(fmt::format("--duration {}: expected a time such as 30s or 10min",
                                          options.duration),
                              "sim join");
        duration_ns = *duration;
    }
    handle_signals();
    net::raise_descriptor_limit(file->participants() + 64);
    auto links = make_links(options, *file);
    if (!links) return fail(links.error());
    const std::int64_t began_ns = exchange::system_time().value;
    market_kernel::MarketSetup setup =
        market_runs::make_setup(*file, options.seed.value_or(file->seed));
    setup.begin = {began_ns};
    client::SoupReceiverConfig feed{.feed = {.host = options.host, .port = options.itch_port}};
    LiveRun run{std::move(setup), *std::move(links), feed};
    Teller teller;
    std::int64_t now_ns = began_ns;
    while (!stop_asked() && now_ns - began_ns < duration_ns && !run.is_refused()) {
        now_ns = exchange::system_time().value;
        run.turn(now_ns);
        teller.look(run, now_ns);
    }
    if (run.is_refused()) return fail(run.trouble());
    if (!run.market().has_started()) {
        const std::string trouble = run.trouble();
        return fail(
            fmt::format("nobody traded: {}",
                        trouble.empty() ? "not all participants were logged in in time" : trouble));
    }
    const std::int64_t leaves_ns = now_ns;
    while (!run.leave() && now_ns - leaves_ns < k_farewell_ns) {
        now_ns = exchange::system_time().value;
        run.turn(now_ns);
    }
    print(options, run.market());
    return k_exit_success;
}

}  // namespace damrak::app
