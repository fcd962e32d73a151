// Any bytes, read as a list of commands, must give the same results in the engine and in the
// reference model. Fields have small ranges so that orders meet, and sometimes their full range.
// The first byte selects the settings.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <damrak/domain/command.hpp>
#include <damrak/domain/identifiers.hpp>
#include <damrak/domain/instrument.hpp>
#include <damrak/domain/measures.hpp>
#include <damrak/domain/order_terms.hpp>

#include "support/describe.hpp"
#include "support/differential/engine_subject.hpp"
#include "support/differential/shrink.hpp"
#include "support/fuzz_target.hpp"
#include "support/reference/reference_engine.hpp"

namespace damrak::fuzz_engine {

namespace {

using namespace damrak;  // NOLINT(google-build-using-namespace): one file, one program

constexpr std::size_t k_maximum_commands = 300;

/// Takes bytes from the input; zeros once it is used up.
class Bytes {
  public:
    explicit Bytes(std::span<const std::uint8_t> bytes) : bytes_{bytes} {}
    [[nodiscard]] bool empty() const { return bytes_.empty(); }
    std::uint8_t byte() {
        if (bytes_.empty()) return 0;
        const std::uint8_t first = bytes_.front();
        bytes_ = bytes_.subspan(1);
        return first;
    }
    std::int64_t small() { return byte(); }
    std::int64_t word() {
        std::uint64_t value = 0;
        for (int i = 0; i < 8; ++i) value = value << 8U | byte();
        return static_cast<std::int64_t>(value);
    }

