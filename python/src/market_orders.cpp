// Own orders, their trades, and the trades of a market, as a participant in Python holds them.
#include <optional>
#include <string>

#include <fmt/format.h>
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include "bind.hpp"
#include "market_script.hpp"

namespace nb = nanobind;

namespace damrak::python {
namespace {

using market_kernel::OwnOrder;
using Number = std::optional<double>;

const char* text_of(Side side) { return side == Side::buy ? "buy" : "sell"; }

const char* state_of(const OrderOfScript& order) {
    switch (order.known.state) {
        case OwnOrder::State::sent:
            return "sent";
        case OwnOrder::State::open:
            return "open";
        case OwnOrder::State::done:
            return "done";
    }
    return "";
}

}  // namespace

void bind_market_orders(nb::module_& module) {
    using Order = OrderOfScript;
    nb::class_<Order>(module, "SentOrder",
                      "An own order in a market, as the reports that arrived say it is.")
        .def_prop_ro(
            "number", [](const Order& self) { return self.number; },
            "In the order of sending, from 1.")
        .def_prop_ro("symbol", [](const Order& self) { return std::string{self.symbol.view()}; })
        .def_prop_ro(
            "side", [](const Order& self) { return text_of(self.known.side); },
            nb::sig("def side(self) -> typing.Literal['buy', 'sell']"))
        .def_prop_ro(
            "price",
            [](const Order& self) {
                return self.known.type == OrderType::market
                           ? Number{}
                           : Number{static_cast<double>(self.known.price.value) / self.scale};
            },
            "Its limit; None: a market order.")
        .def_prop_ro(
            "quantity", [](const Order& self) { return self.known.quantity.value; },
            "Ordered, less what was cancelled.")
        .def_prop_ro(
            "open", [](const Order& self) { return self.known.open.value; },
            "What is neither filled nor cancelled.")
        .def_prop_ro("filled", [](const Order& self) { return self.filled; })
        .def_prop_ro(
            "cancelling", [](const Order& self) { return self.known.cancelling; },
            "A cancel was sent.")
        .def_prop_ro("state", state_of, "sent: not acknowledged yet.",
                     nb::sig("def state(self) -> typing.Literal['sent', 'open', 'done']"))
        .def("__repr__", [](const Order& self) {
            return fmt::format("<order {}: {} {} {}, {} open, {}>", self.number,
                               text_of(self.known.side), self.known.quantity.value,
                               self.symbol.view(), self.known.open.value, state_of(self));
        });
    using Fill = FillOfScript;
    nb::class_<Fill>(module, "Fill", "A trade of an own order.")
        .def_prop_ro(
            "order", [](const Fill& self) { return self.order; },
            nb::sig("def order(self) -> SentOrder"))
        .def_prop_ro(
            "side",
            [](const Fill& self) { return text_of(nb::inst_ptr<Order>(self.order)->known.side); },
            nb::sig("def side(self) -> typing.Literal['buy', 'sell']"))
        .def_ro("price", &Fill::price)
        .def_ro("quantity", &Fill::quantity)
        .def_prop_ro(
            "time", [](const Fill& self) { return self.time.value; },
            "When it traded, by the exchange: nanoseconds since 1970-01-01 UTC.")
        .def_ro("is_maker", &Fill::is_maker, "The order rested.");
    using Trades = TradesOfScript;
    nb::class_<Trades>(module, "MarketTrades", "What traded since the last on_trade.")
        .def_ro("price", &Trades::price, "Of the last trade.")
        .def_prop_ro(
            "side", [](const Trades& self) { return text_of(self.side); },
            "Of the aggressor of the last trade.",
            nb::sig("def side(self) -> typing.Literal['buy', 'sell']"))
        .def_ro("quantity", &Trades::quantity)
        .def_ro("trades", &Trades::trades, "How many.");
}

}  // namespace damrak::python
