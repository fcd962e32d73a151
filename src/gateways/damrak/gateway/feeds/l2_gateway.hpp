// The gateway of the L2 multicast. The thread that follows the journal feeds it, so matching does
// not wait for it.
#pragma once

#include <array>
#include <cstdint>
#include <expected>
#include <string>
#include <string_view>

#include <damrak/feed/l2_publisher.hpp>
#include <damrak/feed/market_observer.hpp>
#include <damrak/gateway/feeds/open_feed.hpp>
#include <damrak/net/datagram_batch.hpp>
#include <damrak/net/udp.hpp>

namespace damrak::gateway::feeds {

/// Multicast group of the L2 feed.
inline constexpr const char* k_l2_group = "239.0.0.1";

class L2Gateway final : public feed::MarketObserver {
  public:
    L2Gateway(net::MulticastSender sender, const EngineConfig& engine);

    [[nodiscard]] std::expected<void, std::string> begin(const Engine& engine,
                                                         std::uint64_t /*position*/) override {
        publisher_.load(engine);
        return {};
    }
    void on_event(const Event& event, const CommandStamp& /*stamp*/) override {
        publisher_.on_event(event);
    }
    /// While the follower lags, the books are out of date: changes are sent once it has caught up.
    void on_batch_end(bool caught_up) override { caught_up_ = caught_up; }
    void on_turn(std::int64_t now_ns) override {
        if (!caught_up_) return;
        publisher_.do_work(now_ns);
        batch_.flush();
    }

    [[nodiscard]] std::uint16_t port() const { return batch_.sender().port(); }

  private:
    net::DatagramBatch batch_;
    feed::L2Publisher publisher_;
    bool caught_up_ = true;
};

inline constexpr std::array<std::string_view, 1> k_l2_gateways{"l2"};

[[nodiscard]] journal::Result<OpenFeed> open_l2(const Settings& settings);

}  // namespace damrak::gateway::feeds
