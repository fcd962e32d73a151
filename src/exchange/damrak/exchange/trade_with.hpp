// A Trading for a list of gateways, in either wiring. The exchange includes it for the standard
// gateways, and you include it for your own list:
//
//   template <class E>
//   using MyGateways = Gateways<E, OneOfDamraks<E>, MyGateway<E>>;
//   Exchange::start(settings, trade_with<MyGateways>);
//
// Compiles both wirings of an exchange.
#pragma once

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <typeinfo>
#include <utility>
#include <vector>

#include <damrak/base/touched_memory.hpp>
#include <damrak/exchange/detail/gateways.hpp>
#include <damrak/exchange/detail/inline_exchange.hpp>
#include <damrak/exchange/detail/pipelined_exchange.hpp>
#include <damrak/exchange/detail/trading.hpp>
#include <damrak/exchange/system_time.hpp>
#include <damrak/gateway/gateway_making.hpp>
#include <damrak/gateway/health.hpp>
#include <damrak/gateway/session_notices.hpp>
#include <damrak/recorded_market/replayed_day.hpp>
#include <damrak/standard_exchange/gateway_list.hpp>

namespace damrak::exchange {

namespace detail {

// Common to both wirings, which differ in the sequencer's calls.
template <class Gateways, class Sequencer>
class TradingIn : public Trading {
  public:
    template <class... Arguments>
    explicit TradingIn(const Settings& settings, Arguments&&... arguments)
        : notices_(settings.on_notice),
          data_(settings.data),
          fees_at_start_(settings.venue ? settings.venue->fees : Fees{}),
          gateways_(Gateways::make(settings.capacity,
                                   [from = gateway::GatewayMaking{settings, notices_}](
                                       auto gateway) { return setup_for(gateway, from); })),
          sequencer_(settings.capacity, std::forward<Arguments>(arguments)..., gateways_) {
        TradingIn::set_identities(settings);
        if (settings.replayed) sequencer_.use(settings.replayed->clock());
    }

    TradingIn(const TradingIn&) = delete;
    TradingIn& operator=(const TradingIn&) = delete;

