#include <damrak/exchange/trading.hpp>

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <utility>
#include <vector>

#include <damrak/base/touched_memory.hpp>
#include <damrak/exchange/detail/fix_stores.hpp>
#include <damrak/exchange/detail/session_notices.hpp>
#include <damrak/exchange/inline_exchange.hpp>
#include <damrak/exchange/pipelined_exchange.hpp>
#include <damrak/exchange/system_time.hpp>
#include <damrak/exchange/udp.hpp>

namespace damrak::exchange {

namespace {

gateway::BinaryGatewayConfig gateway_config(const Settings& settings, SessionNotices& notices) {
    return {.address = settings.numeric_address,
            .port = settings.port("binary").value_or(0),
            .maximum_connections = settings.connections,
            .session_timeout_ns = std::int64_t{settings.session_timeout_s} * 1'000'000'000,
            .rules = {.cancel_on_disconnect = settings.cancel_on_disconnect,
                      .cancel_on_logout = settings.cancel_on_logout,
                      .messages_per_second = settings.messages_per_second,
                      .burst_messages = settings.burst_messages == 0 ? settings.messages_per_second
                                                                     : settings.burst_messages},
            .on_disconnect = [&notices](SessionId id, std::string_view reason) {
                notices.tell(id, reason);
            }};
}

DoorsConfig doors_config(const Settings& settings, SessionNotices& notices) {
    DoorsConfig config{
        .binary = gateway_config(settings, notices),
        .fix = {.address = settings.numeric_address,
                .port = settings.port("fix").value_or(0),
                .on_news = [&notices](std::string_view line,
                                      bool trouble) { notices.tell_fix(line, trouble); }},
        .application = settings.fix.application(settings.fix_folder()),
        .udp = udp_config(settings),
        .binary_open = settings.port("binary").has_value(),
        .fix_open = settings.port("fix").has_value(),
        .udp_open = settings.port("udp").has_value()};
    config.application.isins = settings.isins();
    return config;
}

// What both wirings have in common; what differs is in the calls of the sequencer.
template <class Door, class Sequencer>
class TradingIn : public Trading {
  public:
    template <class... Arguments>
    explicit TradingIn(const Settings& settings, Arguments&&... arguments)
        : notices_(settings.fix_folder() / "sessions.log", settings.on_notice),
          folder_(settings.fix_folder()),
          udp_interface_(settings.udp.interface),
          stores_(settings.fix.store),
          door_(
              doors_config(settings, notices_), settings.capacity,
              {.open = [this](const std::filesystem::path& folder) { return stores_.open(folder); },
               .discard =
                   [this](std::unique_ptr<session::fix::MessageStore> store,
                          const std::filesystem::path& folder) {
                       stores_.discard(std::move(store), folder);
                   }},
              [settings] { return open_udp_path(settings); }),
          sequencer_(settings.capacity, std::forward<Arguments>(arguments)..., door_) {
        TradingIn::set_identities(settings);
    }

    ~TradingIn() override { stores_.keep_no_more(); }
    TradingIn(const TradingIn&) = delete;
    TradingIn& operator=(const TradingIn&) = delete;

