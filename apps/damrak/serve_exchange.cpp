#include "serve_exchange.hpp"

#include <random>
#include <string_view>

#include <fmt/format.h>

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
      sequencer_(std::make_unique<Sequencer>(settings.engine(), *gateway_)) {}

journal::Result<void> Exchange::recover() {
    auto& files = journal::real_files();
    auto recovery =
        journal::recover(files, settings_.data, {},
                         [this](std::span<const journal::Record> r) { sequencer_->replay(r); });
    if (!recovery) return std::unexpected{recovery.error()};
    recovery_ = std::move(*recovery);
    auto journal = journal::Journal::open(
        files, {.directory = settings_.data, .durability = settings_.durability}, recovery_,
        recovery_.identity.value_or(new_identity(settings_.engine())), system_time());
    if (!journal) return std::unexpected{journal.error()};
    journal_ = std::move(*journal);
    return {};
}

journal::Result<void> Exchange::start() {
    helpers_.emplace(*journal_);
    journal::JournalWriter& writer = journal_->writer();
    sequencer_->start(writer, system_time());
    if (recovery_.last_sequence == 0 && !add_instruments())
        return std::unexpected{writer.refusal()};
    gateway_->attach(*sequencer_);
    return gateway_->listen();
}

void Exchange::close() {
    gateway_->close();
    helpers_.reset();
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
