// What a participant in Python holds: the market as it sees it, its orders, its fills.
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>

#include <damrak/base/duration_text.hpp>
#include <damrak/base/time_units.hpp>
#include <damrak/participants/detail/prices.hpp>

#include "arguments.hpp"
#include "bind.hpp"
#include "errors.hpp"
#include "market_script.hpp"

namespace nb = nanobind;

namespace damrak::python {
namespace {

using market_kernel::MarketAccess;
using market_kernel::NewOrder;
using market_kernel::OwnOrder;
using Access = AccessOfScript;

MarketAccess& access_of(const Access& self) { return self.script->access(); }
InstrumentId id_of(const Access& self) { return self.script->instruments()[self.index]; }
const views::PublicChange& view_of(const Access& self) { return access_of(self).view(id_of(self)); }
double in_currency(const Access& self, std::int64_t units) {
    return static_cast<double>(units) / self.script->scale(self.index);
}

Side side_of(nb::handle value) {
    const std::string_view side = text("side", value);
    if (side == "buy") return Side::buy;
    if (side == "sell") return Side::sell;
    throw nb::value_error(fmt::format("side='{}': 'buy' or 'sell'", side).c_str());
}

TimeInForce tif_of(nb::handle value) {
    const std::string_view tif = text("tif", value);
    if (tif == "day") return TimeInForce::day;
    if (tif == "gtc") return TimeInForce::gtc;
    if (tif == "ioc") return TimeInForce::ioc;
    if (tif == "fok") return TimeInForce::fok;
    if (tif == "at_open") return TimeInForce::at_open;
    if (tif == "at_close") return TimeInForce::at_close;
    if (tif == "at_auction") return TimeInForce::at_auction;
    throw nb::value_error(
        fmt::format("tif='{}': one of day, gtc, ioc, fok, at_open, at_close, at_auction", tif)
            .c_str());
}

[[noreturn]] void refuse_duration(const char* name, nb::handle time) {
    throw nb::type_error(fmt::format("{}={}: a text such as '100ms', a number of nanoseconds or a "
                                     "datetime.timedelta",
                                     name, nb::repr(time).c_str())
                             .c_str());
}

/// Of a text such as "100ms" or a timedelta; nothing: it is neither.
std::optional<std::int64_t> duration_of(const char* name, nb::handle time) {
    if (nb::isinstance<nb::str>(time)) {
        const auto ns = parse_duration(text(name, time));
        if (!ns)
            throw nb::value_error(
                fmt::format("{}={}: write a number and one of ns, us, ms, s, min, h", name,
                            nb::repr(time).c_str())
                    .c_str());
        return ns;
    }
    if (!nb::hasattr(time, "total_seconds")) return {};
    constexpr std::int64_t k_most_days = 36'500;
    return whole(name, time.attr("days"), -k_most_days, k_most_days) * k_day_ns +
           nb::cast<std::int64_t>(time.attr("seconds")) * k_second_ns +
           nb::cast<std::int64_t>(time.attr("microseconds")) * k_microsecond_ns;
}

/// Nanoseconds since 1970 by a number.
std::int64_t ns_of(const char* name, nb::handle time, std::int64_t least, std::int64_t most) {
    if (PyBool_Check(time.ptr()) || !nb::hasattr(time, "__index__")) refuse_duration(name, time);
    return whole(name, time, least, most);
}

/// So short that its end can be told.
std::int64_t interval_of(const Access& self, const char* name, nb::handle interval,
                         std::int64_t least) {
    const std::int64_t most = k_most_whole - access_of(self).now().value;
    const auto ns = duration_of(name, interval);
    if (!ns) return ns_of(name, interval, least, most);
    if (*ns < least || *ns > most)
        throw nb::value_error(fmt::format("{}={}: an interval is above zero, and ends before 2262",
                                          name, nb::repr(interval).c_str())
                                  .c_str());
    return *ns;
}

std::int64_t key_of(nb::handle key) {
    return whole("key", key, std::numeric_limits<std::int64_t>::min());
}

void every(const Access& self, nb::handle interval, nb::handle key, nb::handle first) {
    const std::int64_t ns = interval_of(self, "interval", interval, 1);
    const std::int64_t wait_ns = first.is_none() ? ns : interval_of(self, "first", first, 0);
    self.script->set_timer({access_of(self).now().value + wait_ns}, ns, key_of(key));
}

void at(const Access& self, nb::handle time, nb::handle key) {
    static_cast<void>(access_of(self));
    const auto since = duration_of("time", time);
    const std::int64_t begun = self.script->begun().value;
    if (since && (*since < -begun || *since > k_most_whole - begun))
        throw nb::value_error(
            fmt::format("time={}: a time from 1970 to 2262", nb::repr(time).c_str()).c_str());
    const std::int64_t ns = since ? begun + *since : ns_of("time", time, 0, k_most_whole);
    self.script->set_timer({ns}, 0, key_of(key));
}

void after(const Access& self, nb::handle interval, nb::handle key) {
    const std::int64_t ns = interval_of(self, "interval", interval, 0);
    self.script->set_timer({access_of(self).now().value + ns}, 0, key_of(key));
}

nb::object limit(const Access& self, nb::handle side, nb::handle quantity, nb::handle price,
                 nb::handle tif, nb::handle post_only, nb::handle hidden, nb::handle display) {
    return self.script->enter(self.index,
                              {.side = side_of(side),
                               .time_in_force = tif_of(tif),
                               .hidden = flag("hidden", hidden),
                               .post_only = flag("post_only", post_only),
                               .price = self.script->price(self.index, number("price", price)),
                               .quantity = {whole("quantity", quantity, 1)},
                               .display_quantity = {whole("display", display, 0)}});
}

nb::object market(const Access& self, nb::handle side, nb::handle quantity) {
    return self.script->enter(self.index, {.side = side_of(side),
                                           .type = OrderType::market,
                                           .time_in_force = TimeInForce::ioc,
                                           .quantity = {whole("quantity", quantity, 1)}});
}

SelfTradePrevention self_trade_of(nb::handle value) {
    const std::string_view rule = text("self_trade", value);
    if (rule == "none") return SelfTradePrevention::none;
    if (rule == "cancel_newest") return SelfTradePrevention::cancel_newest;
    if (rule == "cancel_oldest") return SelfTradePrevention::cancel_oldest;
    if (rule == "cancel_both") return SelfTradePrevention::cancel_both;
    if (rule == "decrement_and_cancel") return SelfTradePrevention::decrement_and_cancel;
    if (rule == "skip_own") return SelfTradePrevention::skip_own;
    throw nb::value_error(fmt::format("self_trade='{}': there is no such rule", rule).c_str());
}

/// An object of damrak.Limit or damrak.MarketOrder.
nb::object submit(const Access& self, const nb::object& order) {
    const auto type = nb::cast<std::string>(nb::str(order.type().attr("__name__")));
    const bool is_limit = type == "Limit";
    if (!is_limit && type != "MarketOrder")
        throw nb::type_error("submit() takes a damrak.Limit or damrak.MarketOrder");
    const auto has = [&](const char* name) {
        return nb::hasattr(order, name) && PyObject_IsTrue(nb::object{order.attr(name)}.ptr()) == 1;
    };
    for (const char* const name : {"id", "client_id", "expire", "imbalance_only", "oco", "oto",
                                   "post_only_reprice", "to_limit"})
        if (has(name))
            throw OrderError{fmt::format("{}: participants of a market have no {}", type, name)};
    const nb::object symbol = order.attr("symbol");
    const std::size_t index = self.script->find(text("symbol", symbol));
    NewOrder made{.side = side_of(nb::object{order.attr("side")}),
                  .time_in_force = tif_of(nb::object{order.attr("tif")}),
                  .self_trade_prevention = self_trade_of(nb::object{order.attr("self_trade")}),
                  .quantity = {whole("quantity", nb::object{order.attr("quantity")}, 1)},
                  .minimum_quantity = {whole("minimum", nb::object{order.attr("minimum")}, 0)}};
    if (is_limit) {
        made.hidden = has("hidden");
        made.post_only = has("post_only");
        made.price = self.script->price(index, number("price", nb::object{order.attr("price")}));
        made.display_quantity = {whole("display", nb::object{order.attr("display")}, 0)};
    } else {
        made.type = OrderType::market;
        made.time_in_force = TimeInForce::ioc;
    }
    return self.script->enter(index, made);
}

nb::object side_of_quote(const Access& self, Side side, nb::handle wanted, nb::handle quantity,
                         nb::handle post_only) {
    if (wanted.is_none()) return nb::none();
    const double price = number(side == Side::buy ? "bid" : "ask", wanted);
    constexpr double k_most = 1e12;
    const Script& script = *self.script;
    // What is a tick but for the last digits of a sum is meant to be one.
    const double units = price * script.scale(self.index);
    if (!(std::abs(units) < k_most)) throw OrderError{fmt::format("{} is no price", price)};
    const double nearest = std::round(units);
    const Price on_tick = participants::detail::on_tick(
        std::abs(units - nearest) < 1e-3 ? nearest : units, script.definition(self.index), side);
    return self.script->enter(self.index, {.side = side,
                                           .post_only = flag("post_only", post_only),
                                           .price = on_tick,
                                           .quantity = {whole("quantity", quantity, 1)}});
}

std::pair<nb::object, nb::object> quote(const Access& self, nb::handle bid, nb::handle ask,
                                        nb::handle quantity, nb::handle post_only) {
    nb::object buys = side_of_quote(self, Side::buy, bid, quantity, post_only);
    return {std::move(buys), side_of_quote(self, Side::sell, ask, quantity, post_only)};
}

nb::object book(const Access& self, nb::handle most) {
    const auto levels = static_cast<std::size_t>(whole("levels", most, 0));
    const views::VisibleDepth& depth = access_of(self).depth(id_of(self));
    const nb::object level_type = nb::module_::import_("damrak._orders").attr("Level");
    const auto side = [&](Side of) {
        nb::list made;
        depth.for_each_level(of, [&](Price price, const views::VisibleLevel& level) {
            if (made.size() == levels) return false;
            made.append(
                level_type(in_currency(self, price.value), level.quantity.value, level.orders));
            return true;
        });
        return made;
    };
    return nb::make_tuple(side(Side::buy), side(Side::sell));
}

std::optional<double> value_of_position(const Access& self) {
    MarketAccess& access = access_of(self);
    double value = static_cast<double>(access.cash()) / self.script->scale(0);
    for (std::size_t i = 0; i < self.script->instruments().size(); ++i) {
        const InstrumentId id = self.script->instruments()[i];
        const std::int64_t position = access.position(id).value;
        if (position == 0) continue;
        const views::PublicChange& view = access.view(id);
        if (!view.has_both() && view.trades == 0) return {};
        const double price =
            view.has_both() ? view.mid() : static_cast<double>(view.last_price.value);
        value += static_cast<double>(position) * price / self.script->scale(i);
    }
    return value;
}

using Number = std::optional<double>;

Number bid_of(const Access& self) {
    const views::PublicChange& view = view_of(self);
    return view.has_bid() ? Number{in_currency(self, view.bid.value)} : Number{};
}
Number ask_of(const Access& self) {
    const views::PublicChange& view = view_of(self);
    return view.has_ask() ? Number{in_currency(self, view.ask.value)} : Number{};
}
Number mid_of(const Access& self) {
    const views::PublicChange& view = view_of(self);
    return view.has_both() ? Number{view.mid() / self.script->scale(self.index)} : Number{};
}
Number last_of(const Access& self) {
    const views::PublicChange& view = view_of(self);
    return view.trades > 0 ? Number{in_currency(self, view.last_price.value)} : Number{};
}

}  // namespace

void bind_market_access(nb::module_& module) {
    nb::class_<Access>(module, "MarketAccess",
                       "The market as a participant sees it; see damrak.Participant.")
        .def_prop_ro(
            "time", [](const Access& self) { return access_of(self).now().value; },
            "Nanoseconds since 1970-01-01 UTC, by the participant's clock.")
        .def_prop_ro(
            "elapsed",
            [](const Access& self) {
                return access_of(self).now().value - self.script->begun().value;
            },
            "Nanoseconds since the market began.")
        .def_prop_ro(
            "timer", [](const Access& self) { return self.script->timer_key(); },
            "In on_timer: the key of the timer.")
        .def_prop_ro("symbol",
                     [](const Access& self) {
                         return std::string{self.script->definition(self.index).symbol.view()};
                     })
        .def_prop_ro(
            "symbols",
            [](const Access& self) {
                nb::list symbols;
                for (std::size_t i = 0; i < self.script->instruments().size(); ++i)
                    symbols.append(std::string{self.script->definition(i).symbol.view()});
                return symbols;
            },
            "What the participant trades; the first one is that of on_start and on_timer.",
            nb::sig("def symbols(self) -> list[str]"))
        .def_prop_ro("tick",
                     [](const Access& self) {
                         return in_currency(
                             self, self.script->definition(self.index).common_tick().value);
                     })
        .def(
            "of",
            [](const Access& self, nb::handle symbol) {
                return self.script->of(self.script->find(text("symbol", symbol)));
            },
            nb::arg("symbol").none(), "The same for another instrument of the participant.",
            nb::sig("def of(self, symbol: str) -> MarketAccess"))
        .def_prop_ro("bid", bid_of, "Best price; None: there is none.")
        .def_prop_ro("ask", ask_of, "Best price; None: there is none.")
        .def_prop_ro("mid", mid_of, "Half way between bid and ask; None if one is not there.")
        .def_prop_ro("bid_quantity",
                     [](const Access& self) { return view_of(self).bid_quantity.value; })
        .def_prop_ro("ask_quantity",
                     [](const Access& self) { return view_of(self).ask_quantity.value; })
        .def_prop_ro("last", last_of, "Price of the last trade; None: there was none.")
        .def_prop_ro(
            "trades", [](const Access& self) { return view_of(self).trades; },
            "How many there were.")
        .def_prop_ro("volume", [](const Access& self) { return view_of(self).volume; })
        .def_prop_ro(
            "halted",
            [](const Access& self) { return view_of(self).trading_state == TradingState::halted; })
        .def(
            "book", book, nb::arg("levels").none() = 10,
            "Displayed levels, best first: bids and asks. It is followed from on_start on: call it "
            "there, or have on_book.",
            nb::sig("def book(self, levels: int = 10) -> "
                    "tuple[list[damrak._orders.Level], list[damrak._orders.Level]]"))
        .def_prop_ro(
            "value",
            [](const Access& self) {
                MarketAccess& access = access_of(self);
                return access.fundamental(id_of(self), access.now()) /
                       self.script->scale(self.index);
            },
            "What the instrument is worth by the news that arrived.")
        .def_prop_ro(
            "position",
            [](const Access& self) { return access_of(self).position(id_of(self)).value; },
            "Bought less sold of this instrument, by the reports that arrived.")
        .def_prop_ro(
            "cash",
            [](const Access& self) {
                return static_cast<double>(access_of(self).cash()) / self.script->scale(0);
            },
            "Received less paid, fees included, over all instruments.")
        .def_prop_ro(
            "fees", [](const Access& self) { return self.script->fees(); }, "Paid.")
        .def_prop_ro("pnl", value_of_position,
                     "Cash, and positions at the mid price, or the last trade's without one.")
        .def_prop_ro(
            "orders", [](const Access& self) { return self.script->open_orders(self.index); },
            "Own orders of this instrument that are not done, in the order of sending.",
            nb::sig("def orders(self) -> list[SentOrder]"))
        .def("every", every, nb::arg("interval").none(), nb::arg("key").none() = 0,
             nb::arg("first").none() = nb::none(),
             "Calls on_timer again and again, first after `first`, or after an interval.",
             nb::sig("def every(self, interval: str | int | datetime.timedelta, key: int = 0, "
                     "first: str | int | datetime.timedelta | None = None) -> None"))
        .def("at", at, nb::arg("time").none(), nb::arg("key").none() = 0,
             "Calls on_timer once: a text or timedelta counts from the beginning of the market, a "
             "number is nanoseconds since 1970-01-01 UTC.",
             nb::sig("def at(self, time: str | int | datetime.timedelta, key: int = 0) -> None"))
        .def("after", after, nb::arg("interval").none(), nb::arg("key").none() = 0,
             "Calls on_timer once.",
             nb::sig(
                 "def after(self, interval: str | int | datetime.timedelta, key: int = 0) -> None"))
        .def("limit", limit, nb::arg("side").none(), nb::arg("quantity").none(),
             nb::arg("price").none(), nb::arg("tif").none() = "day",
             nb::arg("post_only").none() = false, nb::arg("hidden").none() = false,
             nb::arg("display").none() = 0,
             "Sends a limit order. None: the participant has as many orders as it may have, or no "
             "connection.",
             nb::sig("def limit(self, side: typing.Literal['buy', 'sell'], quantity: int, "
                     "price: float, tif: str = 'day', post_only: bool = False, "
                     "hidden: bool = False, display: int = 0) -> SentOrder | None"))
        .def("market", market, nb::arg("side").none(), nb::arg("quantity").none(),
             "Sends a market order; what does not trade at once is cancelled.",
             nb::sig("def market(self, side: typing.Literal['buy', 'sell'], quantity: int) -> "
                     "SentOrder | None"))
        .def("submit", submit, nb::arg("order").none(),
             "Sends a damrak.Limit or damrak.MarketOrder, of any instrument of the participant.",
             nb::sig("def submit(self, order: damrak._commands.Order) -> SentOrder | None"))
        .def("quote", quote, nb::arg("bid").none(), nb::arg("ask").none(),
             nb::arg("quantity").none(), nb::arg("post_only").none() = true,
             "Sends a limit order on each side, at the next tick away from the market; None: not "
             "on this side.",
             nb::sig("def quote(self, bid: float | None, ask: float | None, quantity: int, "
                     "post_only: bool = True) -> tuple[SentOrder | None, SentOrder | None]"))
        .def(
            "cancel",
            [](const Access& self, nb::handle order, nb::handle quantity) {
                return self.script->cancel(order, whole("quantity", quantity, 0));
            },
            nb::arg("order").none(), nb::arg("quantity").none() = 0,
            "Takes an order back, or `quantity` of it. False: it is done.",
            nb::sig("def cancel(self, order: SentOrder, quantity: int = 0) -> bool"))
        .def(
            "replace",
            [](const Access& self, nb::handle order, nb::handle price, nb::handle quantity) {
                return self.script->replace(
                    order, price.is_none() ? Number{} : number("price", price),
                    quantity.is_none() ? std::nullopt
                                       : std::optional{whole("quantity", quantity, 1)});
            },
            nb::arg("order").none(), nb::arg("price").none() = nb::none(),
            nb::arg("quantity").none() = nb::none(),
            "Another price or open quantity. False: it is done.",
            nb::sig("def replace(self, order: SentOrder, price: float | None = None, "
                    "quantity: int | None = None) -> bool"))
        .def(
            "cancel_all", [](const Access& self) { return self.script->cancel_all(self.index); },
            "Takes back all own orders of this instrument; how many.")
        .def(
            "random",
            [](const Access& self, nb::handle purpose) {
                return self.script->random(std::string{text("purpose", purpose)});
            },
            nb::arg("purpose").none() = "",
            "A stream of random numbers of this participant's own: the same for the same seed, "
            "whatever the others draw.",
            nb::sig("def random(self, purpose: str = '') -> numpy.random.Generator"));
}

}  // namespace damrak::python
