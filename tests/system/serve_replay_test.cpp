// `damrak serve --replay`: a recorded day as the market of the program, controlled by HTTP.
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <span>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <damrak/client/order_entry.hpp>
#include <damrak/http/client.hpp>

#include "raw_binary.hpp"
#include "support/eventually.hpp"
#include "support/run_program.hpp"
#include "support/running_server.hpp"
#include "support/scratch_folder.hpp"
#include "support/small_day.hpp"

namespace damrak::serve_replay_test {
namespace {

using Json = nlohmann::json;
using ::testing::HasSubstr;
using testing::RawClient;
using testing::run_program;
using testing::RunningServer;
using testing::ScratchFolder;
using testing::SmallDay;
using ::testing::StartsWith;
using ::testing::UnorderedElementsAreArray;

struct ServeReplay : ::testing::Test {
    ScratchFolder folder;
    std::string data = folder.path() / "data";
    std::string log = folder.path() / "log";

    [[nodiscard]] std::string file_of(const SmallDay& day) const {
        std::string file = folder.path() / "day.itch";
        std::ofstream{file, std::ios::binary}.write(
            reinterpret_cast<const char*>(day.bytes().data()),
            static_cast<std::streamsize>(day.bytes().size()));
        return file;
    }
    [[nodiscard]] static http::Answer ask(const RunningServer& server, const std::string& json = "",
                                          const std::string& path = "/v1/replay") {
        const auto port = Json::parse(server.ready_line())["ports"]["http"].get<std::uint16_t>();
        const auto answer =
            http::ask({.address = "127.0.0.1", .port = port, .path = path, .json = json});
        if (!answer) ADD_FAILURE() << answer.error();
        return answer.value_or(http::Answer{});
    }
    [[nodiscard]] static Json status(const RunningServer& server) {
        return Json::parse(ask(server).body);
    }
    /// The whole answer to a request with these fields of its header.
    [[nodiscard]] static std::string asked(const RunningServer& server, const std::string& line,
                                           const std::string& fields, const std::string& body) {
        const RawClient client{
            Json::parse(server.ready_line())["ports"]["http"].get<std::uint16_t>()};
        const std::string request =
            line + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n" + fields +
            "Content-Length: " + std::to_string(body.size()) + "\r\nConnection: close\r\n\r\n" +
            body;
        client.send(std::as_bytes(std::span{request}));
        std::string answer;
        for (const std::byte b : client.receive(100'000)) answer += static_cast<char>(b);
        return answer;
    }
    /// The field that stands for the operator's token.
    [[nodiscard]] std::string log_in(const RunningServer& server) const {
        std::string token;
        std::ifstream{data + "/operator-token"} >> token;
        const std::string answer =
            asked(server, "POST /v1/login", "", R"({"token": ")" + token + "\"}");
        const std::size_t begin = answer.find("Set-Cookie: ") + 12;
        return "Cookie: " + answer.substr(begin, answer.find(';', begin) - begin) + "\r\n";
    }
    [[nodiscard]] static bool is_operator(const RunningServer& server, const std::string& cookie) {
        return asked(server, "GET /v1/private/subscribers", cookie, "").starts_with("HTTP/1.1 200");
    }
    static void wait_for_end(const RunningServer& server) {
        ASSERT_TRUE(testing::eventually([&] { return status(server)["over"].get<bool>(); }));
    }
};

SmallDay day_with_a_trade() {
    SmallDay day;
    day.listed(1, "AAPL").add(0, 11, Side::sell, 1'001, 100).execute(1'000, 11, 40);
    return day;
}

TEST_F(ServeReplay, FillsAClientBeforeTheRecordedOrderAndReportsTheDrift) {
    const std::string file = file_of(day_with_a_trade());
    RunningServer server{data,
                         log,
                         {"--only", "binary,http", "--http-port", "0", "--replay", file, "--speed",
                          "0.000001", "--from", "00:00"}};
    EXPECT_FALSE(status(server)["over"].get<bool>());
    EXPECT_EQ(ask(server, R"({"paused": true})").status, 200U);
    EXPECT_TRUE(status(server)["paused"].get<bool>());

    const RawClient socket{server.port()};
    client::OrderEntry entry{wire::binary::Version::v2};
    const auto exchange = [&](std::size_t answer_bytes) {
        socket.send(entry.unsent());
        entry.mark_sent(entry.unsent().size());
        EXPECT_EQ(entry.receive(socket.receive(answer_bytes)), wire::binary::Fault::none);
    };
    entry.login();
    exchange(32);
    static_cast<void>(entry.enter(InstrumentId{1}, Side::sell, 25, 1'000));
    exchange(72);

    EXPECT_EQ(ask(server, R"({"speed": "max", "paused": false})").status, 200U);
    wait_for_end(server);
    const Json after = status(server);
    EXPECT_EQ(after["speed"], "max");
    EXPECT_EQ(after["time"], "09:30:00.001000000");
    EXPECT_EQ(after["drift"]["taken"], 25);
    EXPECT_EQ(after["drift"]["missed_quantity"], 0);
    EXPECT_EQ(after["instruments"][0]["drift"]["differences"], 1);
    EXPECT_EQ(after["instruments"][0]["differs_since"], "09:30:00.001000000");
    EXPECT_THAT(server.log_with("differs"), HasSubstr("AAPL differs from the recording since"));
    EXPECT_THAT(ask(server, "", "/metrics").body, HasSubstr("damrak_replay_taken_total 25"));
    EXPECT_EQ(server.terminate(), 0);
    EXPECT_THAT(server.log_with("clients took"), HasSubstr("clients took 25; 1 difference"));
}

// Names of the members, as the description has them.
std::vector<std::string> described(const Json& api, const std::string& schema) {
    std::vector<std::string> names;
    for (const auto& [name, value] : api["components"]["schemas"][schema]["properties"].items())
        names.push_back(name);
    return names;
}

TEST_F(ServeReplay, AnswersAsTheOpenApiDescribes) {
    const std::string file = file_of(day_with_a_trade());
    RunningServer server{
        data, log, {"--only", "binary,http", "--http-port", "0", "--replay", file}};
    const Json api = Json::parse(ask(server, "", "/v1/openapi.json").body);
    ASSERT_TRUE(api["paths"]["/v1/replay"].contains("post"));
    const Json answer = status(server);
    const auto names = [](const Json& object) {
        std::vector<std::string> all;
        for (const auto& [name, value] : object.items()) all.push_back(name);
        return all;
    };
    EXPECT_THAT(names(answer), UnorderedElementsAreArray(described(api, "Replay")));
    EXPECT_THAT(names(answer["drift"]), UnorderedElementsAreArray(described(api, "Drift")));
    for (const std::string& control : described(api, "ReplayControl")) {
        const http::Answer refused = ask(server, "{\"" + control + "\": []}");
        EXPECT_EQ(refused.status, 400U) << control;
        EXPECT_EQ(Json::parse(refused.body)["error"]["parameter"], control);
    }
    EXPECT_EQ(Json::parse(ask(server, R"({"speeed": 1})").body)["error"]["parameter"], "speeed");
    EXPECT_EQ(server.terminate(), 0);
}

TEST_F(ServeReplay, GoesOnAfterAKill) {
    const std::string file = file_of(day_with_a_trade());
    const std::vector<std::string> arguments{"--only",   "binary,http", "--http-port", "0",
                                             "--replay", file,          "--from",      "00:00"};
    auto slow = arguments;
    slow.insert(slow.end(), {"--speed", "0.000001"});
    {
        RunningServer server{data, log, slow};
        server.kill();
    }
    RunningServer server{data, log, arguments};
    wait_for_end(server);
    EXPECT_EQ(status(server)["drift"]["differences"], 0);
    EXPECT_EQ(status(server)["drift"]["messages"], 3);
    EXPECT_EQ(server.terminate(), 0);
}

// As the market data API has them: bids 30 asks 60.
std::string levels_of(const RunningServer& server) {
    const auto port = Json::parse(server.ready_line())["ports"]["http"].get<std::uint16_t>();
    const auto answer = http::ask(
        {.address = "127.0.0.1", .port = port, .path = "/v1/book?symbol=AAPL", .json = ""});
    if (!answer || answer->status != 200) return "";
    const Json book = Json::parse(answer->body);
    std::string text;
    for (const char* side : {"bids", "asks"})
        for (const Json& level : book[side])
            text += std::string{side} + " " + level["quantity"].dump() + " ";
    return text;
}

TEST_F(ServeReplay, SeeksForwardAndBackWithANewJournalAndFeedSession) {
    SmallDay day;
    day.listed(1, "AAPL").add(0, 11, Side::sell, 1'001, 100).execute(1'000, 11, 40);
    day.add(1'000'000, 12, Side::buy, 1'000, 30).remove(2'000'000, 12);
    const std::string file = file_of(day);
    const std::vector<std::string> arguments{
        "--only", "binary,http,itch", "--http-port", "0",       "--replay",
        file,     "--itch-port",      "0",           "--speed", "0.000001"};
    const auto seek = [](const RunningServer& server, const std::string& time) {
        EXPECT_EQ(ask(server, R"({"paused": true, "seek": ")" + time + "\"}").status, 200U);
        const auto port = Json::parse(server.ready_line())["ports"]["http"].get<std::uint16_t>();
        ASSERT_TRUE(testing::eventually([&] {  // its HTTP port is closed for a moment
            const auto answer =
                http::ask({.address = "127.0.0.1", .port = port, .path = "/v1/replay", .json = ""});
            return answer && Json::parse(answer->body)["seeking"].is_null();
        }));
    };
    const auto has = [&](const RunningServer& server, const std::string& levels) {
        EXPECT_TRUE(testing::eventually([&] { return levels_of(server) == levels; }))
            << levels_of(server);
    };
    {
        RunningServer server{data, log, arguments};
        EXPECT_EQ(ask(server, R"({"seek": "10:00"})").status, 400U);  // after its end
        EXPECT_EQ(ask(server, R"({"seek": "soon"})").status, 400U);
        const std::string cookie = log_in(server);
        EXPECT_FALSE(is_operator(server, ""));
        EXPECT_TRUE(is_operator(server, cookie));
        seek(server, "09:30:01.5");
        EXPECT_TRUE(is_operator(server, cookie)) << "who has logged in stays so";
        EXPECT_EQ(status(server)["time"], "09:30:01.500000000");
        EXPECT_TRUE(status(server)["paused"].get<bool>());
        has(server, "bids 30 asks 60 ");
        const Json orders = Json::parse(ask(server, "", "/v1/replay/orders?symbol=AAPL").body);
        EXPECT_EQ(orders["orders"], Json::parse(R"([{"symbol": "AAPL", "reference": 12, "order": 1},
                                  {"symbol": "AAPL", "reference": 11, "order": 2}])"));
        EXPECT_EQ(Json::parse(ask(server, "", "/v1/replay/orders?reference=11").body)["orders"],
                  Json::array({orders["orders"][1]}));
        EXPECT_EQ(
            Json::parse(ask(server, "", "/v1/replay/orders?symbol=X").body)["error"]["parameter"],
            "symbol");
        EXPECT_EQ(ask(server, R"({"paused": false})").status, 200U);
        seek(server, "09:30:00.0005");
        EXPECT_EQ(ask(server, R"({"paused": false})").status, 200U);
        has(server, "asks 100 ");
        const RawClient comes_back{server.port()};
        server.kill();
    }
    RunningServer server{data, log, arguments};  // continues where the seek began it
    has(server, "asks 100 ");
    EXPECT_THAT(status(server)["time"].get<std::string>(), StartsWith("09:30:00.0005"));
    EXPECT_EQ(server.terminate(), 0);
    std::vector<std::string> sessions;
    for (const auto& entry : std::filesystem::directory_iterator{data + "/archive"})
        if (entry.path().extension() == ".dar") sessions.push_back(entry.path().stem().string());
    EXPECT_EQ(sessions.size(), 3U);
    // Each has its events, under records that start again.
    for (const std::string& session : sessions) {
        const testing::ProgramRun events =
            run_program({"archive", "events", data + "/archive/" + session + ".events"});
        EXPECT_EQ(events.exit_code, 0) << events.err;
        EXPECT_THAT(events.out, HasSubstr("\n2,")) << session;
    }
}

TEST_F(ServeReplay, BeginsADayWithoutADateWithItsFirstTrade) {
    SmallDay day;
    day.listed(1, "AAPL").add(0, 11, Side::sell, 1'001, 100).execute(60'000'000, 11, 40);
    const std::vector<std::string> arguments{"--only",   "binary,http", "--http-port", "0",
                                             "--replay", file_of(day),  "--speed",     "0.000001"};
    RunningServer server{data, log, arguments};
    EXPECT_THAT(server.log_with("messages of"), HasSubstr("from 09:30:59.999999999"));
    EXPECT_EQ(levels_of(server), "");  // no feed
    EXPECT_EQ(server.terminate(), 0);
    std::vector<std::string> from_the_beginning = arguments;
    from_the_beginning.insert(from_the_beginning.end(), {"--from", "00:00"});
    RunningServer other{data + "2", log + "2", from_the_beginning};
    EXPECT_THAT(other.log_with("messages of"), HasSubstr("from 09:30:00.000000000"));
    EXPECT_EQ(other.terminate(), 0);
}

TEST_F(ServeReplay, CompletesASeekThatAKillCutShort) {
    const std::string file = file_of(day_with_a_trade());
    const std::vector<std::string> arguments{"--only",   "binary,http", "--http-port", "0",
                                             "--replay", file,          "--speed",     "0.000001"};
    {
        RunningServer server{data, log, arguments};
        server.kill();
    }
    std::ofstream{data + "/replay.txt", std::ios::app} << "from 34200000500000\nseeking\n";
    {
        RunningServer server{data, log, arguments};
        EXPECT_THAT(status(server)["time"], StartsWith("09:30:00.00050")) << "it goes on slowly";
        EXPECT_EQ(server.terminate(), 0);
    }
    std::ofstream{data + "/replay.txt", std::ios::app} << "nonsense\n";
    const auto refused = run_program({"serve", "--replay", file, "--data", data});
    EXPECT_EQ(refused.exit_code, 1);
    EXPECT_THAT(refused.err, HasSubstr("'nonsense' is not a line of it"));
}

TEST_F(ServeReplay, RefusesWhatItCannotDo) {
    const std::string file = file_of(day_with_a_trade());
    RunningServer server{
        data, log, {"--only", "binary,http", "--http-port", "0", "--replay", file}};
    EXPECT_EQ(ask(server, R"({"speed": 0})").status, 400U);
    EXPECT_EQ(ask(server, R"({"seek": 1})").status, 400U);
    EXPECT_EQ(ask(server, "max").status, 400U);
    EXPECT_EQ(server.terminate(), 0);

    const auto usual = run_program({"serve", "--data", data, "--only", "binary"});
    EXPECT_EQ(usual.exit_code, 1);
    EXPECT_THAT(usual.err, HasSubstr("has the journal of a replayed day"));
    const auto nothing = run_program({"serve", "--replay", data + "/none.itch", "--data", data});
    EXPECT_EQ(nothing.exit_code, 1);
    EXPECT_THAT(nothing.err, HasSubstr("none.itch"));
    EXPECT_EQ(run_program({"serve", "--replay", file, "--speed", "-1"}).exit_code, 2);
    EXPECT_EQ(run_program({"serve", "--speed", "2"}).exit_code, 2);
    EXPECT_EQ(run_program({"serve", "--replay", file, "--from", "25:00"}).exit_code, 2);
    const auto backwards = run_program(
        {"serve", "--replay", file, "--data", data, "--from", "12:00", "--until", "11:00"});
    EXPECT_EQ(backwards.exit_code, 1);
    EXPECT_THAT(backwards.err, HasSubstr("--until 11:00 is not after --from 12:00"));
}

TEST_F(ServeReplay, IsNotThereWithoutADay) {
    RunningServer server{data, log, {"--only", "binary,http", "--http-port", "0"}};
    EXPECT_EQ(ask(server).status, 404U);
    EXPECT_EQ(server.terminate(), 0);
}

}  // namespace
}  // namespace damrak::serve_replay_test
