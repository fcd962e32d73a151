// What viewers see is exactly the market at each sequence, whatever they subscribe to, however
// slowly they read, and whatever is left out: compared with a model that knows only the orders.
#include <cmath>
#include <cstdint>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <damrak/market_stream/market_stream.hpp>

#include "random_market.hpp"
#include "support/eventually.hpp"
#include "watching.hpp"

namespace damrak::market_stream::exactness_test {
namespace {

using testing::Json;
using testing::ModelInstrument;
using testing::ModelOrder;
using testing::ModelTrade;
using testing::Numbers;
using testing::RandomMarket;
using testing::TestViewer;
using testing::Watched;

std::vector<Numbers> order_rows(const ModelInstrument& in, bool is_buy, std::size_t levels) {
    std::vector<Numbers> rows;
    for (const ModelOrder& one : in.side(is_buy, levels))
        rows.push_back({one.reference, one.price_e4, one.quantity});
    return rows;
}

std::vector<Numbers> level_rows(const ModelInstrument& in, bool is_buy, std::size_t levels) {
    std::vector<Numbers> rows;
    for (const ModelOrder& one : in.side(is_buy, levels)) {
        if (rows.empty() || rows.back()[0] != one.price_e4) rows.push_back({one.price_e4, 0, 0});
        rows.back()[1] += one.quantity;
        ++rows.back()[2];
    }
    return rows;
}

double units(std::uint64_t price_e4) { return static_cast<double>(price_e4) / 10'000; }

Json row_of(const ModelTrade& trade) {
    return Json::array(
        {trade.sequence, trade.time_ns, units(trade.price_e4), trade.quantity, trade.aggressor});
}

class Exactness : public ::testing::TestWithParam<std::uint32_t> {
  protected:
    std::uint32_t below(std::uint32_t bound) { return static_cast<std::uint32_t>(draw_() % bound); }

    void subscribe(TestViewer& viewer, const std::string& channel, const std::string& symbol,
                   std::uint32_t parameter) {
        Json message{{"op", "subscribe"}, {"channel", channel}, {"symbol", symbol}};
        if (channel == "depth" || channel == "orders") message["levels"] = parameter;
        if (channel == "candles") message["seconds"] = parameter;
        viewer.say(message.dump());
    }

    void expect_book(const Watched& seen, const std::string& channel, const ModelInstrument& in,
                     std::uint32_t levels) const {
        for (const bool is_buy : {true, false}) {
            const auto& rows = seen.rows[is_buy ? 0 : 1];
            EXPECT_EQ(rows, channel == "depth" ? level_rows(in, is_buy, levels)
                                               : order_rows(in, is_buy, levels))
                << channel << " " << in.symbol << " at " << market_.sequence();
        }
    }
    void expect_trades(const Watched& seen, const ModelInstrument& in) const {
        EXPECT_EQ(seen.traded, in.trades.size());
        const std::size_t told = std::min<std::size_t>(seen.trades.size(), 20);
        for (std::size_t i = 0; i < told; ++i)
            EXPECT_EQ(seen.trades[seen.trades.size() - told + i],
                      row_of(in.trades[in.trades.size() - told + i]));
    }
    void expect_top(const Watched& seen, const ModelInstrument& in) const {
        for (const bool is_buy : {true, false}) {
            const auto rows = level_rows(in, is_buy, 1);
            const Json& told = seen.last.at(is_buy ? "bid" : "ask");
            if (rows.empty())
                EXPECT_TRUE(told.is_null());
            else
                EXPECT_EQ(told, Json::array({units(rows[0][0]), rows[0][1], rows[0][2]}));
        }
        EXPECT_EQ(seen.last.at("halted"), Json(in.state == 'H'));
        if (in.trades.empty())
            EXPECT_TRUE(seen.last.at("last").is_null());
        else
            EXPECT_EQ(seen.last.at("last"), row_of(in.trades.back()));
    }
    void expect_statistics(const Watched& seen, const ModelInstrument& in) const {
        std::uint64_t volume = 0;
        std::uint64_t turnover = 0;
        std::uint32_t high = 0;
        std::uint32_t low = UINT32_MAX;
        for (const ModelTrade& trade : in.trades) {
            volume += trade.quantity;
            turnover += trade.quantity * trade.price_e4;
            high = std::max(high, trade.price_e4);
            low = std::min(low, trade.price_e4);
        }
        const Json& told = seen.last;
        EXPECT_EQ(told.at("volume"), Json(volume));
        EXPECT_DOUBLE_EQ(told.at("turnover").get<double>(), units(turnover));
        EXPECT_EQ(told.at("trades"), Json(in.trades.size()));
        EXPECT_EQ(told.at("orders"), Json(in.entered));
        EXPECT_EQ(told.at("executions"), Json(in.executions));
        EXPECT_EQ(told.at("cancels"), Json(in.cancels));
        if (in.trades.empty()) return;
        EXPECT_DOUBLE_EQ(told.at("open").get<double>(), units(in.trades.front().price_e4));
        EXPECT_DOUBLE_EQ(told.at("last").get<double>(), units(in.trades.back().price_e4));
        EXPECT_DOUBLE_EQ(told.at("high").get<double>(), units(high));
        EXPECT_DOUBLE_EQ(told.at("low").get<double>(), units(low));
    }
    void expect_candles(const Watched& seen, const ModelInstrument& in,
                        std::uint32_t seconds) const {
        std::map<std::int64_t, std::vector<ModelTrade>> by_begin;
        for (const ModelTrade& trade : in.trades) {
            const std::int64_t length = std::int64_t{seconds} * 1'000'000'000;
            by_begin[trade.time_ns / length * length].push_back(trade);
        }
        for (const Json& told : seen.candles) {
            const auto& trades = by_begin.at(told[0].get<std::int64_t>());
            std::uint64_t volume = 0;
            std::uint64_t turnover = 0;
            for (const ModelTrade& trade : trades) {
                volume += trade.quantity;
                turnover += trade.quantity * trade.price_e4;
            }
            const auto [low, high] =
                std::ranges::minmax(trades, {}, [](const ModelTrade& one) { return one.price_e4; });
            EXPECT_EQ(told,
                      Json::array({told[0], units(trades.front().price_e4), units(high.price_e4),
                                   units(low.price_e4), units(trades.back().price_e4), volume,
                                   trades.size(), units(turnover)}));
        }
        EXPECT_EQ(seen.candles.empty(), by_begin.empty());
        if (by_begin.empty()) return;
        EXPECT_EQ(seen.candles.back()[0], Json(by_begin.rbegin()->first));
    }

    static void expect_auction(const Json& told, const ModelInstrument& in) {
        ASSERT_EQ(told.is_null(), !in.auction.has_value());
        if (!in.auction) return;
        const std::map<char, std::string> types{
            {'O', "opening"}, {'C', "closing"}, {'H', "reopening"}, {'I', "intraday"}};
        const std::map<char, Json> sides{
            {'B', "buy"}, {'S', "sell"}, {'N', nullptr}, {'O', nullptr}};
        const std::uint32_t price_e4 = in.auction->reference_price_e4;
        EXPECT_EQ(told, Json({{"type", types.at(in.auction->cross_type)},
                              {"price", price_e4 == 0 ? Json{} : Json(units(price_e4))},
                              {"quantity", in.auction->paired_shares},
                              {"imbalance", in.auction->imbalance_shares},
                              {"side", sides.at(in.auction->imbalance_direction)}}));
    }

    void expect_as_told(const Watched& seen, const std::string& channel, const ModelInstrument& in,
                        std::uint32_t parameter) const {
        if (channel == "depth" || channel == "orders") {
            expect_book(seen, channel, in, parameter);
        } else if (channel == "top") {
            expect_top(seen, in);
        } else if (channel == "statistics") {
            expect_statistics(seen, in);
        } else if (channel == "candles") {
            expect_candles(seen, in, parameter);
        } else if (channel == "state") {
            EXPECT_EQ(seen.last.at("state"), in.state == 'H'   ? "halted"
                                             : in.state == 'Q' ? "call"
                                                               : "trading");
            expect_auction(seen.last.at("auction"), in);
        }
    }

    std::mt19937 draw_{GetParam()};
    RandomMarket market_{GetParam()};
    MarketStream stream_{{.session = [this] { return market_.session(); },
                          .reading_time = std::chrono::seconds{testing::patience_s()},
                          .publishing_time = std::chrono::seconds{testing::patience_s()}}};
};

// Viewers come, subscribe, replace, leave and read at their own pace; a viewer that has read
// everything has the market of now.
TEST_P(Exactness, WhoeverHasReadEverythingHasTheMarket) {
    struct Guest {
        std::unique_ptr<TestViewer> viewer;
        std::map<std::pair<std::string, std::string>, std::uint32_t> parameters{};
    };
    std::vector<Guest> guests(4);
    market_.break_trades();
    const std::vector<std::string> channels{"top",     "depth", "orders",    "trades",
                                            "candles", "state", "statistics"};
    stream_.tick();
    std::uint64_t compared = 0;
    for (int round = 0; round < 150; ++round) {
        market_.step(below(60));
        for (Guest& guest : guests) {
            const std::uint32_t kind = below(40);
            if (!guest.viewer || kind == 0) {
                guest.parameters.clear();
                guest.viewer.reset();
                guest.viewer = std::make_unique<TestViewer>(
                    stream_, below(2) == 0 ? "damrak.json" : "damrak.binary");
            }
            const std::string& channel = channels[below(7)];
            const std::string symbol = below(2) == 0 ? "ONE" : "TWO";
            if (kind > 0 && kind < 8) {
                // A subscription that is replaced starts again, after what is on its way.
                guest.viewer->read();
                guest.viewer->forget(channel, symbol);
                const std::uint32_t parameter =
                    channel == "candles" ? k_candle_seconds[below(4)] : 1 + below(30);
                guest.parameters[{channel, symbol}] = parameter;
                subscribe(*guest.viewer, channel, symbol, parameter);
            }
        }
        stream_.tick();
        for (Guest& guest : guests) {
            guest.viewer->read(below(3) == 0 ? 3 : SIZE_MAX);
            if (guest.viewer->waiting() > 0) continue;
            for (const auto& [place, parameter] : guest.parameters) {
                const auto& [channel, symbol] = place;
                const Watched& seen = guest.viewer->watched(channel, symbol);
                const ModelInstrument& in = market_.instrument(symbol == "ONE" ? 0 : 1);
                ++compared;
                expect_as_told(seen, channel, in, parameter);
            }
        }
        ASSERT_FALSE(HasFailure()) << "round " << round;
    }
    EXPECT_GT(compared, 300U);
}

// Messages of trades: those told and those left out are all there are.
TEST_P(Exactness, TradesAreToldOnceOrCountedAsOmitted) {
    TestViewer json{stream_, "damrak.json"};
    TestViewer binary{stream_, "damrak.binary"};
    stream_.tick();
    for (TestViewer* const one : {&json, &binary}) subscribe(*one, "trades", "ONE", 0);
    stream_.tick();
    for (const std::uint32_t messages : {100U, 50U, 9'000U, 1U, 0U, 200U}) {
        market_.step(messages);
        stream_.tick();
        for (TestViewer* const one : {&json, &binary}) {
            one->read();
            expect_trades(one->watched("trades", "ONE"), market_.instrument(0));
        }
    }
    EXPECT_LT(json.watched("trades", "ONE").trades.size(), market_.instrument(0).trades.size())
        << "some were left out";
}

// A viewer that reads nothing for a while gets a snapshot, not the changes in between.
TEST_P(Exactness, ASlowViewerGetsANewSnapshot) {
    TestViewer viewer{stream_, "damrak.json"};
    stream_.tick();
    subscribe(viewer, "orders", "ONE", 1'000);
    market_.step(5'000);
    while (viewer.unsent_bytes() <= MarketStream::k_maximum_unsent_bytes) {
        market_.step(500);
        stream_.tick();
    }
    const std::size_t waiting = viewer.waiting();
    for (int i = 0; i < 10; ++i) {
        market_.step(500);
        stream_.tick();
    }
    EXPECT_EQ(viewer.waiting(), waiting) << "nothing is added for it";
    viewer.read();
    stream_.tick();
    viewer.read();
    EXPECT_EQ(viewer.watched("orders", "ONE").snapshots, 2U);
    expect_book(viewer.watched("orders", "ONE"), "orders", market_.instrument(0), 1'000);
}

INSTANTIATE_TEST_SUITE_P(Seeds, Exactness, ::testing::Range(1U, 5U));

}  // namespace
}  // namespace damrak::market_stream::exactness_test
