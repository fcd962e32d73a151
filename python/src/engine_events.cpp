#include "engine_events.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>

#include <damrak/auction/equilibrium.hpp>
#include <damrak/domain/kind_names.hpp>
#include <damrak/domain/phase_names.hpp>
#include <damrak/domain/price_limit_names.hpp>
#include <damrak/domain/reason.hpp>

namespace nb = nanobind;

namespace damrak::python {

namespace {

nb::object text(std::string_view of) { return nb::str(of.data(), of.size()); }

double price_of(std::int64_t units, unsigned decimals) {
    double scale = 1;
    for (unsigned i = 0; i < decimals; ++i) scale *= 10;
    return static_cast<double>(units) / scale;
}

/// The decimals of the prices of an instrument, or the usual ones.
struct Scale {
    unsigned decimals = InstrumentDefinition{}.price_decimals;
    [[nodiscard]] nb::object operator()(std::int64_t units) const {
        return nb::float_(price_of(units, decimals));
    }
};

const InstrumentDefinition* find(const Market& market, InstrumentId id) {
    if (!id || id.value > market.size() || !market[id.value - 1].id) return nullptr;
    return &market[id.value - 1];
}

// As a script has it: 2.5%, 0.1, or both.
nb::object margin(const PriceLimitDetails::Margin& margin, unsigned decimals) {
    if (!margin.exists()) return nb::none();
    std::string words;
    if (margin.basis_points != 0) words = fmt::format("{}%", margin.basis_points / 100.0);
    if (margin.at_least != 0)
        words +=
            (words.empty() ? "" : "/") + fmt::format("{}", price_of(margin.at_least, decimals));
    return text(words);
}

void add_band(nb::dict& to, const PriceBandDetails& band, Scale price) {
    to["lower"] = band.exists() ? price(band.lower.value) : nb::none();
    to["upper"] = band.exists() ? price(band.upper.value) : nb::none();
    to["reference"] = band.reference == Price{} ? nb::none() : price(band.reference.value);
}

nb::object limit(std::int64_t value, bool is_own) {
    if (!is_own || value == std::numeric_limits<std::int64_t>::max()) return nb::none();
    return nb::int_(value);
}

nb::dict rule_of(const Command& command, Scale price) {
    nb::dict rule;
    if (command.kind == CommandKind::set_price_limits) {
        const PriceLimitDetails& limits = command.price_limits;
        rule["dynamic_corridor"] = margin(limits.dynamic_corridor, price.decimals);
        rule["static_corridor"] = margin(limits.static_corridor, price.decimals);
        rule["market_collar"] = margin(limits.market_collar, price.decimals);
        rule["entry_limit"] = margin(limits.entry_limit, price.decimals);
        rule["auction_corridor"] = margin(limits.auction_corridor, price.decimals);
        rule["on_breach"] = text(name(limits.on_breach));
        rule["on_own_cross"] = text(name(limits.on_own_cross));
        rule["refuse_reached_stops"] = limits.refuse_reached_stops != 0;
    } else if (command.kind == CommandKind::set_price_band) {
        add_band(rule, command.price_band, price);
    } else if (command.kind == CommandKind::set_limits) {
        const bool own = !has_flag(command, CommandFlags::k_default_limits);
        const LimitDetails& limits = command.limits;
        rule["order_quantity"] = limit(limits.order_quantity.value, own);
        rule["order_notional"] = limit(limits.order_notional, own);
        rule["open_orders"] = limit(limits.open_orders, own);
        rule["open_notional"] = limit(limits.open_notional, own);
        rule["position"] = limit(limits.position.value, own);
    }
    return rule;
}

nb::object cause_of(const Event& event) {
    const auto cause = static_cast<HaltCause>(event.remaining.value);
    return cause == HaltCause::none ? nb::none() : text(name(cause));
}

/// What the numbers of the event stand for, where they are not those of an order.
nb::dict details_of(const Events& of, const Told& told, Scale price) {
    const Event& event = told.event;
    if (told.rule != 0) return rule_of(of.rules[told.rule - 1], price);
    nb::dict details;
    switch (event.kind) {
        case EventKind::phase_changed:
            details["phase"] = text(name(static_cast<Phase>(event.quantity.value)));
            details["cause"] = cause_of(event);
            break;
        case EventKind::trading_state_changed:
            details["state"] = text(event.quantity.value == 0 ? "trading" : "halted");
            details["cause"] = cause_of(event);
            break;
        case EventKind::participant_state_changed:
            details["state"] = text(event.quantity.value == 0 ? "active" : "blocked");
            break;
        case EventKind::uncrossed:
            details["call"] = text(name(static_cast<CallKind>(event.displayed.value)));
            break;
        case EventKind::trade_corrected:
            details["price_before"] = price(event.displayed.value);
            break;
        default:
            break;
    }
    return details;
}

// A price of zero is one where prices may be below it, if the order has a price.
bool has_price(const Event& event, const InstrumentDefinition* in) {
    if (event.price != Price{}) return true;
    return in != nullptr && in->minimum_price() < Price{} &&
           (event.kind == EventKind::executed || has_limit(event.order_type));
}

nb::tuple flags_of(const Event& event) {
    nb::list flags;
    for (std::size_t bit = 0; bit < k_event_flag_names.size(); ++bit)
        if ((event.flags >> bit & 1U) != 0) flags.append(text(k_event_flag_names[bit]));
    return nb::tuple(flags);
}

/// The arguments of damrak._events.event_of.
nb::tuple raw_event(const Events& of, std::size_t place) {
    const Told& told = of.told[place];
    const Event& event = told.event;
    const InstrumentDefinition* const in = find(*of.market, event.instrument);
    const Scale price{in == nullptr ? Scale{}.decimals : in->price_decimals};
    return nb::make_tuple(
        text(name(event.kind)), told.time,
        told.line == k_no_line ? nb::none() : nb::object(nb::int_(told.line)),
        text(name(event.command)), in == nullptr ? nb::none() : text(in->symbol.view()),
        text(name(event.reason)), event.order_id.value, event.participant.value,
        text(name(event.side)), text(name(event.order_type)), text(name(event.time_in_force)),
        has_price(event, in) ? price(event.price.value) : nb::none(), event.quantity.value,
        event.remaining.value, event.displayed.value, event.reference, flags_of(event),
        told.stop ? price(*told.stop) : nb::none(), details_of(of, told, price));
}

/// Looked up once. It lives as long as the process.
nb::handle event_factory() {
    static const nb::handle factory =
        nb::object(nb::module_::import_("damrak._events").attr("event_of")).release();
    return factory;
}

nb::object event_at(const Events& of, Py_ssize_t place) {
    const auto size = static_cast<Py_ssize_t>(of.told.size());
    if (place < 0) place += size;
    if (place < 0 || place >= size) throw nb::index_error("there are not so many events");
    return event_factory()(*raw_event(of, static_cast<std::size_t>(place)));
}

nb::list first_events(const Events& of, std::size_t count) {
    const nb::handle factory = event_factory();
    nb::list events;
    for (std::size_t i = 0; i < count; ++i) events.append(factory(*raw_event(of, i)));
    return events;
}

nb::list events_at(const Events& of, const nb::slice& slice) {
    const auto [place, stop, step, length] = slice.compute(of.told.size());
    static_cast<void>(stop);
    const nb::handle factory = event_factory();
    nb::list events;
    for (std::size_t i = 0; i < length; ++i)
        events.append(factory(
            *raw_event(of, static_cast<std::size_t>(place + static_cast<Py_ssize_t>(i) * step))));
    return events;
}

std::string repr(const Events& of) {
    constexpr std::size_t k_most = 20;
    const std::size_t shown = std::min(of.told.size(), k_most);
    const auto list = nb::cast<std::string>(nb::repr(first_events(of, shown)));
    if (shown == of.told.size()) return fmt::format("<damrak.Events: {}>", list);
    return fmt::format("<damrak.Events: {} and {} more>", list, of.told.size() - shown);
}

nb::list levels_of(const Engine& engine, const InstrumentState& in, Side side, std::size_t most) {
    const unsigned decimals = in.definition().price_decimals;
    nb::list levels;
    in.book.for_each_level(engine.store(), side, [&](const DepthLevel& level) {
        if (most-- == 0) return false;
        levels.append(nb::make_tuple(price_of(in.price_of(level.tick).value, decimals),
                                     level.quantity.value, level.orders));
        return true;
    });
    return levels;
}

}  // namespace

nb::dict book_of(EngineOfPython& engine, std::string_view symbol, std::size_t levels) {
    const EngineOfPython::Use use{engine};
    const Engine& of = engine.engine();
    const InstrumentState& in = *of.instrument(engine.find(symbol).id);
    const Scale price{in.definition().price_decimals};
    nb::dict book;
    book["symbol"] = text(symbol);
    book["time"] = engine.now();
    book["phase"] = text(name(in.phase));
    book["halted"] = in.state == TradingState::halted;
    add_band(book, in.rules.price_band, price);
    book["bids"] = levels_of(of, in, Side::buy, levels);
    book["asks"] = levels_of(of, in, Side::sell, levels);
    book["last_price"] = in.last_trade == 0 ? nb::none() : price(in.price_of(in.last_trade).value);
    if (in.phase != Phase::call) return book;
    // At most all that are in use, of any instrument.
    const PoolPlaces used = of.used();
    std::vector<auction::PriceLevel> prices(std::size_t{used.levels} + used.orders + 1);
    const auto found = of.auction_if_now(in.id(), prices.data());
    const auto surplus_side = found.surplus_side();
    book["indicative_price"] = found.price ? price(found.price->value) : nb::none();
    book["indicative_quantity"] = found.executable.value;
    book["surplus"] = std::abs(found.surplus.value);
    book["surplus_side"] = surplus_side ? text(name(*surplus_side)) : nb::none();
    return book;
}

void bind_events(nb::module_& module) {
    nb::class_<Events>(module, "Events",
                       "The events of a call, in order. They become objects when they are read.")
        .def("__len__", [](const Events& of) { return of.told.size(); })
        .def("__getitem__", event_at, nb::arg("place"),
             nb::sig("def __getitem__(self, place: int) -> typing.Any"))
        .def("__getitem__", events_at, nb::arg("place"),
             nb::sig("def __getitem__(self, place: slice) -> typing.Any"))
        .def(
            "__iter__", [](const Events& of) { return nb::iter(first_events(of, of.told.size())); },
            nb::sig("def __iter__(self) -> typing.Iterator[typing.Any]"))
        .def("__repr__", repr);
}

}  // namespace damrak::python
