// The engine row: the product's `apply(Command)` with pre-trade limits, self-trade prevention and
// state hash on. Buyers are participant 1, sellers 2. Events go into a ring of their own 64 bytes.
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
        : maker_(info), events_(sink, maker_.price_shift()), engine_(maker_.config(), events_) {
        for (std::uint32_t symbol = 0; symbol < info.symbols; ++symbol) {
            const Command command = maker_.add_instrument(symbol);
            DAMRAK_ASSERT(!engine_.apply(command) &&
                          engine_.instrument(command.instrument) != nullptr);
        }
        for (const std::uint32_t participant : {1U, 2U})
            DAMRAK_ASSERT(!engine_.apply(CommandMaker::set_limits(participant)));
    }

    void run(std::span<const Message> records) {
        while (!records.empty()) {
            const std::size_t size = std::min(records.size(), k_batch);
            for (std::size_t i = 0; i < size; ++i) maker_.fill(batch_[i], records[i]);
            engine_.apply(std::span(batch_).first(size), [](std::size_t, bool) {});
            records = records.subspan(size);
        }
    }

  private:
    static constexpr std::size_t k_batch = 64;

    CommandMaker maker_;
    EngineEvents<Sink> events_;
    Engine<EngineEvents<Sink>> engine_;
    std::array<Command, k_batch> batch_{};
};

}  // namespace damrak::bench
