// A question about a whole day takes long. Clients that wait at the worker have a turn between any
// two blocks that it reads.
#include <atomic>
#include <functional>
#include <latch>
#include <map>
#include <string>
#include <string_view>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <damrak/http/detail/worker.hpp>
#include <damrak/market_data_api/detail/routes.hpp>

#include "small_archive.hpp"

namespace damrak::market_data_api::give_way_test {
namespace {

constexpr std::size_t k_blocks = 40;
constexpr std::int64_t k_hour_ns = 3'600'000'000'000;
constexpr const char* k_long_day = "2026112400";

void write_long_day(const std::filesystem::path& path) {
    namespace itch = wire::itch;
    auto writer = *archive::DayWriter::create(path, {.date = 20261124, .source = "test"});
    testing::small_archive::Messages day{writer};
    day.add(itch::StockDirectory{}, 1);
    itch::AddOrder order;
    order.order_ref = 10;
    order.side = Side::buy;
    order.shares = 1'000;
    order.price_e4 = 99'0000;
    day.add(order, 1);
    for (std::size_t i = 0; i < k_blocks; ++i) {
        day.add(itch::OrderExecuted{.order_ref = 10, .executed_shares = 1}, 1);
        writer.flush();
    }
    EXPECT_TRUE(writer.close());
}

void write_long_events(const std::filesystem::path& folder) {
    auto log = *archive::EventLog::open(
        {.folder = folder,
         .journal = [] { return std::optional{archive::EventLog::JournalInstance{3, 4}}; },
         .session = std::nullopt,
         .free_bytes = 0,
         .on_notice = nullptr});
    Engine engine{EngineConfig{}};
    ASSERT_TRUE(log->begin(engine, 0));
    ASSERT_TRUE(log->go_live(0));
    std::uint64_t record = 0;
    const auto run = [&](const Command& command) {
        const CommandStamp stamp{.sequence = {++record},
                                 .timestamp = {static_cast<std::int64_t>(record) * k_hour_ns}};
        log->on_command(command, stamp);
        if (command.kind != CommandKind::day_opened)
            engine.apply(command, [&](const Event& event) { log->on_event(event, stamp); });
        log->on_turn(stamp.timestamp.value);  // a block of its own
    };
    Command day{};
    day.kind = CommandKind::day_opened;
    day.trading_day = {.date = 20261124, .feed_session = 0, .is_open = 1};
    run(day);
    run(instrument_command(1, test_stock("ONE")));
    for (std::size_t i = 0; i < k_blocks; ++i) run(order_command(1, 7, Side::buy, 99'0000, 10));
}

/// Whether an answer reads all blocks of its day, and what to ask.
struct Question {
    bool reads_all;
    std::string query;
};

const std::map<std::string_view, Question>& questions() {
    static const std::map<std::string_view, Question> k_questions{
        {"/v1/days", {false, ""}},
        {"/v1/instruments", {false, "day=2026112400"}},
        {"/v1/book", {true, "day=2026112400&symbol=ONE"}},
        {"/v1/trades", {true, "day=2026112400&symbol=ONE"}},
        {"/v1/candles", {true, "day=2026112400&symbol=ONE"}},
        {"/v1/heatmap", {true, "day=2026112400&symbol=ONE"}},
        {"/v1/measures", {true, "day=2026112400&symbol=ONE"}},
        {"/v1/messages", {true, "day=2026112400"}},
        {"/v1/orders/{reference}", {true, "day=2026112400"}},
        {"/v1/private/days", {false, ""}},
        {"/v1/private/events", {true, "day=2026112400"}},
        {"/v1/private/participants", {true, "day=2026112400"}},
        {"/v1/private/busts", {true, "symbol=ONE&trade=99"}},
        {"/v1/private/corrections", {true, "symbol=ONE&trade=99&price=1"}},
        {"/v1/private/quote-protections", {false, "symbol=ONE&participant=7&maximum=0"}}};
    return k_questions;
}

class LongAnswers : public testing::SmallArchive {
  protected:
    LongAnswers() {
        write_long_day(folder_.path() / (std::string{k_long_day} + ".dar"));
        write_long_events(folder_.path());
    }

    /// How many turns another client has while this one is answered.
    [[nodiscard]] std::size_t turns_of_others(const std::function<void()>& ask) {
        const auto client = [](std::uint8_t last) {
            return budget::Who{
                .host = net::ClientAddress::of(std::array<std::uint8_t, 4>{10, 0, 0, last})};
        };
        http::Worker worker;
        std::latch all_wait{1};
        std::latch is_answered{1};
        bool is_over = false;  // both are on the worker's threads, one at a time
        std::size_t turns = 0;
        std::function<void()> turn = [&] {
            if (is_over) return is_answered.count_down();
            ++turns;
            worker.add(client(2), turn);
        };
        worker.add(client(3), [&] { all_wait.wait(); });
        worker.add(client(1), [&] {
            ask();
            is_over = true;
        });
        worker.add(client(2), turn);
        all_wait.count_down();
        is_answered.wait();
        return turns;
    }
};

TEST_F(LongAnswers, GiveWayBetweenBlocks) {
    for (const Route& route : routes()) {
        const auto question = questions().find(route.path);
        ASSERT_NE(question, questions().end()) << route.path << ": say what to ask";
        std::string target{route.path.substr(0, route.path.find('{'))};
        if (target != route.path) target += "10";
        target += "?" + question->second.query;
        testing::Asked asked;
        const std::size_t turns =
            turns_of_others([&] { asked = route.is_post ? post(target) : ask(target); });
        if (question->second.reads_all)
            EXPECT_GE(turns, k_blocks) << target;
        else
            EXPECT_LT(turns, k_blocks) << target << ": it reads all blocks";
    }
}

}  // namespace
}  // namespace damrak::market_data_api::give_way_test
