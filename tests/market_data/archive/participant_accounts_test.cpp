// What participants did on a day: their fees at the rates of a venue, and the profit after them.
#include <damrak/archive/participant_accounts.hpp>

#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace damrak::archive::participant_accounts_test {
namespace {

using Json = nlohmann::json;

LoggedEvent executed(std::uint32_t participant, Side side, std::int64_t price,
                     std::int64_t quantity, EventFlags::Bits flags) {
    Event event{};
    event.kind = EventKind::executed;
    event.instrument = InstrumentId{2};
    event.participant = ParticipantId{participant};
    event.side = side;
    event.price = Price{price};
    event.quantity = Quantity{quantity};
    event.flags = flags;
    return {.record = 1, .time_ns = 0, .event = event};
}

class Participants : public ::testing::Test {
  protected:
    Json told(const Fees& fees) {
        LoggedInstrument instrument{};
        instrument.id = InstrumentId{2};
        instrument.symbol = Symbol::of("TWO");
        instrument.price_decimals = 4;
        const std::vector instruments{instrument};
        const std::vector events{
            executed(7, Side::buy, 100'000, 10, EventFlags::k_aggressor),
            executed(8, Side::sell, 100'000, 10, 0),
            executed(7, Side::sell, 110'000, 4, EventFlags::k_cross),
            executed(8, Side::buy, 110'000, 4, EventFlags::k_cross | EventFlags::k_aggressor)};
        ParticipantAccounts accounts;
        accounts.add(events, instruments, fees);
        std::string json;
        accounts.append_json(json, instruments, {});
        return Json::parse(json);
    }
};

TEST_F(Participants, PayTheFeesOfTheirSideOfEachTrade) {
    const Fees fees{.all = {.maker = {.per_share = -2'000'000},
                            .taker = {.per_share = 3'000'000},
                            .auction = {.millionths = 1'000}},
                    .groups = {}};
    const Json rows = told(fees);
    ASSERT_EQ(rows.size(), 2U);
    EXPECT_DOUBLE_EQ(rows[0]["fees"], 10 * 0.003 + 0.001 * 44) << "taken, and in an auction";
    EXPECT_DOUBLE_EQ(rows[1]["fees"], -10 * 0.002 + 0.001 * 44);
    EXPECT_DOUBLE_EQ(rows[0]["profit"], 10 - 0.074) << "ten bought at 10 are worth 11";
    EXPECT_DOUBLE_EQ(rows[1]["profit"], -10 - 0.024);
    EXPECT_DOUBLE_EQ(rows[0]["positions"][0]["fees"], 0.074);
    EXPECT_DOUBLE_EQ(rows[0]["positions"][0]["profit"], 9.926);
}

TEST_F(Participants, WithoutFeesHaveTheirProfit) {
    const Json rows = told({});
    EXPECT_EQ(rows[0]["fees"], 0);
    EXPECT_DOUBLE_EQ(rows[0]["profit"], 10);
}

}  // namespace
}  // namespace damrak::archive::participant_accounts_test
