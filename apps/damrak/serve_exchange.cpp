#include "serve_exchange.hpp"

#include <chrono>
#include <random>
#include <string_view>

#include <fmt/format.h>

#include <damrak/journal/folder.hpp>
#include <damrak/journal/snapshot.hpp>

#include "cli.hpp"

namespace damrak::app {

namespace {

journal::JournalIdentity new_identity(const EngineConfig& engine) {
    std::random_device chance;
    const auto draw = [&chance] { return std::uint64_t{chance()} << 32U | chance(); };
    return {.instance = {draw(), draw()}, .engine = engine};
}

gateway::BinaryGatewayConfig gateway_config(const ServeSettings& settings) {
    return {.address = settings.address,
            .port = settings.port("binary").value_or(0),
            .maximum_connections = settings.connections,
            .session_timeout_ns = std::int64_t{settings.session_timeout_s} * 1'000'000'000,
            .rules = {.cancel_on_disconnect = settings.cancel_on_disconnect,
                      .cancel_on_logout = settings.cancel_on_logout,
                      .messages_per_second = settings.messages_per_second,
                      .burst_messages = settings.messages_per_second},
            .on_disconnect = [](SessionId id, std::string_view reason) {
                fmt::print(stderr, "session {} ended: {}\n", id.value, reason);
            }};
}

}  // namespace

Exchange::Exchange(const ServeSettings& settings)
    : settings_(settings),
      gateway_(std::make_unique<Gateway>(gateway_config(settings), settings.engine())),
      sequencer_(std::make_unique<Sequencer>(settings.engine(), *gateway_)),
      follower_(std::make_unique<Follower>(settings.engine())) {}

journal::Result<void> Exchange::recover() {
    const auto start = std::chrono::steady_clock::now();
    auto& files = journal::real_files();
    const auto contents = journal::look_into(files, settings_.data);
    if (!contents) return std::unexpected{contents.error()};
    const journal::JournalIdentity identity = contents->segments.empty()
                                                  ? new_identity(settings_.engine())
                                                  : contents->segments.front().header.identity;
    if (const auto same = journal::check_engine(identity, settings_.engine()); !same)
        return std::unexpected{same.error()};
    FollowedState& state = follower_->state();
    auto loaded = journal::load_newest_snapshot(files, settings_.data, identity, state);
    if (!loaded) return std::unexpected{loaded.error()};
    recovered_.notes = std::move(loaded->notes);
    if (loaded->info) recovered_.snapshot = loaded->info->sequence;
    auto journal = journal::recover(
        files, settings_.data, {.from = recovered_.snapshot + 1, .synced = recovered_.snapshot},
        [&state](std::span<const journal::Record> records) { state.apply(records); });
    if (!journal) return std::unexpected{journal.error()};
    recovered_.journal = std::move(*journal);
    auto opened = journal::Journal::open(files, settings_.journal(), recovered_.journal, identity,
                                         system_time());
    if (!opened) return std::unexpected{opened.error()};
    journal_ = std::move(*opened);
    if (recovered_.journal.last_sequence > 0) sequencer_->take_over(state, gateway_->names());
    recovered_.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return {};
}

journal::Result<void> Exchange::start() {
    helpers_.emplace(*journal_);
    const std::uint64_t last = recovered_.journal.last_sequence;
    journal::JournalWriter& writer = journal_->writer();
    sequencer_->start(writer, system_time());
    if (last == 0 && !add_instruments()) return std::unexpected{writer.refusal()};
    gateway_->attach(*sequencer_);
    if (auto started = follower_->start(*journal_, settings_, last, recovered_.snapshot); !started)
        return started;
    return gateway_->listen();
}

void Exchange::close() {
    gateway_->close();
    helpers_.reset();
    follower_->stop();
}

bool Exchange::add_instruments() {
    std::uint32_t id = 0;
    for (const std::string_view symbol : {"AAPL", "MSFT", "SPY", "TEST"}) {
        Command add{};
        add.kind = CommandKind::add_instrument;
        add.instrument = InstrumentId{++id};
        add.definition = {.symbol = Symbol::of(symbol),
                          .tick_size = Price{100},
                          .maximum_price = k_published_maximum_price,
                          .lot_size = Quantity{1},
                          .maximum_quantity = k_published_maximum_quantity,
                          .price_decimals = 4};
        if (!sequencer_->submit(add, {}, system_time())) return false;
    }
    return true;
}

}  // namespace damrak::app
