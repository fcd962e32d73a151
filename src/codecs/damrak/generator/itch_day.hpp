// The public feed of a generated day: order flow (order_flow.hpp) as ITCH 5.0 messages, with the
// system events, the stock directory and the trading states that parsers expect.
//
// Called by `damrak generate`, benchmarks and tests, from one thread. All effects of a
// participant's message have one time stamp, later than the previous message's. The same options
// give the same messages on every machine.
#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <vector>

#include <damrak/generator/detail/day_clock.hpp>
#include <damrak/generator/flow.hpp>
#include <damrak/wire/itch/messages.hpp>

namespace damrak::generator {

class ItchDay {
  public:
    /// The error says which option is out of range for the flow or for the feed.
    [[nodiscard]] static std::expected<ItchDay, std::string> create(const FlowOptions& options);

    /// The next messages, valid until the next call; empty at the end of the day.
    [[nodiscard]] const std::vector<wire::itch::Message>& next();

    /// Messages of participants so far, excluding the prefill.
    [[nodiscard]] std::uint64_t submitted() const { return submitted_; }
    [[nodiscard]] std::uint64_t trades() const { return trades_; }
    [[nodiscard]] const OrderFlow& flow() const { return flow_; }

  private:
    enum class Phase : std::uint8_t { before, prefill, trading, over };

    ItchDay(const FlowOptions& options, OrderFlow flow);

    void publish_opening();
    void publish(const FlowStep& step, std::int64_t time_ns);
    void publish(const MarketEvent& event, std::int64_t time_ns);
    void publish_system_event(char code, std::int64_t time_ns);

    OrderFlow flow_;
    detail::DayClock clock_;
    std::vector<wire::itch::Stock> stocks_;
    std::vector<wire::itch::Message> messages_;
    Phase phase_{Phase::before};
    std::uint64_t submitted_{0};
    std::uint64_t trades_{0};
};

/// SIM1, SIM2, ...: the name of the symbol with this index.
[[nodiscard]] wire::itch::Stock stock_name(std::uint32_t symbol);

}  // namespace damrak::generator
