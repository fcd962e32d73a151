// A day after a modification, and what tests ask of it.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <damrak/modify/modifier.hpp>
#include <damrak/order_flow/book_builder.hpp>
#include <damrak/order_flow/itch_flow.hpp>

#include "rich_day.hpp"

namespace damrak::modify::testing {

constexpr std::int64_t k_hour_ns = 3'600'000'000'000;

inline itch::AddOrder one_order() {
    return {.stock_locate = 1,
            .timestamp_ns = 5,
            .order_ref = 7,
            .shares = 100,
            .stock = {},
            .price_e4 = 10'000};
}

struct Made {
    Messages messages;
    Report report;
};

inline Made make(const Modification& modification, const Messages& day) {
    Made made;
    Modifier modifier{modification, 0,
                      [&](const itch::Message& message) { made.messages.push_back(message); }};
    for (const itch::Message& message : day) modifier.put(message);
    modifier.finish();
    EXPECT_EQ(modifier.error(), "");
    made.report = modifier.report();
    return made;
}

using Books = order_flow::BookBuilder<>;

inline Books books_of(const Messages& day,
                      std::int64_t until_ns = std::numeric_limits<std::int64_t>::max()) {
    Books books;
    order_flow::ItchFlow<Books> flow{books, {.symbol = {}, .until_ns = until_ns}};
    for (const itch::Message& message : day)
        std::visit(
            [&](const auto& one) {
                if constexpr (requires { flow.on(one); }) static_cast<void>(flow.on(one));
            },
            message);
    return books;
}

// "reference:shares@price" of each order in matching order, bids first.
inline std::vector<std::string> queues_of(const Books& books) {
    std::vector<std::string> queues;
    for (std::uint32_t id = 1; id <= books.instruments(); ++id)
        for (const Side side : {Side::buy, Side::sell})
            books.book(InstrumentId{id})
                .book.for_each_order(books.store(), side, [&](OrderIndex index) {
                    const Order& order = books.store().order(index);
                    queues.push_back(fmt::format("{}:{}@{}", order.id.value, order.quantity.value,
                                                 books.price_of(order).value));
                    return true;
                });
    return queues;
}

template <class M>
std::vector<M> all_of(const Messages& day) {
    std::vector<M> found;
    for (const itch::Message& message : day)
        if (const M* one = std::get_if<M>(&message)) found.push_back(*one);
    return found;
}

// The orders of a day by the reference with which they entered, whatever replaced them.
class Chains {
  public:
    explicit Chains(const Messages& day) {
        for (const auto& add : all_of<itch::AddOrder>(day)) enter(add.order_ref);
        for (const auto& add : all_of<itch::AddOrderAttributed>(day)) enter(add.order_ref);
        for (const auto& one : all_of<itch::OrderReplace>(day))
            first_[one.new_order_ref] = first_.at(one.order_ref);
    }
    [[nodiscard]] std::uint64_t first(std::uint64_t reference) const {
        return first_.at(reference);
    }
    [[nodiscard]] const std::set<std::uint64_t>& orders() const { return orders_; }

  private:
    void enter(std::uint64_t reference) {
        first_[reference] = reference;
        orders_.insert(reference);
    }
    std::map<std::uint64_t, std::uint64_t> first_;
    std::set<std::uint64_t> orders_;
};

// The reference of a message about an order; zero: it is about none.
inline std::uint64_t reference_of(const itch::Message& message) {
    return std::visit(
        []<class M>(const M& one) -> std::uint64_t {
            if constexpr (std::is_same_v<M, itch::Trade>) return 0;
            if constexpr (requires { one.order_ref; }) return one.order_ref;
            return 0;
        },
        message);
}

inline void expect_valid(const Messages& day, const std::string& what) {
    const Books books = books_of(day);
    for (std::size_t i = 0; i < order_flow::k_anomaly_kinds; ++i) {
        const auto kind = static_cast<order_flow::Anomaly>(i);
        EXPECT_EQ(books.anomalies().of(kind).count, 0U) << what << ": " << name(kind);
    }
}

// Each message that came in went out, or is counted with the reason.
inline void expect_all_counted(const Report& report, const std::string& what) {
    EXPECT_EQ(report.of(Count::messages_in) + report.of(Count::window_carried),
              report.of(Count::messages_out) + report.of(Count::window_outside) +
                  report.of(Count::drop_messages) + report.of(Count::gone_with_them) +
                  report.of(Count::thin_trades) + report.of(Count::scale_vanished))
        << what;
}

}  // namespace damrak::modify::testing
