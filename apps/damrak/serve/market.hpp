// What `damrak serve` shows of its market: the L2 multicast door, fed by the thread that follows
// the journal, and the demo market, whose participants are clients of the binary door on a thread
// of their own. The matching thread waits for neither.
#pragma once

#include <atomic>
#include <cstdint>
#include <expected>
#include <memory>
#include <thread>
#include <vector>

#include <damrak/feed/l2_publisher.hpp>
#include <damrak/net/udp.hpp>
#include <damrak/sim/demo_market.hpp>

#include "serve/follower.hpp"
#include "term/link.hpp"

namespace damrak::app {

/// The group of the L2 multicast.
inline constexpr const char* k_l2_group = "239.0.0.1";

/// The L2 door.
class L2Door final : public MarketObserver {
  public:
    /// Begins with the books as they stand in the follower's state. A port of zero takes a free
    /// one.
    [[nodiscard]] static std::expected<std::unique_ptr<L2Door>, std::string> open(
        std::uint16_t port, const EngineConfig& engine, const FollowedState& state);

    void on_event(const Event& event, const CommandStamp& /*stamp*/) override {
        publisher_.on_event(event);
    }
    /// Behind the exchange the books are of the past: what changed is sent once it has caught up.
    void on_batch_end(bool caught_up) override { caught_up_ = caught_up; }
    void on_turn(std::int64_t now_ns) override {
        if (caught_up_) publisher_.do_work(now_ns);
    }

    [[nodiscard]] std::uint16_t port() const { return sender_.port(); }

  private:
    L2Door(net::MulticastSender sender, const EngineConfig& engine);

    net::MulticastSender sender_;
    feed::L2Publisher publisher_;
    bool caught_up_ = true;
};

/// The demo market on its thread, connected to a door that listens already.
class DemoMarketThread {
  public:
    DemoMarketThread(LinkSettings door, std::vector<sim::DemoInstrument> instruments);

    /// They take back their orders and leave; the door is to be served meanwhile.
    void ask_to_leave() { thread_.request_stop(); }
    [[nodiscard]] bool gone() const { return gone_.load(); }

  private:
    void run(const std::stop_token& stop, const LinkSettings& door,
             std::vector<sim::DemoInstrument> instruments);

    std::atomic<bool> gone_{false};
    std::jthread thread_;
};

/// Where the demo market begins with an instrument, by its symbol.
[[nodiscard]] sim::DemoInstrument demo_instrument(const InstrumentDefinition& definition);

}  // namespace damrak::app
