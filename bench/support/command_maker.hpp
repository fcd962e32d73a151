// The commands of a benchmark stream: instruments and limits first, then a command a message.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>

#include <damrak/domain/command.hpp>
#include <damrak/engine/engine_config.hpp>

#include "support/capacity.hpp"
#include "support/message.hpp"

namespace damrak::bench {

class CommandMaker {
  public:
    explicit CommandMaker(const StreamInfo& info)
        // Prices of the stream may be negative, which no market has: all move up together.
        : info_(info),
          price_shift_(std::max<std::int64_t>(0, 1 - std::int64_t{info.price_min_ticks})) {}

    [[nodiscard]] std::int64_t price_shift() const { return price_shift_; }

    [[nodiscard]] EngineConfig config() const {
        return {.order_id_source = OrderIdSource::command,
                .maximum_instruments = info_.symbols,
                .maximum_participants = 2,
                .maximum_orders = static_cast<std::uint32_t>(info_.live_orders_max + 1),
                .maximum_extensions = 1,
                .maximum_accounts = 2 * info_.symbols,
                .maximum_levels = static_cast<std::uint32_t>(info_.live_orders_max + 4),
                .maximum_ladder_nodes = ladder_nodes_of(info_)};
    }

    [[nodiscard]] Command add_instrument(std::uint32_t symbol) const {
        Command command{};
        command.kind = CommandKind::add_instrument;
        command.instrument = InstrumentId{symbol + 1};
        command.definition = {};
        command.definition.symbol = Symbol::of("NW1");
        command.definition.tick_size = Price{1};
        command.definition.maximum_price = Price{info_.price_max_ticks + price_shift_ + 1};
        command.definition.lot_size = Quantity{1};
        // The value of the largest order must be a number.
        command.definition.maximum_quantity = Quantity{std::min<std::int64_t>(
            0xFFFFFFFF,
            std::numeric_limits<std::int64_t>::max() / command.definition.maximum_price.value)};
        command.definition.unpublished = 1;
        return command;
    }

    // Wide enough never to refuse, and set, so that every one of them is checked.
    [[nodiscard]] static Command set_limits(std::uint32_t participant) {
        constexpr std::int64_t k_wide = std::numeric_limits<std::int64_t>::max();
        Command command{};
        command.kind = CommandKind::set_limits;
        command.participant = ParticipantId{participant};
        command.limits = {Quantity{k_wide}, k_wide, k_wide, k_wide, Quantity{k_wide}};
        return command;
    }

    void fill(Command& command, const Message& record) const {
        // A cancel names no quantity: all of it goes.
        static constexpr std::array<std::uint32_t, 3> k_quantity_mask{~0U, 0, ~0U};
        const auto op = static_cast<std::size_t>(record.op);
        const std::uint64_t head = heads_[op][record.ioc & 1U] | std::uint64_t{record.side} << 16U;
        std::memcpy(static_cast<void*>(&command), &head, sizeof head);
        command.instrument = InstrumentId{record.symbol + 1U};
        command.participant = ParticipantId{record.side + 1U};
        command.order_id = OrderId{record.order_id};
        command.new_order_id = OrderId{record.order_id};
        command.price = Price{record.price_ticks + price_shift_};
        command.quantity = Quantity{record.quantity & k_quantity_mask[op]};
        command.order = {};
    }

  private:
    // The head of a command, its side left open, by kind of message and immediacy.
    using Heads = std::array<std::array<std::uint64_t, 2>, 3>;
    static Heads make_heads() {
        constexpr std::array k_kinds{CommandKind::new_order, CommandKind::cancel_order,
                                     CommandKind::replace_order};
        constexpr std::array k_time_in_force{TimeInForce::gtc, TimeInForce::ioc};
        Heads heads{};
        for (std::size_t op = 0; op < heads.size(); ++op) {
            for (std::size_t immediate = 0; immediate < 2; ++immediate) {
                Command command{};
                command.kind = k_kinds[op];
                command.time_in_force = k_time_in_force[immediate];
                command.self_trade_prevention = SelfTradePrevention::cancel_newest;
                if (command.kind == CommandKind::replace_order)
                    command.flags = CommandFlags::k_lose_priority;
                heads[op][immediate] = head_of(command);
            }
        }
        return heads;
    }

    Heads heads_ = make_heads();
    StreamInfo info_;
    std::int64_t price_shift_;
};

}  // namespace damrak::bench
