// A reference engine with one instrument (tick 1, lot 1) for tests that read like the rule book:
// orders in a few words, and events as short lines:
//
//   executed #1 5@100 left 5 shows 5        kind, order, quantity@price, then open and displayed
//   cancelled:self_trade …                  with its reason
//   refreshed #1>3 …                        with its public id, new id or client id
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include <damrak/domain/command.hpp>
#include <damrak/domain/event.hpp>
#include <damrak/domain/identifiers.hpp>
#include <damrak/domain/measures.hpp>
#include <damrak/domain/order_terms.hpp>
#include <damrak/domain/reason.hpp>

#include "support/describe.hpp"
#include "support/reference/reference_engine.hpp"

namespace damrak::reference {

/// A new order of participant 1 in instrument 1, to be adapted field by field.
struct Draft {
    Command command{};

    Draft(Side side, std::int64_t quantity, std::int64_t price) {
        command.kind = CommandKind::new_order;
        command.side = side;
        command.order_type = price == 0 ? OrderType::market : OrderType::limit;
        command.instrument = InstrumentId{1};
        command.participant = ParticipantId{1};
        command.quantity = Quantity{quantity};
        command.price = Price{price};
    }
    Draft& by(std::uint32_t participant) {
        command.participant = ParticipantId{participant};
        return *this;
    }
    Draft& id(std::uint64_t order_id) {
        command.order_id = OrderId{order_id};
        return *this;
    }
    Draft& tif(TimeInForce time_in_force) {
        command.time_in_force = time_in_force;
        return *this;
    }
    Draft& rule(SelfTradePrevention prevention) {
        command.self_trade_prevention = prevention;
        return *this;
    }
    Draft& flag(CommandFlags::Bits bit) {
        command.flags |= bit;
        return *this;
    }
    Draft& show(std::int64_t quantity) {
        command.order.display_quantity = Quantity{quantity};
        return *this;
    }
    Draft& at_least(std::int64_t quantity) {
        command.order.minimum_quantity = Quantity{quantity};
        return *this;
    }
    Draft& until(std::int64_t time) {
        command.time_in_force = TimeInForce::gtd;
        command.order.expire_time = Timestamp{time};
        return *this;
    }
    Draft& stop(std::int64_t price) {
        command.order_type =
            command.order_type == OrderType::market ? OrderType::stop : OrderType::stop_limit;
        command.order.stop_price = Price{price};
        return *this;
    }
};

inline Draft buy(std::int64_t quantity, std::int64_t price = 0) {
    return {Side::buy, quantity, price};
}
inline Draft sell(std::int64_t quantity, std::int64_t price = 0) {
    return {Side::sell, quantity, price};
}

using Lines = std::vector<std::string>;

inline std::string brief(const Event& event) {
    const std::string full = describe(event);
    std::string line = full.substr(0, full.find(' '));
    if (event.reason != Reason::none) line += fmt::format(":{}", name(event.reason));
    line += fmt::format(" #{}", event.order_id.value);
    const bool names = event.kind == EventKind::replaced || event.kind == EventKind::refreshed ||
                       event.kind == EventKind::rested;
    if (names) line += fmt::format(">{}", event.reference);
    line += fmt::format(" {}@{} left {} shows {}", event.quantity.value, event.price.value,
                        event.remaining.value, event.displayed.value);
    return line;
}

class Exchange {
  public:
    explicit Exchange(const Settings& settings = {}) : engine_{settings} {
        Command command{};
        command.kind = CommandKind::add_instrument;
        command.instrument = InstrumentId{1};
        command.definition = {.symbol = Symbol::of("TEST"),
                              .tick_size = Price{1},
                              .maximum_price = Price{1'000'000},
                              .lot_size = Quantity{1},
                              .maximum_quantity = Quantity{100'000}};
        apply(command);
    }

    const std::vector<Event>& apply(const Command& command) {
        engine_.apply(command, events_);
        return events_;
    }
    Lines enter(const Draft& draft) { return lines(apply(draft.command)); }
    /// Returns the id of the order.
    std::uint64_t add(const Draft& draft) { return apply(draft.command).at(0).order_id.value; }

    Lines cancel(std::uint64_t id, std::int64_t quantity = 0, std::uint32_t participant = 1) {
        Command command = target(CommandKind::cancel_order, id, participant);
        command.quantity = Quantity{quantity};
        return lines(apply(command));
    }
    Lines replace(std::uint64_t id, std::int64_t quantity, std::int64_t price,
                  CommandFlags::Bits flags = 0, std::int64_t stop_price = 0) {
        Command command = target(CommandKind::replace_order, id, 1);
        command.quantity = Quantity{quantity};
        command.price = Price{price};
        command.flags = flags;
        command.order.stop_price = Price{stop_price};
        return lines(apply(command));
    }
    Lines apply_kind(CommandKind kind, const Command& details = {}) {
        Command command = details;
        command.kind = kind;
        return lines(apply(command));
    }

    [[nodiscard]] const std::vector<Event>& events() const { return events_; }
    [[nodiscard]] const ReferenceEngine& engine() const { return engine_; }
    [[nodiscard]] const Instrument& market() const {
        return engine_.state().instruments.at(InstrumentId{1});
    }

    static Command target(CommandKind kind, std::uint64_t id, std::uint32_t participant) {
        Command command{};
        command.kind = kind;
        command.instrument = InstrumentId{1};
        command.participant = ParticipantId{participant};
        command.order_id = OrderId{id};
        return command;
    }

  private:
    static Lines lines(const std::vector<Event>& events) {
        Lines result;
        for (const Event& event : events) result.push_back(brief(event));
        return result;
    }

    ReferenceEngine engine_;
    std::vector<Event> events_;
};

}  // namespace damrak::reference