    [[nodiscard]] journal::Result<void> open() override {
        if (!door_.fix_open() && !std::filesystem::exists(folder_)) return {};
        auto opened = door_.open_application(journal::real_files(), system_time());
        if (opened) stores_.start([this] { return door_.application().sessions().work_aside(); });
        return opened;
    }
    [[nodiscard]] std::uint64_t latest_snapshot() const override {
        return door_.has_application() ? door_.application().reported_position() : UINT64_MAX;
    }
    void follow_replay(FollowedState& state) override {
        if (!door_.has_application()) return;
        const auto instruments = MarketView::of(state.engine()).instruments;
        for (const InstrumentState* const in : instruments)
            door_.application().note_instrument(in->definition());
        state.observer().tell_fix_events(
            [this, &state](const Event& event, const Origin& origin, const CommandStamp& stamp,
                           const gateway::FixOrders::Applied& applied) {
                if (event.kind == EventKind::instrument_added ||
                    event.kind == EventKind::tick_band_added)
                    door_.application().note_instrument(
                        state.engine().instrument(event.instrument)->definition());
                door_.application().report_missing(event, origin, stamp, applied);
            });
    }
    void note_records(std::span<const journal::Record> records) override {
        if (!door_.has_application()) return;
        for (const journal::Record& record : records) door_.application().note_record(record);
    }
    [[nodiscard]] std::uint64_t missing_reported() const override {
        return door_.application().missing_reported();
    }
    [[nodiscard]] bool show(feed::MarketSnapshots& snapshots) override {
        if (!door_.fix_open()) return false;
        door_.application().show(snapshots);
        return true;
    }
    void take_over(const FollowedState& state) override {
        const TouchedMemory touched;
        sequencer_.take_over(state);
        door_.take_over(state);
        const auto& senders = state.door<gateway::UdpClients>();
        for (std::uint32_t i = 1; i <= senders.highest_source(); ++i)
            if (senders.source(i).session) door_.note_taken(senders.source(i).participant);
        door_.note_accounts(state.engine().accounts());
    }
    void start(journal::JournalWriter& writer) override {
        door_.attach(sequencer_);
        sequencer_.start(writer, system_time());
    }
    [[nodiscard]] bool submit(const Command& command) override {
        return sequencer_.submit(command, {}, system_time());
    }
    [[nodiscard]] journal::Result<void> listen() override { return door_.listen(); }
    [[nodiscard]] journal::Result<void> use_certificates(const net::TlsFiles& files) override {
        if (files.certificate.empty()) return {};
        auto context = net::TlsContext::acceptor(files);
        if (!context) return std::unexpected{std::move(context.error())};
        door_.fix().use_tls(*std::move(context));
        return {};
    }
    std::size_t do_work(int wait_ms) override {
        const std::size_t messages = door_.do_work(wait_ms);
        if (messages > 0) stores_.call();
        return messages;
    }
    void close() override { door_.close(); }
    void note_all_reported(std::uint64_t sequence) override {
        if (door_.has_application()) door_.application().note_reported(sequence);
    }

    [[nodiscard]] bool stopped() const override { return door_.stopped(); }
    [[nodiscard]] std::uint16_t binary_port() const override { return door_.binary().port(); }
    [[nodiscard]] std::uint16_t fix_port() const override { return door_.fix().port(); }
    [[nodiscard]] std::uint16_t udp_port() const override { return door_.udp()->port(); }
    [[nodiscard]] std::string udp_path() const override { return door_.udp()->path().describe(); }
    [[nodiscard]] std::string udp_warning() const override { return door_.udp()->path().warning(); }
    [[nodiscard]] std::optional<UdpStatus> udp_status() const override {
        if (door_.udp() == nullptr) return {};
        return UdpStatus{.door = door_.udp()->published(),
                         .path = door_.udp()->published_path(),
                         .interface = &udp_interface_};
    }
    void set_identities(const Settings& settings) override {
        door_.set_identities(settings.identities());
        door_.set_anonymous_share(settings.anonymous_share);
    }
    [[nodiscard]] gateway::FixAdmin* fix_admin() override {
        return door_.fix_open() ? &door_.application().sessions().admin() : nullptr;
    }
    [[nodiscard]] telemetry::Probe& probe() override { return door_.binary().probe(); }
    [[nodiscard]] telemetry::Counters published_counters() const override {
        return door_.binary().probe().published();
    }
    [[nodiscard]] std::uint32_t anonymous_participants() const override {
        return door_.participants().anonymous();
    }
    [[nodiscard]] std::uint64_t state_hash() const override { return sequencer_.state_hash(); }
    [[nodiscard]] std::uint64_t commands() const override { return sequencer_.commands(); }

  protected:
    SessionNotices notices_;
    std::filesystem::path folder_;
    net::InterfaceWatch udp_interface_;
    FixStores stores_;
    Door door_;
    Sequencer sequencer_;
};

class InlineTrading final : public TradingIn<InlineDoors, InlineExchange> {
  public:
    explicit InlineTrading(const Settings& settings) : TradingIn(settings) {}

    [[nodiscard]] MarketView market() const override { return MarketView::of(sequencer_.engine()); }
};

sequencer::PipelineConfig pipeline_config(const Settings& settings) {
    sequencer::PipelineConfig config{
        .shards = settings.shards, .waiting = settings.waiting, .sizes = settings.rings};
    // The first core is the door's.
    if (settings.cores.size() > 1)
        config.cores.assign(settings.cores.begin() + 1, settings.cores.end());
    return config;
}

class PipelinedTrading final : public TradingIn<PipelinedDoors, PipelinedExchange> {
  public:
    explicit PipelinedTrading(const Settings& settings)
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
        return MarketView::of(sequencer_.partition());
    }
};

}  // namespace

std::unique_ptr<Trading> make_trading(const Settings& settings) {
    const TouchedMemory touched;
    if (settings.wiring == Wiring::pipelined) return std::make_unique<PipelinedTrading>(settings);
    return std::make_unique<InlineTrading>(settings);
}

}  // namespace damrak::exchange
