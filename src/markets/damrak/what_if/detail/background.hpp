// The recorded day as a participant of a market in virtual time: submits the commands of the record
// (playback/playback.hpp) and hears their answers. One thread.
#pragma once

#include <cstdint>

#include <damrak/market_kernel/market.hpp>
#include <damrak/recorded_market/playback.hpp>

namespace damrak::what_if {

class Background final : public market_kernel::MarketWatcher {
  public:
    Background(recorded_market::RecordedMessages messages, ParticipantId participant,
               std::uint32_t maximum_orders)
        : playback_(std::move(messages), participant, maximum_orders, 1) {}

    void on_event(const Event& event, const CommandStamp& /*stamp*/) override {
        playback_.on_event(event, origin_);
    }

    /// Plays what is due up to this time since midnight, at the current moment of the market.
    void play(market_kernel::Market& market, std::int64_t until_ns) {
        while (const auto due = playback_.next(until_ns)) {
            origin_ = recorded_market::Playback::origin_of(*due);
            market.submit(due->command);
            playback_.on_command_end(origin_);
            origin_ = {};
        }
    }
    [[nodiscard]] recorded_market::Playback& playback() { return playback_; }

  private:
    recorded_market::Playback playback_;
    Origin origin_{};  ///< of the command that is being answered
};

}  // namespace damrak::what_if
