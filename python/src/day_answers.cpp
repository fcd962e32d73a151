// Books, orders and heatmaps of recorded days.
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <damrak/archive/day.hpp>
#include <damrak/archive/day_depth.hpp>
#include <damrak/archive/day_search.hpp>
#include <damrak/archive/heatmap.hpp>

#include "day.hpp"
#include "errors.hpp"
#include "watch.hpp"

namespace nb = nanobind;

namespace damrak::python {

namespace {

using Level = std::tuple<std::uint32_t, std::uint64_t, std::optional<std::uint32_t>>;
using Levels = std::vector<Level>;
using BookTuple = std::tuple<std::int64_t, std::uint64_t, Levels, Levels, std::vector<std::string>>;

Levels levels_of(const std::vector<archive::BookOrder>& orders) {
    Levels side;
    for (const archive::BookLevel& level : archive::Book::levels(orders))
        side.emplace_back(level.price_e4, level.shares, level.orders);
    return side;
}

BookTuple book_at(const DayOfPython& of, std::uint16_t locate, std::int64_t time_ns) {
    const archive::Day& day = of.day();
    const Unlocked unlocked;
    if (const std::string why = archive::why_not_known(day.depth(), time_ns); !why.empty())
        throw DayError{why};
    const auto [book, completeness] = day.book_known_at(locate, time_ns);
    if (!book.why_not_known.empty()) throw DayError{book.why_not_known};
    return {book.time_ns, book.sequence, levels_of(book.bids), levels_of(book.asks),
            of.told(completeness.missing)};
}

using Order = std::tuple<std::uint64_t, std::uint32_t, std::optional<std::uint64_t>>;

std::tuple<std::vector<Order>, std::vector<Order>> orders_at(const DayOfPython& of,
                                                             std::uint16_t locate,
                                                             std::int64_t time_ns) {
    const archive::Day& day = of.day();
    const Unlocked unlocked;
    const archive::DayDepth& depth = day.depth();
    if (const std::string why = archive::why_no_orders(depth); !why.empty()) throw DayError{why};
    if (const std::string why = archive::why_not_known(depth, time_ns); !why.empty())
        throw DayError{why};
    const auto answer = day.book_known_at(locate, time_ns);
    if (!answer.completeness.is_complete())
        throw IncompleteError{of.told(answer.completeness.missing).front()};
    if (!answer.value.why_not_known.empty()) throw DayError{answer.value.why_not_known};
    const auto list = [](const std::vector<archive::BookOrder>& side) {
        std::vector<Order> orders;
        for (const archive::BookOrder& order : side)
            orders.emplace_back(archive::known_reference(order).value_or(0), order.price_e4,
                                archive::known_shares(order));
        return orders;
    };
    return {list(answer.value.bids), list(answer.value.asks)};
}

using Step = std::tuple<std::uint64_t, std::int64_t, std::string, bool, std::uint64_t,
                        std::uint32_t, std::optional<std::uint32_t>, std::optional<std::uint64_t>,
                        std::optional<std::uint64_t>>;

std::tuple<std::uint16_t, bool, std::vector<Step>, std::vector<std::string>> order_life(
    const DayOfPython& of, std::uint64_t reference) {
    const archive::Day& day = of.day();
    const Unlocked unlocked;
    if (const std::string why = archive::why_no_orders(day.depth()); !why.empty())
        throw DayError{why};
    const auto [life, completeness] = archive::order_life(day, reference);
    std::vector<Step> steps;
    for (const archive::OrderStep& step : life.steps)
        steps.emplace_back(step.sequence, step.time_ns, std::string{step.type}, step.made_by_view,
                           step.reference, step.price_e4, step.shares, step.orders_ahead,
                           step.shares_ahead);
    return {life.locate, life.side == damrak::Side::buy, std::move(steps),
            of.told(completeness.missing)};
}

template <class T>
nb::object array_of(std::vector<T> values, std::initializer_list<std::size_t> shape) {
    auto* const owned = new std::vector<T>(std::move(values));
    nb::capsule owner{owned, [](void* one) noexcept { delete static_cast<std::vector<T>*>(one); }};
    return nb::cast(nb::ndarray<nb::numpy, T>{owned->data(), shape, owner});
}

/// Average displayed shares of each cell, prices of each column in the currency (NaN: none), and
/// traded shares.
nb::dict heatmap_of(const DayOfPython& of, std::uint16_t locate, std::int64_t from_ns,
                    std::int64_t until_ns, std::uint32_t columns, std::uint32_t rows) {
    archive::Heatmap map;
    {
        const archive::Day& day = of.day();
        const Unlocked unlocked;
        if (const std::string why = archive::why_no_book(day.depth()); !why.empty())
            throw DayError{why};
        map = archive::heatmap(
            day, locate,
            {.from_ns = from_ns, .until_ns = until_ns, .columns = columns, .rows = rows});
    }
    const archive::HeatmapGrid& grid = map.grid;
    const auto averages = [&](const std::vector<Uint128>& cells) {
        std::vector<double> shares;
        for (const Uint128 cell : cells)
            shares.push_back(static_cast<double>(cell) / static_cast<double>(grid.column_ns));
        return array_of(std::move(shares), {grid.columns, grid.rows});
    };
    std::vector<double> bid, ask;
    std::vector<std::uint64_t> bought, sold, other;
    const auto price = [](std::uint32_t price_e4) {
        return price_e4 == 0 ? std::numeric_limits<double>::quiet_NaN() : price_e4 / 10'000.0;
    };
    for (const archive::HeatmapColumn& column : map.columns) {
        bid.push_back(price(column.bid_e4));
        ask.push_back(price(column.ask_e4));
        bought.push_back(column.bought);
        sold.push_back(column.sold);
        other.push_back(column.other);
    }
    nb::dict answer;
    answer["begin_ns"] = grid.begin_ns;
    answer["column_ns"] = grid.column_ns;
    answer["low"] = static_cast<double>(grid.low_e4) / 10'000;
    answer["step"] = static_cast<double>(grid.step_e4) / 10'000;
    answer["bids"] = averages(map.bids);
    answer["asks"] = averages(map.asks);
    answer["bid"] = array_of(std::move(bid), {map.columns.size()});
    answer["ask"] = array_of(std::move(ask), {map.columns.size()});
    answer["bought"] = array_of(std::move(bought), {map.columns.size()});
    answer["sold"] = array_of(std::move(sold), {map.columns.size()});
    answer["other"] = array_of(std::move(other), {map.columns.size()});
    answer["damage"] = map.damage;
    return answer;
}

}  // namespace

void bind_day_answers(nb::class_<DayOfPython>& day) {
    day.def("book_at", book_at, nb::arg("locate"), nb::arg("time_ns"))
        .def("orders_at", orders_at, nb::arg("locate"), nb::arg("time_ns"))
        .def("heatmap", heatmap_of, nb::arg("locate"), nb::arg("from_ns"), nb::arg("until_ns"),
             nb::arg("columns") = 400, nb::arg("rows") = 200,
             nb::sig("def heatmap(self, locate: int, from_ns: int, until_ns: int, columns: int = "
                     "400, rows: int = 200) -> dict[str, typing.Any]"))
        .def("order_life", order_life, nb::arg("reference"));
}

}  // namespace damrak::python
