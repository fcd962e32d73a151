// A Trading for a list of gateways, in either wiring. The exchange includes it for the standard
// gateways, and you include it for your own list:
//
//   template <class E>
//   using MyGateways = Gateways<E, gateway::BinaryGateway<net::TcpNetwork, E>, MyGateway<E>>;
//   Exchange::start(settings, trade_with<MyGateways>);
//
// Compiles both wirings of an exchange.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>

#include <damrak/base/touched_memory.hpp>
#include <damrak/exchange/detail/fix_stores.hpp>
#include <damrak/exchange/detail/inline_exchange.hpp>
#include <damrak/exchange/detail/missing_reports.hpp>
#include <damrak/exchange/detail/pipelined_exchange.hpp>
#include <damrak/exchange/detail/session_notices.hpp>
#include <damrak/exchange/detail/trading.hpp>
#include <damrak/exchange/gateway_setups.hpp>
#include <damrak/exchange/system_time.hpp>
#include <damrak/recorded_market/replayed_day.hpp>

namespace damrak::exchange {

namespace detail {

// Common to both wirings, which differ in the sequencer's calls.
template <class Gateways, class Sequencer>
class TradingIn : public Trading {
  public:
    template <class... Arguments>
    explicit TradingIn(const Settings& settings, Arguments&&... arguments)
        : notices_(settings.fix_folder() / "sessions.log", settings.on_notice),
          folder_(settings.fix_folder()),
          udp_interface_(settings.udp.interface),
          fees_at_start_(settings.venue ? settings.venue->fees : Fees{}),
          stores_(settings.fix.store),
          gateways_(Gateways::make(settings.capacity,
                                   [from = GatewayMaking{settings, notices_, stores_}](
                                       auto gateway) { return setup_for(gateway, from); })),
          sequencer_(settings.capacity, std::forward<Arguments>(arguments)..., gateways_) {
        TradingIn::set_identities(settings);
        if (settings.replayed) sequencer_.use(settings.replayed->clock());
    }

    ~TradingIn() override { stores_.keep_no_more(); }
    TradingIn(const TradingIn&) = delete;
    TradingIn& operator=(const TradingIn&) = delete;

