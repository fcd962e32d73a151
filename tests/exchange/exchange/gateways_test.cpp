// The list of gateways, with gateways that note what they are asked: who hears what, who is polled
// when, and that nothing is sent before it is durable.
#include <damrak/exchange/detail/gateways.hpp>

#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace damrak::exchange::gateways_test {
namespace {

using ::testing::ElementsAre;
using Notes = std::vector<std::string>;

struct FakeExchange {
    journal::DurableState kept = journal::DurableState::all;
    bool takes = true;
    static bool submit(const Command&, const Origin&, Timestamp) { return true; }
    [[nodiscard]] bool do_work(Timestamp) const { return takes; }
    static bool ready() { return true; }
    static bool awaits_answers() { return false; }
    [[nodiscard]] journal::DurableState durable_state() const { return kept; }
    static bool has_instrument(InstrumentId) { return true; }
    static bool below_zero(InstrumentId) { return false; }
    static SessionId last_session() { return {}; }
    static ParticipantId last_participant() { return {}; }
};

template <std::uint8_t number>
class FakeGateway {
  public:
    static constexpr GatewayNumber k_gateway{number};
    static constexpr std::string_view k_name = number == 0 ? "first" : "other";
    struct Setup {
        Notes* notes = nullptr;
        bool open = true;
    };
    FakeGateway(Setup setup, const gateway::House& /*house*/) : notes_(setup.notes) {}

    void attach(FakeExchange& /*exchange*/) { note("attach"); }
    std::expected<void, std::string> listen() {
        return note("listen"), std::expected<void, std::string>{};
    }
    static std::uint16_t port() { return number; }
    static int wake_source() { return 100 + number; }
    bool wake_up_for(int descriptor, bool& signalled) {
        note("wakes up for " + std::to_string(descriptor));
        signal = &signalled;
        return true;
    }
    std::size_t poll(int wait_ms) { return note("poll " + std::to_string(wait_ms)), 1; }
    [[nodiscard]] bool busy() const { return is_busy; }
    [[nodiscard]] bool is_due(Timestamp) const { return is_busy; }
    static Timestamp time() { return {number}; }
    void on_event(const Event&, const Origin&, const CommandStamp&) { note("event"); }
    void on_command_end(const Origin&) { note("end"); }
    void flush() { note("flush"); }
    void close() { note("close"); }
    [[nodiscard]] bool stopped() const { return has_stopped; }

    bool is_busy = false;
    bool has_stopped = false;
    bool* signal = nullptr;

  private:
    void note(const std::string& what) { notes_->push_back(std::to_string(number) + " " + what); }
    Notes* notes_;
};

using First = FakeGateway<0>;
using Second = FakeGateway<7>;
using Third = FakeGateway<128>;
using TestGateways = Gateways<FakeExchange, First, Second, Third>;

class GatewayList : public ::testing::Test {
  protected:
    void SetUp() override { gateways_.attach(exchange_); }
    Notes heard() { return std::exchange(notes_, {}); }

    static EngineConfig engine() {
        EngineConfig config;
        config.maximum_participants = 10;
        return config;
    }
    Notes notes_;
    FakeExchange exchange_;
    TestGateways gateways_{engine(), First::Setup{&notes_}, Second::Setup{&notes_, false},
                           Third::Setup{&notes_}};
};

TEST_F(GatewayList, ReportsEventsToAllAndTheEndOfACommandToTheGatewayThatAsked) {
    heard();
    gateways_.on_event({}, {.session = session_at(Third::k_gateway, 1)}, {});
    EXPECT_THAT(heard(), ElementsAre("0 event", "7 event", "128 event")) << "closed ones too";
    gateways_.on_command_end({.session = session_at(Third::k_gateway, 1)});
    gateways_.on_command_end({.session = session_at(GatewayNumber{9}, 1)});
    EXPECT_THAT(heard(), ElementsAre("128 end"));
}

TEST_F(GatewayList, LetsTheFirstOpenGatewayWaitForTheOthers) {
    heard();
    ASSERT_TRUE(gateways_.listen());
    EXPECT_THAT(heard(), ElementsAre("0 listen", "128 listen", "0 wakes up for 228"));
    EXPECT_EQ(gateways_.do_work(5), 1U);
    EXPECT_THAT(heard(), ElementsAre("0 poll 5", "0 flush", "128 flush"));
    *gateways_.gateway<First::k_gateway>()->signal = true;
    EXPECT_EQ(gateways_.do_work(5), 2U);
    EXPECT_THAT(heard(), ElementsAre("0 poll 5", "128 poll 0", "0 flush", "128 flush"));
    gateways_.gateway<Third::k_gateway>()->is_busy = true;
    static_cast<void>(gateways_.do_work(5));
    EXPECT_THAT(heard(), ElementsAre("0 poll 0", "128 poll 0", "0 flush", "128 flush"));
}

TEST_F(GatewayList, SendsNothingBeforeItIsDurableAndReadsNothingMeanwhile) {
    exchange_.kept = journal::DurableState::not_yet;
    heard();
    static_cast<void>(gateways_.do_work(0));
    static_cast<void>(gateways_.do_work(0));
    EXPECT_THAT(heard(), ElementsAre("0 poll 0"));
    exchange_.kept = journal::DurableState::all;
    static_cast<void>(gateways_.do_work(0));
    EXPECT_THAT(heard(), ElementsAre("0 flush", "128 flush", "0 poll 0", "0 flush", "128 flush"));
}

TEST_F(GatewayList, ClosesTheLastGatewayFirst) {
    heard();
    gateways_.close();
    EXPECT_THAT(heard(), ElementsAre("0 flush", "128 flush", "128 close", "0 flush", "128 flush",
                                     "0 close"));
    EXPECT_THAT(gateways_.ports(), ElementsAre(std::pair{"first", 0}, std::pair{"other", 128}));
}

TEST_F(GatewayList, StopsWithTheExchangeAndWithAnyGateway) {
    EXPECT_FALSE(gateways_.stopped());
    gateways_.gateway<Second::k_gateway>()->has_stopped = true;
    EXPECT_TRUE(gateways_.stopped());
    gateways_.gateway<Second::k_gateway>()->has_stopped = false;
    exchange_.takes = false;
    static_cast<void>(gateways_.do_work(0));
    EXPECT_TRUE(gateways_.stopped());
}

TEST(GatewayListOfOne, IsNotThereWithoutASetup) {
    Notes notes;
    Gateways<FakeExchange, First, Second> gateways{EngineConfig{}, std::nullopt,
                                                   Second::Setup{&notes}};
    FakeExchange exchange;
    gateways.attach(exchange);
    EXPECT_EQ(gateways.gateway<First::k_gateway>(), nullptr);
    EXPECT_FALSE(gateways.is_open<First::k_gateway>());
    static_cast<void>(gateways.do_work(3));
    EXPECT_THAT(notes, ElementsAre("7 attach", "7 poll 3", "7 flush"));
}

}  // namespace
}  // namespace damrak::exchange::gateways_test
