// Recorded days for tests of what-if replays, and files of those who trade in them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <damrak/archive/day_writer.hpp>
#include <damrak/generator/itch_day.hpp>
#include <damrak/what_if/what_if.hpp>

#include "scripted.hpp"
#include "support/scratch_folder.hpp"
#include "support/small_day.hpp"

namespace damrak::what_if {

using testing::SmallDay;
using Orders = std::vector<std::pair<std::int64_t, std::int64_t>>;

template <class PriceOf>
Orders orders_of(const OrderBook& book, const BookStore& store, Side side, std::size_t most,
                 const PriceOf& price_of) {
    Orders orders;
    book.for_each_order(store, side, [&](OrderIndex index) {
        const Order& order = store.order(index);
        orders.emplace_back(price_of(order), order.quantity.value);
        return orders.size() < most;
    });
    return orders;
}

struct WhatIf : ::testing::Test {
    testing::ScratchFolder folder;

    OpenDay open(const std::filesystem::path& file, const std::string& symbol = "") const {
        auto day = open_day({.file = file,
                             .folder = folder.path() / "made",
                             .symbol = symbol,
                             .trust_messages = true});
        if (!day) ADD_FAILURE() << day.error();
        return *std::move(day);
    }
    OpenDay open(const SmallDay& small) const {
        const auto file = folder.path() / "small.itch";
        std::ofstream{file, std::ios::binary}.write(
            reinterpret_cast<const char*>(small.bytes().data()),
            static_cast<std::streamsize>(small.bytes().size()));
        return open(file);
    }
    /// Three symbols; large enough to trade in full.
    std::filesystem::path generated() {
        generator::FlowOptions options;
        options.symbols = 3;
        options.messages = 20'000;
        options.live_orders = 1'000;
        auto made = generator::ItchDay::create(options);
        EXPECT_TRUE(made) << made.error();
        auto path = folder.path() / "generated.dar";
        auto writer = archive::DayWriter::create(path, {.date = 20'261'123, .source = "generated"});
        EXPECT_TRUE(writer) << writer.error();
        for (const auto* messages = &made->next(); !messages->empty(); messages = &made->next())
            for (const wire::itch::Message& message : *messages)
                std::visit([&](const auto& one) { writer->add(one); }, message);
        EXPECT_TRUE(writer->close());
        return path;
    }
    static Result replay(const OpenDay& day, const market_runs::MarketFile& file,
                         Options options = {}) {
        auto result = run(day, file, options);
        if (!result) ADD_FAILURE() << result.error();
        return *std::move(result);
    }
    static market_runs::MarketFile nobody(const OpenDay& day) {
        return *market_runs::parse_market_file("", "nobody", &day.given);
    }
    /// One participant that does this, without latency.
    market_runs::MarketFile with(const OpenDay& day, std::vector<Entry> entries) {
        kind_ = scripted(std::move(entries));
        market_runs::MarketFile file = nobody(day);
        market_runs::GroupDescription group;
        group.name = "own";
        group.kind = &kind_;
        group.instruments = {InstrumentId{1}};
        file.groups.push_back(std::move(group));
        return file;
    }

    static market_runs::MarketFile reacting(market_runs::MarketFile file) {
        file.reaction = market_runs::ReactionDescription{.recovery_ns = k_second_ns};
        return file;
    }

    static void expect_the_record(const OpenDay& day, std::size_t whole_every) {
        expect_the_record(day, nobody(day), whole_every);
    }
    static void expect_the_record(const OpenDay& day, const market_runs::MarketFile& file,
                                  std::size_t whole_every) {
        std::size_t steps = 0;
        std::size_t different = 0;
        Options options;
        options.compare = [&](const market_kernel::Market& market, const RecordedMarket& record) {
            const std::size_t depth = ++steps % whole_every == 0 ? 100'000 : 10;
            const InstrumentState& in = *market.engine().instrument(InstrumentId{1});
            for (const Side side : {Side::buy, Side::sell}) {
                const auto played =
                    orders_of(in.book, market.engine().store(), side, depth,
                              [&](const Order& order) { return in.price_of(order.tick).value; });
                const auto recorded =
                    record.instrument() ? orders_of(record.books().book(record.instrument()).book,
                                                    record.books().store(), side, depth,
                                                    [&](const Order& order) {
                                                        return record.books().price_of(order).value;
                                                    })
                                        : Orders{};
                if (played != recorded) ++different;
            }
        };
        const Result result = replay(day, file, options);
        EXPECT_GT(steps, 100U);
        EXPECT_EQ(different, 0U);
        EXPECT_TRUE(result.is_complete);
        EXPECT_GT(result.recorded_trades, 0U);
        EXPECT_EQ(result.counts.trades, result.recorded_trades);
        EXPECT_EQ(result.drift.differences, 0U);
        EXPECT_EQ(result.drift.refused, 0U);
        EXPECT_EQ(result.drift.missed_trades, 0U);
        EXPECT_EQ(result.counts.messages, 0U);
        EXPECT_FALSE(result.has_acted);
    }

  private:
    participants::Kind kind_;
};

/// A bid of 100 and an ask of 50; then 30, 70 and 60 are sold at the bid.
inline SmallDay bid_that_trades() {
    SmallDay day;
    day.listed(1, "AAPL")
        .add(0, 1, Side::buy, 1'000, 100)
        .add(0, 2, Side::sell, 1'010, 50)
        .add(20, 3, Side::buy, 1'000, 200)
        .execute(30, 1, 30)
        .execute(40, 1, 70)
        .execute(50, 3, 60)
        .add(60, 4, Side::buy, 1'004, 10)
        .remove(3'000'000, 4)
        .add(5'000'000, 5, Side::sell, 1'020, 10);
    return day;
}

}  // namespace damrak::what_if
