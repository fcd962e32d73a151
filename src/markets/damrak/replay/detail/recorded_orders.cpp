#include <damrak/replay/detail/recorded_orders.hpp>

#include <numeric>

namespace damrak::replay::detail {

namespace {

// More executions than this are split over several incoming orders.
constexpr std::size_t k_most_fills = 1'000;

// Symbols of the engine must not be empty or contain blanks.
Symbol symbol_for(std::string_view text) {
    Symbol symbol{};
    std::size_t used = 0;
    for (const char c : text)
        if (used < symbol.characters.size() && c > ' ' && c < '\x7f') symbol.characters[used++] = c;
    if (used == 0) symbol.characters[0] = '?';
    return symbol;
}

}  // namespace

bool Incoming::takes(const order_flow::At& at, Side side) const {
    return fills.empty() ||
           (time_ns == at.time_ns && resting == side && fills.size() < k_most_fills);
}

Command Incoming::order(InstrumentId instrument, OrderId id) const {
    const auto [lowest, highest] =
        std::ranges::minmax_element(fills, {}, [](const Fill& fill) { return fill.price; });
    const Price limit = resting == Side::sell ? highest->price : lowest->price;
    Command command = order_command(instrument, id, opposite(resting), limit,
                                    Quantity{static_cast<std::int64_t>(volume_of(fills))});
    command.time_in_force = TimeInForce::ioc;
    return command;
}

std::uint64_t volume_of(const std::vector<Fill>& fills) {
    return std::accumulate(fills.begin(), fills.end(), std::uint64_t{0},
                           [](std::uint64_t sum, const Fill& fill) {
                               return sum + static_cast<std::uint64_t>(fill.quantity.value);
                           });
}

EngineConfig engine_config(const RematchCapacity& capacity) {
    EngineConfig config;
    config.order_id_source = OrderIdSource::command;
    config.maximum_instruments = capacity.instruments;
    config.maximum_participants = 2;
    config.maximum_orders = capacity.orders;
    config.maximum_extensions = 1;
    config.maximum_accounts = 2 * capacity.instruments;
    // With a tick of one price unit, hardly two occupied prices are adjacent.
    config.maximum_levels = capacity.orders + 1'024;
    config.maximum_ladder_nodes = capacity.orders + 65'536;
    return config;
}

Command instrument_command(InstrumentId id, std::string_view symbol) {
    Command command{};
    command.kind = CommandKind::add_instrument;
    command.instrument = id;
    command.definition = {.symbol = symbol_for(symbol),
                          .tick_size = Price{1},
                          .maximum_price = Price{2'000'000'000},
                          .lot_size = Quantity{1},
                          .maximum_quantity = Quantity{4'294'967'295},
                          .price_decimals = 4,
                          .unpublished = 1};
    return command;
}

Command order_command(InstrumentId instrument, OrderId id, Side side, Price price,
                      Quantity quantity) {
    Command command{};
    command.kind = CommandKind::new_order;
    command.side = side;
    command.order_type = OrderType::limit;
    command.time_in_force = TimeInForce::day;
    command.instrument = instrument;
    command.participant = owner(side);
    command.order_id = id;
    command.price = price;
    command.quantity = quantity;
    return command;
}

Command replace_command(InstrumentId instrument, Side side, OrderId id, OrderId fresh, Price price,
                        Quantity quantity) {
    Command command{};
    command.kind = CommandKind::replace_order;
    command.flags = CommandFlags::k_lose_priority;
    command.instrument = instrument;
    command.participant = owner(side);
    command.order_id = id;
    command.new_order_id = fresh;
    command.price = price;
    command.quantity = quantity;
    return command;
}

Command cancel_command(InstrumentId instrument, Side side, OrderId id, Quantity quantity) {
    Command command{};
    command.kind = CommandKind::cancel_order;
    command.instrument = instrument;
    command.order_id = id;
    command.participant = owner(side);
    command.quantity = quantity;
    return command;
}

}  // namespace damrak::replay::detail
