// The engine row: the product's `apply(Command)` with pre-trade limits, self-trade prevention and
// state hash on. Buyers are participant 1, sellers 2. Events are the engine's own of 64 bytes.
//
// Records become commands a batch at a time, as a server reads them, and that is part of the time.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include <damrak/base/assert.hpp>
#include <damrak/engine/engine.hpp>

#include "support/command_maker.hpp"
#include "support/message.hpp"
#include "support/row_events.hpp"

namespace damrak::bench {

// Takes the engine's events where the NW-1 ones are expected. Those that are timed stay where the
// engine wrote them, as those of other rows stay in the ring.
template <class Sink>
class EngineEvents;

template <>
class EngineEvents<RingSink<Event>> {
  public:
    EngineEvents(RingSink<Event>& /*sink*/, std::int64_t /*price_shift*/) {}
    static void on_slice(const Slice& slice) {
        asm volatile("" : : "r"(slice.first), "r"(slice.count) : "memory");
    }
};

template <>
class EngineEvents<TradeCheck> {
  public:
    EngineEvents(TradeCheck& sink, std::int64_t price_shift)
        : sink_(&sink), price_shift_(price_shift) {}
    void on_slice(const Slice& slice) {
        for (const Event& event : slice) on_event(event);
    }

  private:
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
        : maker_(info), events_(sink, maker_.price_shift()), engine_(maker_.config()) {
        for (std::uint32_t symbol = 0; symbol < info.symbols; ++symbol) {
            const Command command = maker_.add_instrument(symbol);
            engine_.apply(command, [](const Event&) {});
            DAMRAK_ASSERT(engine_.instrument(command.instrument) != nullptr);
        }
        for (const std::uint32_t participant : {1U, 2U})
            engine_.apply(CommandMaker::set_limits(participant), [](const Event&) {});
    }

    void run(std::span<const Message> records) {
        while (!records.empty()) {
            const std::size_t size = std::min(records.size(), k_batch);
            for (std::size_t i = 0; i < size; ++i) maker_.fill(batch_[i], records[i]);
            engine_.apply_queued(
                std::span(batch_).first(size),
                [this](std::size_t, const Slice& slice) { events_.on_slice(slice); });
            records = records.subspan(size);
        }
    }

  private:
    static constexpr std::size_t k_batch = 64;

    CommandMaker maker_;
    EngineEvents<Sink> events_;
    Engine engine_;
    std::array<Command, k_batch> batch_{};
};

}  // namespace damrak::bench
