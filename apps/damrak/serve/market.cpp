#include "serve/market.hpp"

#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include <damrak/base/assert.hpp>
#include <damrak/exchange/system_time.hpp>

#include "say.hpp"
#include "sim/live_run.hpp"

namespace damrak::app {
namespace {

constexpr std::uint64_t k_seed = 1;
constexpr std::int64_t k_farewell_ns = 2 * k_second_ns;

constexpr unsigned char k_demo_bytes[] = {
#include "demo_market.inc"
};

}  // namespace

market_runs::MarketFile demo_market_file() {
    std::string text;
    for (const unsigned char byte : k_demo_bytes) text += static_cast<char>(byte);
    auto file = market_runs::parse_market_file(text, "demo.toml");
    DAMRAK_ASSERT(file.has_value());  // a test reads all examples
    return *std::move(file);
}

DemoMarketThread::DemoMarketThread(DemoMarketSettings settings)
    : thread_([this, settings = std::move(settings)](const std::stop_token& stop) {
          run(stop, settings);
          gone_.store(true);
      }) {}

void DemoMarketThread::run(const std::stop_token& stop, const DemoMarketSettings& settings) {
    market_kernel::MarketSetup setup = market_runs::make_setup(
        market_runs::with_instruments(demo_market_file(), settings.instruments), k_seed);
    setup.begin = exchange::system_time();
    LiveRun::Links links;
    for (std::size_t i = 0; i < setup.seats.size(); ++i)
        links.push_back(std::make_unique<client::BinaryOrderClient>(settings.gateway));
    LiveRun live{std::move(setup),
                 std::move(links),
                 {.feed = {.host = settings.gateway.host, .port = settings.itch_port}}};
    while (!stop.stop_requested() && !live.is_refused()) live.turn(exchange::system_time().value);
    if (live.is_refused()) say("demo market  {}\n", live.trouble());
    const std::int64_t leave_by_ns = exchange::system_time().value + k_farewell_ns;
    while (!live.leave() && exchange::system_time().value < leave_by_ns)
        live.turn(exchange::system_time().value);
}

}  // namespace damrak::app
