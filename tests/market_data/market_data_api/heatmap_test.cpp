// What /v1/heatmap answers: the arrays as a browser reads them.
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "small_archive.hpp"

namespace damrak::market_data_api::heatmap_test {
namespace {

using Json = nlohmann::json;
using testing::Asked;
using ::testing::HasSubstr;

std::vector<float> floats(const std::string& base64) {
    constexpr std::string_view k_letters =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string bytes;
    std::uint32_t word = 0;
    unsigned bits = 0;
    for (const char letter : base64) {
        if (letter == '=') break;
        word = word << 6U | static_cast<std::uint32_t>(k_letters.find(letter));
        bits += 6;
        if (bits < 8) continue;
        bits -= 8;
        bytes += static_cast<char>(word >> bits & 0xFFU);
    }
    std::vector<float> values(bytes.size() / sizeof(float));
    std::memcpy(values.data(), bytes.data(), bytes.size());
    return values;
}

class HeatmapAnswer : public testing::SmallArchive {};

TEST_F(HeatmapAnswer, HasLinesVolumesAndCellsOfEachColumn) {
    // The bid is entered at 10:00:05, in the middle of a column.
    const Json map = ask("/v1/heatmap?symbol=ONE&from=10:00:04&until=10:00:15.999999999&columns=6"
                         "&rows=4&low=99.98&high=100.02")
                         .json();
    EXPECT_EQ(map["from_ns"], 36'004'000'000'000);
    EXPECT_EQ(map["column_ns"], 2'000'000'000);
    EXPECT_EQ(map["columns"], 6);
    EXPECT_EQ(map["until_ns"], 36'016'000'000'000);
    EXPECT_EQ(map["rows"], 4);
    EXPECT_EQ(map["price_step"], 0.01);
    EXPECT_EQ(map["low"], 99.98);
    EXPECT_EQ(map["high"], 100.02);
    EXPECT_EQ(map["bid"], Json::parse("[99.99, 99.99, 99.99, 99.99, 99.99, 99.99]"));
    EXPECT_EQ(map["ask"], Json::parse("[null, 100.01, 100.01, 100.01, 100.01, 100.01]"));
    EXPECT_EQ(map["volume_sold"], Json::parse("[0, 0, 40, 0, 0, 0]"));
    EXPECT_EQ(map["volume_bought"], Json::parse("[0, 0, 0, 20, 0, 0]"))
        << "what is not printable is left out";
    EXPECT_EQ(map["volume_other"], Json::parse("[0, 0, 0, 0, 0, 507]"));
    const std::vector<float> bids = floats(map["bids"]);
    const std::vector<float> asks = floats(map["asks"]);
    ASSERT_EQ(bids.size(), 24U);
    ASSERT_EQ(asks.size(), 24U);
    const auto row = [](const std::vector<float>& cells, std::size_t number) {
        std::vector<float> values;
        for (std::size_t at = number; at < cells.size(); at += 4) values.push_back(cells[at]);
        return values;
    };
    EXPECT_THAT(row(bids, 0), ::testing::ElementsAre(0, 0, 0, 0, 15, 30)) << "the replaced order";
    EXPECT_THAT(row(bids, 1), ::testing::ElementsAre(50, 150, 130, 110, 75, 50));
    EXPECT_THAT(row(asks, 3), ::testing::ElementsAre(0, 35, 70, 49.5, 49, 49));
    EXPECT_THAT(row(asks, 0), ::testing::Each(0));
    EXPECT_TRUE(map["damage"].empty());
}

TEST_F(HeatmapAnswer, ShowsAllOfTheDayUnlessAsked) {
    const Json map = ask("/v1/heatmap?symbol=ONE").json();
    EXPECT_EQ(map["from_ns"], 36'000'000'000'000);
    EXPECT_LE(map["columns"], 400);
    EXPECT_LE(map["rows"], 200);
    EXPECT_LT(map["low"], 99.99);
    EXPECT_GT(map["high"], 100.01);
    EXPECT_EQ(floats(map["bids"]).size(),
              map["columns"].get<std::size_t>() * map["rows"].get<std::size_t>());
    const Json after = ask("/v1/heatmap?symbol=ONE&from=11:00").json();
    EXPECT_EQ(after["columns"], 0);
    EXPECT_EQ(after["bids"], "");
}

TEST_F(HeatmapAnswer, IsNotMadeAgainForWhoHasIt) {
    const Asked first = ask("/v1/heatmap?symbol=ONE");
    EXPECT_EQ(first.etag, ask("/v1/trades?symbol=ONE").etag);
    EXPECT_TRUE(ask("/v1/heatmap?symbol=ONE", first.etag).text.empty());
}

TEST_F(HeatmapAnswer, DoesNotNeedTheFileOfTheDay) {
    const Asked without = ask("/v1/heatmap?symbol=ONE&columns=4");
    std::ofstream{folder_ / "2026112300.heatmap"} << "nonsense";
    EXPECT_EQ(ask("/v1/heatmap?symbol=ONE&columns=4").text, without.text);
}

TEST_F(HeatmapAnswer, SaysWhatIsWrong) {
    const struct {
        const char* query;
        const char* parameter;
        const char* text;
    } cases[]{
        {"from=11:00&until=10:00", "until", "is before from"},
        {"columns=2000&rows=1000", "rows", "more than 1000000 cells"},
        {"columns=2001", "columns", "no number from 1 to 2000"},
        {"low=100&high=100", "high", "not above low"},
        {"low=100.00001", "low", "up to four places"},
        {"high=-1", "high", "no price"},
    };
    for (const auto& one : cases) {
        const Asked refused = ask(std::string{"/v1/heatmap?symbol=ONE&"} + one.query);
        EXPECT_EQ(refused.status, 400U) << one.query;
        EXPECT_EQ(refused.json()["error"]["parameter"], one.parameter);
        EXPECT_THAT(refused.json()["error"]["message"].get<std::string>(), HasSubstr(one.text));
    }
}

}  // namespace
}  // namespace damrak::market_data_api::heatmap_test
