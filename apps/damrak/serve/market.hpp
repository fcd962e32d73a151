// The demo market of `damrak serve`: the participants of examples/markets/demo.toml, which is part
// of the program, as clients of the exchange's own gateways on a thread of their own.
#pragma once

#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

#include <damrak/client/binary_order_client.hpp>
#include <damrak/domain/instrument.hpp>
#include <damrak/market_runs/market_file.hpp>

namespace damrak::app {

/// As the program brings it.
[[nodiscard]] market_runs::MarketFile demo_market_file();

struct DemoMarketSettings {
    client::BinaryOrderClientSettings gateway;  ///< of the orders
    std::uint16_t itch_port = 0;
    std::vector<InstrumentDefinition> instruments;
};

/// Connected to gateways that listen already.
class DemoMarketThread {
  public:
    explicit DemoMarketThread(DemoMarketSettings settings);

    /// The participants cancel their orders and leave; the gateways must be served meanwhile.
    void ask_to_leave() { thread_.request_stop(); }
    [[nodiscard]] bool gone() const { return gone_.load(); }

  private:
    static void run(const std::stop_token& stop, const DemoMarketSettings& settings);

    std::atomic<bool> gone_{false};
    std::jthread thread_;
};

}  // namespace damrak::app