    [[nodiscard]] journal::Result<void> open() override {
        journal::Result<void> opened;
        gateways_.each([&](auto& gateway) {
            if constexpr (requires { gateway.open_files(); })
                if (opened) opened = gateway.open_files();
        });
        if (opened && fees_at_start_.exist()) set_fees(fees_at_start_);
        return opened;
    }
    [[nodiscard]] std::uint64_t latest_snapshot() const override {
        std::uint64_t latest = UINT64_MAX;
        gateways_.each([&](const auto& gateway) {
            if constexpr (requires { gateway.reported_position(); })
                latest = std::min(latest, gateway.reported_position());
        });
        return latest;
    }
    [[nodiscard]] journal::Result<void> check_new_journal() const override {
        journal::Result<void> may_begin;
        gateways_.each([&](const auto& gateway) {
            if constexpr (requires { gateway.check_new_journal(data_); })
                if (may_begin) may_begin = gateway.check_new_journal(data_);
        });
        return may_begin;
    }
    [[nodiscard]] journal::Result<void> check_replayed(const FollowedState& state) const override {
        journal::Result<void> fits;
        gateways_.each([&](const auto& gateway) {
            if constexpr (requires { gateway.check_replayed(state); })
                if (fits) fits = gateway.check_replayed(state);
        });
        return fits;
    }
    void follow_replay(FollowedState& state) override {
        gateways_.each([&](auto& gateway) {
            if constexpr (requires { gateway.follow_replay(state); }) gateway.follow_replay(state);
        });
    }
    void note_records(std::span<const journal::Record> records) override {
        gateways_.each([&](auto& gateway) {
            if constexpr (requires { gateway.note_records(records); })
                gateway.note_records(records);
        });
    }
    [[nodiscard]] std::vector<feed::MarketObserver*> observers(
        const EngineConfig& engine) override {
        std::vector<feed::MarketObserver*> all;
        gateways_.each_with_clients([&](auto& gateway) {
            if constexpr (requires { gateway.observer(engine); })
                all.push_back(&gateway.observer(engine));
        });
        return all;
    }
    void take_over(const FollowedState& state) override {
        const TouchedMemory touched;
        sequencer_.take_over(state);
        gateways_.take_over(state);
        gateways_.note_accounts(state.engine().accounts());
    }
    void start(journal::JournalWriter& writer) override {
        gateways_.attach(sequencer_);
        sequencer_.start(writer, system_time());
    }
    using Trading::submit;
    [[nodiscard]] bool submit(std::span<const Command> commands, const Tag& tag) override {
        return std::ranges::all_of(commands, [&](const Command& command) {
            return sequencer_.submit(command, {.tag = tag}, system_time());
        });
    }
    [[nodiscard]] journal::Result<void> listen() override { return gateways_.listen(); }
    [[nodiscard]] journal::Result<void> use_certificates(const Settings& settings) override {
        journal::Result<void> used;
        gateways_.each([&](auto& gateway) {
            if constexpr (requires { gateway.use_certificates(settings); })
                if (used) used = gateway.use_certificates(settings);
        });
        return used;
    }
    [[nodiscard]] Timestamp time() override { return gateways_.time(); }
    std::size_t do_work(int wait_ms) override {
        const std::size_t messages = gateways_.do_work(wait_ms);
        if (messages > 0)
            gateways_.each([](auto& gateway) {
                if constexpr (requires { gateway.on_messages(); }) gateway.on_messages();
            });
        return messages;
    }
    // What waits at the speed bump passes.
    void close() override {
        sequencer_.end_delay(system_time());
        gateways_.close();
    }
    void set_fees(const Fees& fees) override {
        gateways_.each([&](auto& gateway) {
            if constexpr (requires { gateway.set_fees(fees); }) gateway.set_fees(fees);
        });
    }
    void set_delay(const venue::Delay& delay, std::uint64_t seed) override {
        sequencer_.set_delay(delay, seed);
        gateways_.delay_reports(delay.reports_ns);
    }
    void note_all_reported(std::uint64_t sequence) override {
        gateways_.each([&](auto& gateway) {
            if constexpr (requires { gateway.note_reported(sequence); })
                gateway.note_reported(sequence);
        });
    }

    [[nodiscard]] bool stopped() const override { return gateways_.stopped(); }
    [[nodiscard]] Ports ports() const override { return gateways_.ports(); }
    [[nodiscard]] std::vector<std::string> descriptions(const Settings& settings) const override {
        std::vector<std::string> lines;
        gateways_.each_with_clients([&](const auto& gateway) {
            if constexpr (requires { gateway.describe(settings, lines); })
                gateway.describe(settings, lines);
        });
        return lines;
    }
    void set_identities(const Settings& settings) override {
        gateways_.set_identities(settings.identities());
        gateways_.set_anonymous_share(settings.anonymous_share);
    }
    [[nodiscard]] telemetry::Probe& probe() override { return gateways_.probe(); }
    void add_usages(const Settings& settings, gateway::Usages& usages) const override {
        usages.push_back(
            gateway::Usage::of_row("participants", gateways_.participants().figures()));
        gateways_.each_listed([&]<class D>(std::type_identity<D> /*type*/, const auto* gateway) {
            if constexpr (requires { D::add_usages(gateway, settings, usages); })
                D::add_usages(gateway, settings, usages);
        });
    }
    [[nodiscard]] std::string metrics() override {
        std::string text;
        gateways_.each_with_clients([&](auto& gateway) {
            if constexpr (requires { gateway.metrics(); }) text.insert(0, gateway.metrics());
        });
        return text;
    }
    [[nodiscard]] gateway::Health health() const override {
        gateway::Health all;
        gateways_.each_with_clients([&](const auto& gateway) {
            if constexpr (requires { gateway.health(); }) {
                const gateway::Health one = gateway.health();
                if (all.failure.empty()) all.failure = one.failure;
                if (all.warning.empty()) all.warning = one.warning;
            }
        });
        return all;
    }
    void look_for_troubles(std::int64_t now_ns) override {
        gateways_.each_with_clients([&](auto& gateway) {
            if constexpr (requires { gateway.look_for_troubles(now_ns); })
                gateway.look_for_troubles(now_ns);
        });
    }
    void tell_totals() const override {
        gateways_.each_with_clients([](const auto& gateway) {
            if constexpr (requires { gateway.tell_totals(); }) gateway.tell_totals();
        });
    }
    [[nodiscard]] std::uint64_t state_hash() const override { return sequencer_.state_hash(); }
    [[nodiscard]] std::uint64_t commands() const override { return sequencer_.commands(); }