    [[nodiscard]] journal::Result<void> open() override {
        journal::Result<void> opened;
        with<gateway::k_fix_gateway>([&](auto& fix) {
            if (!is_open<gateway::k_fix_gateway>() && !std::filesystem::exists(folder_)) return;
            opened = fix.open_application(journal::real_files(), system_time());
            if (opened && fees_at_start_.exist()) fix.application().set_fees(fees_at_start_);
            if (opened) stores_.start([&fix] { return fix.application().sessions().work_aside(); });
        });
        return opened;
    }
    [[nodiscard]] std::uint64_t latest_snapshot() const override {
        std::uint64_t latest = UINT64_MAX;
        with_application([&](auto& application) { latest = application.reported_position(); });
        return latest;
    }
    void follow_replay(FollowedState& state) override {
        with_application(
            [&state](auto& application) { report_what_is_missing(application, state); });
    }
    void note_records(std::span<const journal::Record> records) override {
        with_application([&](auto& application) {
            for (const journal::Record& record : records) application.note_record(record);
        });
    }
    [[nodiscard]] std::uint64_t missing_reported() const override {
        std::uint64_t missing = 0;
        with_application([&](auto& application) { missing = application.missing_reported(); });
        return missing;
    }
    [[nodiscard]] bool show(feed::MarketSnapshots& snapshots) override {
        if (!is_open<gateway::k_fix_gateway>()) return false;
        with<gateway::k_fix_gateway>([&](auto& fix) { fix.application().show(snapshots); });
        return true;
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
    [[nodiscard]] bool submit(const Command& command, const Tag& tag) override {
        return sequencer_.submit(command, {.tag = tag}, system_time());
    }
    [[nodiscard]] journal::Result<void> listen() override { return gateways_.listen(); }
    [[nodiscard]] journal::Result<void> use_certificates(const net::TlsFiles& files) override {
        if (files.certificate.empty()) return {};
        auto context = net::TlsContext::acceptor(files);
        if (!context) return std::unexpected{std::move(context.error())};
        with<gateway::k_fix_gateway>([&](auto& fix) { fix.use_tls(*std::move(context)); });
        return {};
    }
    [[nodiscard]] Timestamp time() override { return gateways_.time(); }
    std::size_t do_work(int wait_ms) override {
        const std::size_t messages = gateways_.do_work(wait_ms);
        if (messages > 0) stores_.call();
        return messages;
    }
    // What waits at the speed bump passes.
    void close() override {
        sequencer_.end_delay(system_time());
        gateways_.close();
    }
    void set_fees(const Fees& fees) override {
        with_application([&fees](auto& application) { application.set_fees(fees); });
    }
    void set_delay(const venue::Delay& delay, std::uint64_t seed) override {
        sequencer_.set_delay(delay, seed);
        gateways_.delay_reports(delay.reports_ns);
    }
    void note_all_reported(std::uint64_t sequence) override {
        with_application([&](auto& application) { application.note_reported(sequence); });
    }

    [[nodiscard]] bool stopped() const override { return gateways_.stopped(); }
    [[nodiscard]] Ports ports() const override { return gateways_.ports(); }
    [[nodiscard]] std::string udp_path() const override {
        std::string path;
        with<gateway::k_udp_gateway>([&](auto& udp) { path = udp.path().describe(); });
        return path;
    }
    [[nodiscard]] std::string udp_warning() const override {
        std::string warning;
        with<gateway::k_udp_gateway>([&](auto& udp) { warning = udp.path().warning(); });
        return warning;
    }
    [[nodiscard]] std::optional<UdpStatus> udp_status() const override {
        std::optional<UdpStatus> status;
        with<gateway::k_udp_gateway>([&](auto& udp) {
            status = UdpStatus{.gateway = udp.published(),
                               .path = udp.published_path(),
                               .interface = &udp_interface_};
        });
        return status;
    }
    void set_identities(const Settings& settings) override {
        gateways_.set_identities(settings.identities());
        gateways_.set_anonymous_share(settings.anonymous_share);
    }
    [[nodiscard]] gateway::FixAdmin* fix_admin() override {
        gateway::FixAdmin* admin = nullptr;
        with<gateway::k_fix_gateway>([&](auto& fix) {
            if (is_open<gateway::k_fix_gateway>()) admin = &fix.application().sessions().admin();
        });
        return admin;
    }
    [[nodiscard]] telemetry::Probe& probe() override { return gateways_.probe(); }
    [[nodiscard]] telemetry::Counters published_counters() const override {
        return gateways_.probe().published();
    }
    [[nodiscard]] std::uint32_t anonymous_participants() const override {
        return gateways_.participants().anonymous();
    }
    [[nodiscard]] std::uint64_t ouch_message_bytes() override {
        std::uint64_t bytes = 0;
        with<gateway::k_ouch_gateway>([&](auto& ouch) { bytes = ouch.message_bytes(); });
        return bytes;
    }
    [[nodiscard]] std::uint64_t state_hash() const override { return sequencer_.state_hash(); }
    [[nodiscard]] std::uint64_t commands() const override { return sequencer_.commands(); }

  protected:
    /// Calls f(gateway) if the list has that gateway and it exists.
    template <GatewayNumber number, class F>
    void with(const F& f) {
        if constexpr (Gateways::template has<number>())
            if (auto* const gateway = gateways_.template gateway<number>()) f(*gateway);
    }
    template <GatewayNumber number, class F>
    void with(const F& f) const {
        if constexpr (Gateways::template has<number>())
            if (const auto* const gateway = gateways_.template gateway<number>()) f(*gateway);
    }
    template <GatewayNumber number>
    [[nodiscard]] bool is_open() const {
        if constexpr (Gateways::template has<number>()) return gateways_.template is_open<number>();
        return false;
    }
    /// Calls it if there are FIX clients, or were any.
    template <class F>
    void with_application(const F& f) {
        with<gateway::k_fix_gateway>([&f](auto& fix) {
            if (fix.has_application()) f(fix.application());
        });
    }
    template <class F>
    void with_application(const F& f) const {
        with<gateway::k_fix_gateway>([&f](const auto& fix) {
            if (fix.has_application()) f(fix.application());
        });
    }

    SessionNotices notices_;
    std::filesystem::path folder_;
    net::InterfaceWatch udp_interface_;
    Fees fees_at_start_;  ///< of the reports that FIX clients lack
    FixStores stores_;
    Gateways gateways_;
    Sequencer sequencer_;
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
    [[nodiscard]] bool submit(const Command& command, const Tag& tag) override {
        if (!Base::submit(command, tag)) return false;
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

}  // namespace damrak::exchange
