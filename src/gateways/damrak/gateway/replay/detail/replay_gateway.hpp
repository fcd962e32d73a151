// The gateway of a replayed day: no client connects to it; it submits the commands of the day at
// the end of a turn. It exists only if a day is replayed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include <damrak/domain/event.hpp>
#include <damrak/domain/origin.hpp>
#include <damrak/gateway/gateway.hpp>
#include <damrak/recorded_market/replayed_day.hpp>

namespace damrak::gateway::replay {

template <class Exchange>
class ReplayGateway {
  public:
    static constexpr GatewayNumber k_gateway = recorded_market::k_playback_gateway;
    static constexpr std::string_view k_name = "replay";
    struct Setup {
        std::shared_ptr<recorded_market::ReplayedDay> day;
        bool open = false;  ///< to clients: there are none
    };

    ReplayGateway(Setup setup, const House& house) : day_(std::move(setup.day)) {
        house.participants.reserve(day_->participant());
    }

    void attach(Exchange& /*exchange*/) {}
    [[nodiscard]] std::expected<void, std::string> listen() { return {}; }
    [[nodiscard]] std::uint16_t port() const { return 0; }
    [[nodiscard]] int wake_source() const { return -1; }
    std::size_t poll(int /*wait_ms*/) { return 0; }
    [[nodiscard]] bool busy() const { return false; }
    [[nodiscard]] bool is_due(Timestamp /*now*/) const { return false; }
    [[nodiscard]] Timestamp time() const { return {}; }
    [[nodiscard]] int patience_ms(int wait_ms) const { return day_->patience_ms(wait_ms); }
    [[nodiscard]] bool stopped() const { return stopped_; }

    void on_event(const Event& event, const Origin& origin, const CommandStamp& /*stamp*/) {
        day_->on_event(event, origin);
    }
    void on_command_end(const Origin& origin) { day_->on_command_end(origin); }
    /// Returns the number of commands submitted.
    std::size_t on_turn_end(Timestamp now, Exchange& exchange) {
        if (stopped_) return 0;
        return day_->play(now, exchange, stopped_);
    }
    void flush() {}
    void close() {}

  private:
    std::shared_ptr<recorded_market::ReplayedDay> day_;
    bool stopped_ = false;
};

}  // namespace damrak::gateway::replay
