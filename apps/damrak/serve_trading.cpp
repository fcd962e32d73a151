#include "serve_trading.hpp"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include <damrak/gateway/inline_exchange.hpp>
#include <damrak/gateway/pipelined_exchange.hpp>

#include "serve_helpers.hpp"
#include "serve_notices.hpp"

namespace damrak::app {

namespace {

gateway::BinaryGatewayConfig gateway_config(const ServeSettings& settings,
                                            SessionNotices& notices) {
    return {.address = settings.address,
            .port = settings.port("binary").value_or(0),
            .maximum_connections = settings.connections,
            .session_timeout_ns = std::int64_t{settings.session_timeout_s} * 1'000'000'000,
            .rules = {.cancel_on_disconnect = settings.cancel_on_disconnect,
                      .cancel_on_logout = settings.cancel_on_logout,
                      .messages_per_second = settings.messages_per_second,
                      .burst_messages = settings.burst_messages == 0 ? settings.messages_per_second
                                                                     : settings.burst_messages},
            .api_keys = settings.keys_of_door(),
            .on_disconnect = [&notices](SessionId id, std::string_view reason) {
                notices.tell(id, reason);
            }};
}

// What both wirings have in common; what differs is in the calls of the sequencer.
template <class Door, class Sequencer>
class TradingIn : public Trading {
  public:
    template <class... Arguments>
    explicit TradingIn(const ServeSettings& settings, Arguments&&... arguments)
        : door_(gateway_config(settings, notices_), settings.capacity),
          sequencer_(settings.capacity, std::forward<Arguments>(arguments)..., door_) {}

    void take_over(const FollowedState& state) override {
        sequencer_.take_over(state, door_.names());
    }
    void start(journal::JournalWriter& writer) override { sequencer_.start(writer, system_time()); }
    [[nodiscard]] bool submit(const Command& command) override {
        return sequencer_.submit(command, {}, system_time());
    }
    [[nodiscard]] journal::Result<void> listen() override {
        door_.attach(sequencer_);
        return door_.listen();
    }
    void do_work(int wait_ms) override { door_.do_work(wait_ms); }
    void close() override { door_.close(); }

    [[nodiscard]] bool stopped() const override { return door_.stopped(); }
    [[nodiscard]] std::uint16_t port() const override { return door_.port(); }
    void set_api_keys(std::map<wire::binary::ApiKey, ParticipantId> keys) override {
        door_.set_api_keys(std::move(keys));
    }
    [[nodiscard]] telemetry::Probe& probe() override { return door_.probe(); }
    [[nodiscard]] std::uint64_t state_hash() const override { return sequencer_.state_hash(); }
    [[nodiscard]] std::uint64_t commands() const override { return sequencer_.commands(); }

  protected:
    SessionNotices notices_;
    Door door_;
    Sequencer sequencer_;
};

class InlineTrading final : public TradingIn<gateway::BinaryDoor, gateway::InlineExchange> {
  public:
    explicit InlineTrading(const ServeSettings& settings)
        : TradingIn(settings), instruments_(settings.capacity.maximum_instruments) {}

    [[nodiscard]] MarketView market() const override {
        return MarketView::of(sequencer_.engine(), instruments_);
    }

  private:
    std::uint32_t instruments_;
};

sequencer::PipelineConfig pipeline_config(const ServeSettings& settings) {
    sequencer::PipelineConfig config{.shards = settings.shards, .waiting = settings.waiting};
    // The first core is the door's.
    if (settings.cores.size() > 1)
        config.cores.assign(settings.cores.begin() + 1, settings.cores.end());
    return config;
}

class PipelinedTrading final
    : public TradingIn<gateway::PipelinedDoor, gateway::PipelinedExchange> {
  public:
    explicit PipelinedTrading(const ServeSettings& settings)
        : TradingIn(settings, pipeline_config(settings)) {}

    void start(journal::JournalWriter& writer) override {
        TradingIn::start(writer);
        sequencer_.run();
    }
    [[nodiscard]] bool submit(const Command& command) override {
        if (!TradingIn::submit(command)) return false;
        sequencer_.settle(system_time());
        return !sequencer_.awaits_answers();
    }
    // What is under way is answered first, and what the ends of the sessions ask for is done.
    void close() override {
        sequencer_.settle(system_time());
        TradingIn::close();
        sequencer_.settle(system_time());
        sequencer_.stop();
    }
    [[nodiscard]] MarketView market() const override {
        return MarketView::of(sequencer_.partition(),
                              sequencer_.partition().config().maximum_instruments);
    }
};

}  // namespace

std::unique_ptr<Trading> make_trading(const ServeSettings& settings) {
    if (settings.wiring == Wiring::pipelined) return std::make_unique<PipelinedTrading>(settings);
    return std::make_unique<InlineTrading>(settings);
}

}  // namespace damrak::app
