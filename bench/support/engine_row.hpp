// The engine row: the product's `apply(Command)` with pre-trade limits, self-trade prevention and
// state hash on. Buyers are participant 1, sellers 2. Events go into a ring of their own 64 bytes.
//
// Records become commands a batch at a time, as a server reads them, and that is part of the time.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

#include <damrak/base/assert.hpp>
#include <damrak/engine/engine.hpp>

#include "support/capacity.hpp"
#include "support/message.hpp"
#include "support/row_events.hpp"

namespace damrak::bench {

// Takes the engine's events where the NW-1 ones are expected: into the ring, or to be checked.
template <class Sink>
class EngineEvents;

template <>
class EngineEvents<RingSink<Event>> {
  public:
    EngineEvents(RingSink<Event>& sink, std::int64_t /*price_shift*/) : sink_(&sink) {}
    void on_event(const Event& event) { sink_->write(event); }

  private:
    RingSink<Event>* sink_;
};

template <>
class EngineEvents<TradeCheck> {
  public:
    EngineEvents(TradeCheck& sink, std::int64_t price_shift)
        : sink_(&sink), price_shift_(price_shift) {}
    void on_event(const Event& event) {
        if (event.kind == EventKind::rejected) return on_rejected(event.reason);
        if (event.kind != EventKind::executed) return;
        if (!has_flag(event, EventFlags::k_aggressor)) {
            maker_ = event.order_id;
            return;
        }
        sink_->trade(event.order_id.value, maker_.value, event.price.value - price_shift_,
                     static_cast<std::uint64_t>(event.quantity.value));
    }

  private:
    void on_rejected(Reason reason) {
        sink_->refuse();
        const bool asked_for = reason == Reason::unknown_order ||
                               reason == Reason::duplicate_order_id ||
                               reason == Reason::invalid_quantity;
        if (!asked_for) sink_->cannot_hold(name(reason));
    }

    TradeCheck* sink_;
    std::int64_t price_shift_;
    OrderId maker_{};
};

template <class Sink>
class EngineRow {
  public:
    EngineRow(const StreamInfo& info, Sink& sink)
        // Prices of the stream may be negative, which no market has: all move up together.
        : price_shift_(std::max<std::int64_t>(0, 1 - std::int64_t{info.price_min_ticks})),
          events_(sink, price_shift_),
          engine_({.order_id_source = OrderIdSource::command,
                   .maximum_instruments = info.symbols,
                   .maximum_participants = 2,
                   .maximum_orders = static_cast<std::uint32_t>(info.live_orders_max + 1),
                   .maximum_extensions = 1,
                   .maximum_accounts = 2 * info.symbols,
                   .maximum_levels = static_cast<std::uint32_t>(info.live_orders_max + 4),
                   .maximum_ladder_nodes = ladder_nodes_of(info)},
                  events_) {
        for (std::uint32_t symbol = 0; symbol < info.symbols; ++symbol)
            add_instrument(symbol, info);
        for (const std::uint32_t participant : {1U, 2U}) set_limits(participant);
    }

    void run(std::span<const Message> records) {
        while (!records.empty()) {
            const std::size_t size = std::min(records.size(), k_batch);
            for (std::size_t i = 0; i < size; ++i) fill(batch_[i], records[i]);
            engine_.apply(std::span(batch_).first(size), [](std::size_t, bool) {});
            records = records.subspan(size);
        }
    }

  private:
    static constexpr std::size_t k_batch = 64;

    void add_instrument(std::uint32_t symbol, const StreamInfo& info) {
        Command command{};
        command.kind = CommandKind::add_instrument;
        command.instrument = InstrumentId{symbol + 1};
        command.definition = {};
        command.definition.symbol = Symbol::of("NW1");
        command.definition.tick_size = Price{1};
        command.definition.maximum_price = Price{info.price_max_ticks + price_shift_ + 1};
        command.definition.lot_size = Quantity{1};
        // The value of the largest order must be a number.
        command.definition.maximum_quantity = Quantity{std::min<std::int64_t>(
            0xFFFFFFFF,
            std::numeric_limits<std::int64_t>::max() / command.definition.maximum_price.value)};
        command.definition.unpublished = 1;
        DAMRAK_ASSERT(!engine_.apply(command) && engine_.instrument(command.instrument) != nullptr);
    }

    // Wide enough never to refuse, and set, so that every one of them is checked.
    void set_limits(std::uint32_t participant) {
        constexpr std::int64_t k_wide = std::numeric_limits<std::int64_t>::max();
        Command command{};
        command.kind = CommandKind::set_limits;
        command.participant = ParticipantId{participant};
        command.limits = {Quantity{k_wide}, k_wide, k_wide, k_wide, Quantity{k_wide}};
        DAMRAK_ASSERT(!engine_.apply(command));
    }

    void fill(Command& command, const Message& record) const {
        static constexpr std::array k_kinds{CommandKind::new_order, CommandKind::cancel_order,
                                            CommandKind::replace_order};
        static constexpr std::array<CommandFlags::Bits, 3> k_flags{0, 0,
                                                                   CommandFlags::k_lose_priority};
        // A cancel names no quantity: all of it goes.
        static constexpr std::array<std::uint32_t, 3> k_quantity_mask{~0U, 0, ~0U};
        static constexpr std::array k_time_in_force{TimeInForce::gtc, TimeInForce::ioc};
        const auto op = static_cast<std::size_t>(record.op);
        command.kind = k_kinds[op];
        command.side = static_cast<Side>(record.side);
        command.time_in_force = k_time_in_force[record.ioc & 1U];
        command.self_trade_prevention = SelfTradePrevention::cancel_newest;
        command.flags = k_flags[op];
        command.instrument = InstrumentId{record.symbol + 1U};
        command.participant = ParticipantId{record.side + 1U};
        command.order_id = OrderId{record.order_id};
        command.new_order_id = OrderId{record.order_id};
        command.price = Price{record.price_ticks + price_shift_};
        command.quantity = Quantity{record.quantity & k_quantity_mask[op]};
        command.order = {};
    }

    std::int64_t price_shift_;
    EngineEvents<Sink> events_;
    Engine<EngineEvents<Sink>> engine_;
    std::array<Command, k_batch> batch_{};
};

}  // namespace damrak::bench
