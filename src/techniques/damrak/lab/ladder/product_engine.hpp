// Rung 10: the product's engine as the server runs it: `apply(Command)` with every check, limits of
// participants, self-trade prevention, positions, state hash and 64-byte events. Buyers are
// participant 1, sellers 2.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <damrak/base/assert.hpp>
#include <damrak/engine/engine.hpp>
#include <damrak/lab/ladder/book_engine.hpp>
#include <damrak/lab/ladder/request.hpp>

namespace damrak::lab::ladder {

/// The equivalent command of the product's engine.
[[nodiscard]] inline Command command_of(const Request& request) {
    Command command{};
    command.side = request.side;
    command.instrument = InstrumentId{request.symbol + 1};
    command.participant = ParticipantId{static_cast<std::uint32_t>(request.side) + 1};
    command.order_id = OrderId{request.id};
    command.time_in_force = request.ioc ? TimeInForce::ioc : TimeInForce::gtc;
    command.self_trade_prevention = SelfTradePrevention::cancel_newest;
    command.price = Price{request.price_ticks};
    command.quantity = Quantity{request.quantity};
    switch (request.op) {
        case Op::limit:
            command.kind = CommandKind::new_order;
            break;
        case Op::market:
            command.kind = CommandKind::new_order;
            command.order_type = OrderType::market;
            command.time_in_force = TimeInForce::ioc;
            command.price = Price{};
            break;
        case Op::cancel:
            command.kind = CommandKind::cancel_order;
            command.quantity = Quantity{};
            break;
        case Op::replace:
            command.kind = CommandKind::replace_order;
            command.new_order_id = command.order_id;
            command.flags = CommandFlags::k_lose_priority;
            break;
    }
    return command;
}

[[nodiscard]] constexpr Refusal refusal_of(Reason reason) {
    switch (reason) {
        case Reason::none:
            return Refusal::none;
        case Reason::invalid_quantity:
            return Refusal::invalid_quantity;
        case Reason::invalid_price:
        case Reason::price_too_large:
            return Refusal::invalid_price;
        case Reason::duplicate_order_id:
            return Refusal::duplicate_id;
        default:
            return Refusal::unknown;
    }
}

[[nodiscard]] inline EngineConfig engine_config_of(const Setup& setup) {
    return {.order_id_source = OrderIdSource::command,
            .maximum_instruments = setup.symbols,
            .maximum_participants = 2,
            .maximum_orders = setup.orders + 1,
            .maximum_extensions = 1,
            .maximum_accounts = 2 * setup.symbols,
            .maximum_levels = setup.orders + 4,
            .maximum_ladder_nodes = ladder_nodes_of(setup)};
}

/// Commands that open the market: the instruments, and limits for `participants` that are checked
/// but never exceeded.
[[nodiscard]] inline std::vector<Command> opening_commands(const Setup& setup,
                                                           std::uint32_t participants,
                                                           std::int64_t tick_units = 1) {
    std::vector<Command> commands;
    for (std::uint32_t symbol = 0; symbol < setup.symbols; ++symbol) {
        constexpr std::int64_t k_quantity_max = 0xFFFFFFFF;
        Command command{};
        command.kind = CommandKind::add_instrument;
        command.instrument = InstrumentId{symbol + 1};
        command.definition = {};
        command.definition.symbol = Symbol::of("S" + std::to_string(symbol + 1));
        command.definition.tick_size = Price{tick_units};
        command.definition.maximum_price = Price{setup.price_max_ticks * tick_units};
        command.definition.lot_size = Quantity{1};
        command.definition.maximum_quantity = Quantity{k_quantity_max};
        command.definition.unpublished = 1;
        commands.push_back(command);
    }
    for (std::uint32_t participant = 1; participant <= participants; ++participant) {
        constexpr std::int64_t k_wide = LimitDetails::k_unlimited;
        Command command{};
        command.kind = CommandKind::set_limits;
        command.participant = ParticipantId{participant};
        command.limits = {Quantity{k_wide}, k_wide, k_wide, k_wide, Quantity{k_wide}};
        commands.push_back(command);
    }
    return commands;
}

class ProductEngine {
  public:
    explicit ProductEngine(const Setup& setup) : engine_(engine_config_of(setup)) {
        for (const Command& command : opening_commands(setup, 2))
            engine_.apply(command, [](const Event& event) {
                DAMRAK_ASSERT(event.kind != EventKind::rejected);
            });
    }

    /// Calls `trades(const Trade<std::int32_t>&)` for each.
    template <class Trades>
    [[nodiscard]] Refusal submit(const Request& request, Trades&& trades) {
        Refusal refusal = Refusal::none;
        OrderId maker{};
        engine_.apply(command_of(request), [&](const Event& event) {
            if (event.kind == EventKind::rejected) refusal = refusal_of(event.reason);
            if (event.kind != EventKind::executed) return;
            if (!has_flag(event, EventFlags::k_aggressor)) {
                maker = event.order_id;
                return;
            }
            trades(Trade<std::int32_t>{event.order_id.value, maker.value,
                                       static_cast<std::int32_t>(event.price.value),
                                       static_cast<std::uint32_t>(event.quantity.value)});
        });
        return refusal;
    }

  private:
    Engine engine_;
};

}  // namespace damrak::lab::ladder