  protected:
    gateway::SessionNotices notices_;
    std::filesystem::path data_;
    Fees fees_at_start_;  ///< of the reports that a restart makes up for
    Gateways gateways_;
    Sequencer sequencer_;

  private:
    [[nodiscard]] void* find_admin(const std::type_info& type) override {
        void* found = nullptr;
        gateways_.each_with_clients([&](auto& gateway) {
            if constexpr (requires { gateway.admin(); })
                if (type == typeid(gateway.admin())) found = &gateway.admin();
        });
        return found;
    }
};

template <template <class> class List>
class InlineTrading final : public TradingIn<List<InlineExchangeOf<List>>, InlineExchangeOf<List>> {
    using Base = TradingIn<List<InlineExchangeOf<List>>, InlineExchangeOf<List>>;

  public:
    explicit InlineTrading(const Settings& settings) : Base(settings) {}

    void settle() override {}
    [[nodiscard]] MarketView market() const override {
        return MarketView::of(this->sequencer_.engine());
    }
};

[[nodiscard]] sequencer::PipelineConfig pipeline_config(const Settings& settings);

template <template <class> class List>
class PipelinedTrading final
    : public TradingIn<List<PipelinedExchangeOf<List>>, PipelinedExchangeOf<List>> {
    using Base = TradingIn<List<PipelinedExchangeOf<List>>, PipelinedExchangeOf<List>>;

  public:
    explicit PipelinedTrading(const Settings& settings)
        : Base(settings, pipeline_config(settings)) {}

    void start(journal::JournalWriter& writer) override {
        Base::start(writer);
        this->sequencer_.run();
    }
    using Base::submit;
    [[nodiscard]] bool submit(std::span<const Command> commands, const Tag& tag) override {
        if (!Base::submit(commands, tag)) return false;
        settle();
        return this->sequencer_.is_settled();
    }
    void settle() override { this->sequencer_.settle(system_time()); }
    // Answers pending requests first, and does what the ends of the sessions require.
    void close() override {
        this->sequencer_.end_delay(system_time());
        settle();
        Base::close();
        settle();
        this->sequencer_.stop();
    }
    [[nodiscard]] MarketView market() const override {
        return MarketView::of(this->sequencer_.partition());
    }
};

}  // namespace detail

/// In the wiring of the settings.
template <template <class Exchange> class List>
[[nodiscard]] std::unique_ptr<Trading> trade_with(const Settings& settings) {
    const TouchedMemory touched;
    if (settings.wiring == Wiring::pipelined)
        return std::make_unique<detail::PipelinedTrading<List>>(settings);
    return std::make_unique<detail::InlineTrading<List>>(settings);
}

// Compiled once, for `damrak serve`.
extern template class detail::InlineTrading<standard_exchange::Gateways>;
extern template class detail::PipelinedTrading<standard_exchange::Gateways>;

}  // namespace damrak::exchange
