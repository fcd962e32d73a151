#include "search.hpp"

#include <string>
#include <type_traits>
#include <utility>
#include <variant>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <damrak/archive/day_search.hpp>
#include <damrak/wire/itch/descriptor.hpp>
#include <damrak/wire/itch/view_mark.hpp>

#include "cli.hpp"
#include "day_text.hpp"
#include "partial.hpp"

namespace damrak::app {
namespace {

namespace itch = wire::itch;
using Json = nlohmann::ordered_json;
constexpr double k_price_scale = 10'000;

/// What the messages have in common; zero where one has nothing of it.
struct Change {
    char type = 0;
    std::int64_t time_ns = 0;
    std::uint64_t reference = 0;
    std::uint64_t new_reference = 0;
    std::string_view side{};
    std::uint64_t quantity = 0;
    std::uint32_t price_e4 = 0;
    std::uint64_t match = 0;
    bool made_by_view = false;
    bool is_printable = true;  ///< of a trade
    bool is_broken = false;    ///< of a trade: later
};

/// Why a trade does not count.
std::string_view mark_of(const Change& change) {
    if (change.is_broken) return "broken";
    return change.is_printable ? "" : "not printable";
}

/// The type of a message; a small letter if a participant did not send it.
char letter(const auto& message) {
    return message.made_by_view ? static_cast<char>(message.type + ('a' - 'A')) : message.type;
}

Change change_of(const itch::Message& message, const itch::ViewMarks& marks) {
    return std::visit(
        [&marks](const auto& m) {
            Change change{.type = itch::Layout<std::remove_cvref_t<decltype(m)>>::k_type,
                          .time_ns = m.timestamp_ns};
            if constexpr (requires { m.order_ref; }) change.reference = m.order_ref;
            if constexpr (requires { m.new_order_ref; }) change.new_reference = m.new_order_ref;
            if constexpr (requires { m.side; }) change.side = m.side == Side::buy ? "buy" : "sell";
            if constexpr (requires { m.shares; }) change.quantity = m.shares;
            if constexpr (requires { m.executed_shares; }) change.quantity = m.executed_shares;
            if constexpr (requires { m.cancelled_shares; }) change.quantity = m.cancelled_shares;
            if constexpr (requires { m.price_e4; }) change.price_e4 = m.price_e4;
            if constexpr (requires { m.execution_price_e4; })
                change.price_e4 = m.execution_price_e4;
            if constexpr (requires { m.cross_price_e4; }) change.price_e4 = m.cross_price_e4;
            if constexpr (requires { m.match_number; }) change.match = m.match_number;
            change.made_by_view = marks.is_by_view(m);
            return change;
        },
        message);
}

std::string number_or_nothing(std::uint64_t number) {
    return number == 0 ? std::string{} : fmt::to_string(number);
}
std::string price_or_nothing(std::uint32_t price_e4) {
    return price_e4 == 0 ? std::string{} : price_text(price_e4);
}

Json to_json(std::uint64_t sequence, const Change& change) {
    Json row{{"sequence", sequence},
             {"time", time_text(change.time_ns)},
             {"type", std::string(1, change.type)}};
    if (change.reference != 0) row["reference"] = change.reference;
    if (change.new_reference != 0) row["new_reference"] = change.new_reference;
    if (!change.side.empty()) row["side"] = change.side;
    if (change.price_e4 != 0) row["price"] = change.price_e4 / k_price_scale;
    if (change.quantity != 0) row["quantity"] = change.quantity;
    if (change.match != 0) row["match"] = change.match;
    if (change.made_by_view) row["made_by_view"] = true;
    if (!change.is_printable) row["printable"] = false;
    if (change.is_broken) row["broken"] = true;
    return row;
}

void print_change(std::uint64_t sequence, const Change& change, Form form) {
    constexpr auto k_text = "{:>10} {} {} {:>20} {:>20} {:<4} {:>12} {:>10} {:>10}{}{}\n";
    constexpr auto k_csv = "{},{},{},{},{},{},{},{},{}{}{}\n";
    const std::string_view mark = mark_of(change);
    const auto text = [&](auto format, std::string_view before_mark) {
        fmt::print(fmt::runtime(format), sequence, time_text(change.time_ns), letter(change),
                   number_or_nothing(change.reference), number_or_nothing(change.new_reference),
                   change.side, price_or_nothing(change.price_e4),
                   number_or_nothing(change.quantity), number_or_nothing(change.match), before_mark,
                   mark);
    };
    if (form == Form::csv)
        text(k_csv, ",");
    else
        text(k_text, mark.empty() ? "" : "  ");
}

}  // namespace

int show_changes(const archive::Day& day, std::uint16_t locate, std::int64_t from_ns,
                 std::int64_t to_ns, bool only_trades, Form form, bool partial) {
    Json rows = Json::array();
    if (form == Form::csv)
        fmt::print("sequence,time,type,reference,new_reference,side,price,quantity,match,mark\n");
    const auto show = [&](std::uint64_t sequence, const Change& change) {
        if (form == Form::json)
            rows.push_back(to_json(sequence, change));
        else
            print_change(sequence, change, form);
    };
    archive::Completeness completeness;
    if (only_trades) {
        const auto trades = archive::trades(day, locate, {.from_ns = from_ns, .to_ns = to_ns});
        completeness = trades.completeness;
        for (const archive::DayTrade& trade : trades.value)
            show(trade.sequence, {.type = trade.type,
                                  .time_ns = trade.time_ns,
                                  .reference = trade.reference,
                                  .quantity = trade.shares,
                                  .price_e4 = trade.price_e4,
                                  .match = trade.match_number,
                                  .is_printable = trade.is_printable,
                                  .is_broken = trade.is_broken});
    } else {
        completeness = archive::for_each_message(
            day, {.locate = locate, .from_ns = from_ns, .until_ns = to_ns},
            [&](std::uint64_t sequence, const itch::Message& message) {
                show(sequence, change_of(message, day.marks()));
            });
    }
    if (form == Form::json) {
        Json object{{"from_ns", from_ns},
                    {"to_ns", to_ns},
                    {only_trades ? "trades" : "messages", std::move(rows)}};
        add_completeness(object, completeness);
        print_json(object);
    }
    return end_answer(completeness, partial);
}

int show_order(const archive::Day& day, std::uint64_t reference, Form form, bool partial) {
    const auto [life, completeness] = archive::order_life(day, reference);
    if (life.steps.empty() && completeness.is_complete())
        return fail(fmt::format("the day has no order {}", reference));
    Json rows = Json::array();
    if (form == Form::csv)
        fmt::print("sequence,time,type,reference,price,quantity,orders_ahead,quantity_ahead\n");
    if (form == Form::text)
        fmt::print("{:>10} {:<18} {} {:>20} {:>12} {:>10} {:>12} {:>14}\n", "message", "time", "t",
                   "reference", "price", "quantity", "orders ahead", "quantity ahead");
    const auto number = [](const auto& known, const char* unknown) {
        return known ? fmt::to_string(*known) : std::string{unknown};
    };
    const auto json_number = [](const auto& known) { return known ? Json(*known) : Json(nullptr); };
    for (const archive::OrderStep& step : life.steps) {
        if (form == Form::json)
            rows.push_back({{"sequence", step.sequence},
                            {"time", time_text(step.time_ns)},
                            {"type", std::string(1, step.type)},
                            {"reference", step.reference},
                            {"price", step.price_e4 / k_price_scale},
                            {"quantity", json_number(step.shares)},
                            {"orders_ahead", json_number(step.orders_ahead)},
                            {"quantity_ahead", json_number(step.shares_ahead)},
                            {"made_by_view", step.made_by_view}});
        else if (form == Form::csv)
            fmt::print("{},{},{},{},{},{},{},{}\n", step.sequence, time_text(step.time_ns),
                       letter(step), step.reference, price_text(step.price_e4),
                       number(step.shares, ""), number(step.orders_ahead, ""),
                       number(step.shares_ahead, ""));
        else
            fmt::print("{:>10} {:<18} {} {:>20} {:>12} {:>10} {:>12} {:>14}\n", step.sequence,
                       time_text(step.time_ns), letter(step), step.reference,
                       price_text(step.price_e4), number(step.shares, "?"),
                       number(step.orders_ahead, "?"), number(step.shares_ahead, "?"));
    }
    if (form == Form::json) {
        Json object{{"order", reference}};
        if (!life.steps.empty()) object["side"] = life.side == Side::buy ? "buy" : "sell";
        object["steps"] = std::move(rows);
        add_completeness(object, completeness);
        print_json(object);
    }
    return end_answer(completeness, partial);
}

}  // namespace damrak::app