  private:
    std::span<const std::uint8_t> bytes_;
};

reference::Settings settings_of(std::uint8_t choice) {
    reference::Settings settings{.maximum_instruments = 3,
                                 .maximum_participants = 6,
                                 .maximum_orders = 64,
                                 .maximum_extensions = 32,
                                 .maximum_accounts = 10};
    settings.ids_in_commands = (choice & 1U) != 0;
    if ((choice & 2U) != 0) settings.maximum_events = 24;
    if ((choice & 8U) != 0) settings.maximum_orders = 8;
    if ((choice & 16U) != 0) settings.maximum_extensions = 3;
    return settings;
}

Command instrument(std::uint32_t id, std::int64_t step) {
    Command command{};
    command.kind = CommandKind::add_instrument;
    command.instrument = InstrumentId{id};
    command.definition = {.symbol = Symbol::of("FUZZ"),
                          .tick_size = Price{step},
                          .maximum_price = Price{1'000'000},
                          .lot_size = Quantity{step},
                          .maximum_quantity = Quantity{10'000}};
    return command;
}

/// Every kind, but mostly orders.
CommandKind kind_of(std::uint8_t byte) {
    if (byte < 120) return CommandKind::new_order;
    if (byte < 150) return CommandKind::cancel_order;
    if (byte < 190) return CommandKind::replace_order;
    if (byte >= 250) return byte < 254 ? CommandKind::quote : CommandKind::set_quote_protection;
    return static_cast<CommandKind>(byte % 15);
}

std::uint64_t order_id(Bytes& bytes, bool second_instrument) {
    const std::uint64_t shift = second_instrument ? std::uint64_t{1} << k_instrument_shift : 0;
    return shift | bytes.byte();
}

void read_link(Bytes& bytes, Command& command, bool second_instrument) {
    command.flags |= CommandFlags::k_linked;
    command.new_order_id = OrderId{order_id(bytes, second_instrument)};
    command.order.contingency = static_cast<Contingency>(bytes.byte() & 3U);
}

void read_details(Bytes& bytes, Command& command, std::int64_t step) {
    switch (command.kind) {
        case CommandKind::new_order:
        case CommandKind::replace_order: {
            command.order = OrderDetails{};
            const std::uint8_t wanted = bytes.byte();
            if ((wanted & 1U) != 0) command.order.stop_price = Price{bytes.small() * step};
            if ((wanted & 6U) == 6) command.order.display_quantity = Quantity{bytes.small() * step};
            if ((wanted & 24U) == 24) command.order.minimum_quantity = Quantity{bytes.byte()};
            if (command.time_in_force == TimeInForce::gtd)
                command.order.expire_time = command.timestamp + Timestamp{bytes.byte()};
            if (wanted == 0xff) command.order.stop_price = Price{bytes.word()};
            if (wanted >> 5U == 5) read_link(bytes, command, step != 1);
            break;
        }
        case CommandKind::quote:
            command.new_order_id = OrderId{order_id(bytes, step != 1)};
            command.quote = {Price{bytes.small() * step}, Quantity{bytes.small() * step}};
            break;
        case CommandKind::set_quote_protection:
            command.quote_protection = {Quantity{bytes.small()}, bytes.small()};
            break;
        case CommandKind::add_instrument:
            command.definition = instrument(1, step).definition;
            break;
        case CommandKind::add_tick_band:
            command.tick_band = {Price{bytes.small() * 5}, Price{bytes.byte()}};
            break;
        case CommandKind::set_limits:
            command.limits = {.order_quantity = Quantity{bytes.small() * 4},
                              .order_notional = bytes.small() * 1'000,
                              .open_orders = bytes.small() / 4,
                              .open_notional = bytes.small() * 5'000,
                              .position = Quantity{bytes.small() * 8}};
            break;
        default:
            command.raw[0] = std::byte{bytes.byte()};
            break;
    }
}

Command read_command(Bytes& bytes, std::int64_t& now) {
    Command command{};
    command.kind = kind_of(bytes.byte());
    const std::uint8_t terms = bytes.byte();
    const std::uint8_t rules = bytes.byte();
    const bool second = (terms & 64U) != 0;
    const std::int64_t step = second ? 5 : 1;
    now += rules >> 6U;
    command.timestamp = Timestamp{now};
    command.side = static_cast<Side>(terms & 1U);
    command.order_type = static_cast<OrderType>(terms >> 1U & 3U);
    command.time_in_force = static_cast<TimeInForce>(terms >> 3U & 7U);
    command.self_trade_prevention = static_cast<SelfTradePrevention>(rules & 7U);
    command.instrument = InstrumentId{second ? 2U : 1U};
    command.participant = ParticipantId{1 + (rules >> 3U & 3U)};
    command.quantity = Quantity{bytes.small() * step};
    if (command.order_type != OrderType::market && command.order_type != OrderType::stop)
        command.price = Price{bytes.small() * step};
    const bool names_order = command.kind != CommandKind::new_order || (terms & 128U) != 0;
    if (names_order) command.order_id = OrderId{order_id(bytes, second)};
    if (command.kind == CommandKind::replace_order && (rules & 32U) != 0)
        command.new_order_id = OrderId{order_id(bytes, second)};
    read_details(bytes, command, step);
    const std::uint8_t rare = bytes.byte();
    if (rare >= 128) command.flags |= static_cast<CommandFlags::Bits>(rare & 0x3fU);
    if (rare == 127) command.price = Price{bytes.word()};
    if (rare == 126) command.quantity = Quantity{bytes.word()};
    if (rare == 125) command.participant = ParticipantId{bytes.byte()};
    if (rare == 124) command.instrument = InstrumentId{bytes.byte()};
    if (rare == 123) command.schema_version = bytes.byte();
    if (rare == 122) command.side = static_cast<Side>(bytes.byte());
    return command;
}

}  // namespace

DAMRAK_FUZZ_TARGET(engine)(const std::uint8_t* data, std::size_t size) {
    Bytes bytes{{data, size}};
    const reference::Settings settings = settings_of(bytes.byte());
    std::int64_t now = 1;
    std::vector<Command> commands{instrument(1, 1), instrument(2, 5)};
    while (!bytes.empty() && commands.size() < k_maximum_commands)
        commands.push_back(read_command(bytes, now));
    const std::optional<std::string> finding =
        differential::run_commands(settings, commands, differential::engine_factory());
    if (finding) {
        for (const Command& command : commands)
            std::fprintf(stderr, "%s\n", describe(command).c_str());
        std::fprintf(stderr, "%s\n", finding->c_str());
        std::abort();
    }
    return 0;
}

}  // namespace damrak::fuzz_engine
