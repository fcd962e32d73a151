// `serve --print-memory` says what `serve` takes; too small a limit is refused at the start.
#include <cmath>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "raw_binary.hpp"
#include "support/eventually.hpp"
#include "support/run_program.hpp"
#include "support/running_server.hpp"
#include "support/scratch_folder.hpp"

namespace damrak::serve_memory_test {
namespace {

using testing::RunningServer;

double status_of(const RunningServer& server, const std::string& what) {
    std::ifstream in{fmt::format("/proc/{}/status", server.process())};
    const std::string text{std::istreambuf_iterator<char>{in}, {}};
    const std::size_t at = text.find(what + ":");
    constexpr double k_kib = 1'024;
    return at == std::string::npos ? 0 : k_kib * std::stod(text.substr(at + what.size() + 1));
}

std::string small() {
    return "[capacity]\norders = 10_000\nspecial_orders = 1_000\nlevels = 5_000\n"
           "ladder_nodes = 5_000\nparticipants = 1_000\naccounts = 4_000\nconnections = 1_000\n";
}

std::string many_instruments() {
    std::string text = "capacity.instruments = 8192\n";
    for (int id = 1; id <= 8'000; ++id)
        text += fmt::format("[[instruments]]\nid = {0}\nsymbol = \"S{0}\"\n", id);
    return text;
}

std::vector<std::string> with(const std::string& gateways, std::vector<std::string> more = {}) {
    for (std::size_t at = 0; at < gateways.size();) {
        const std::string name = gateways.substr(at, gateways.find(',', at) - at);
        at += name.size() + 1;
        more.insert(more.end(), {"--only", name, fmt::format("--{}-port", name), "0"});
    }
    return more;
}

constexpr const char* k_all = "binary,fix,ouch,udp,itch,glimpse,mold,retransmit,l2,http";

struct Case {
    const char* name;
    std::string config;
    std::vector<std::string> options;
};

class ServeMemory : public ::testing::TestWithParam<Case> {};

TEST_P(ServeMemory, IsWhatIsPrinted) {
    const testing::ScratchFolder folder;
    std::vector<std::string> options{"--config",
                                     folder.write("config.toml", GetParam().config).string()};
    options.insert(options.end(), GetParam().options.begin(), GetParam().options.end());
    std::vector<std::string> asked{"serve", "--print-memory", "--json", "--only", "binary"};
    asked.insert(asked.end(), options.begin(), options.end());
    nlohmann::json total;
    double reserved = 0;
    double ready = 0;
    int tries = 0;
    const auto measure = [&] {
        const auto printed = testing::run_program(asked);
        ASSERT_EQ(printed.exit_code, 0) << printed.err;
        EXPECT_EQ(printed.err, "");
        total = nlohmann::json::parse(printed.out).at("total");
        const std::string data = folder / fmt::format("data{}", ++tries);
        const RunningServer server{data, folder / "log", options};
        reserved = status_of(server, "VmData") + status_of(server, "VmStk");
        ready = status_of(server, "VmRSS");
    };
    constexpr double k_tolerance = 0.1;
    const auto is_near = [&](const char* printed, double measured) {
        return std::abs(total.at(printed).get<double>() - measured) <= k_tolerance * measured;
    };
    measure();
    // Again where helper threads of one of the two had no time to touch their pages.
    EXPECT_TRUE(testing::turns_until(
        measure, [&] { return is_near("reserved", reserved) && is_near("ready", ready); }))
        << total << ", measured " << reserved << " and " << ready;
    EXPECT_GT(total.at("full"), total.at("ready"));
}

INSTANTIATE_TEST_SUITE_P(
    Configurations, ServeMemory,
    ::testing::Values(Case{"Small", small(), {}}, Case{"SmallWithAll", small(), with(k_all)},
                      Case{"Default", "", {}}, Case{"DefaultWithAll", "", with(k_all)},
                      Case{"ManyInstruments", many_instruments(), with(k_all)},
                      Case{"Shards", "", with(k_all, {"--wiring", "pipelined", "--shards", "4"})}),
    [](const auto& tested) { return std::string{tested.param.name}; });

TEST(ServeMemoryBesideAnExchange, TakesNoneOfItsPortsAndNoneOfItsData) {
    const testing::ScratchFolder folder;
    const RunningServer server{folder / "data", folder / "log"};
    const auto printed =
        testing::run_program({"serve", "--print-memory", "--only", "binary", "--binary-port",
                              std::to_string(server.port()), "--data", folder / "data"});
    EXPECT_EQ(printed.exit_code, 0) << printed.err;
    EXPECT_TRUE(printed.out.starts_with("MiB ")) << printed.out;
}

// What `make run` starts, on a machine of 2 GiB, half of which is for others, with the usual limit
// of open files.
TEST(DemoMarket, FitsASmallMachineAndServesAHundredClientsThere) {
    constexpr unsigned k_open_files = 1'024;
    constexpr double k_gib = 1U << 30U;
    const testing::ScratchFolder folder;
    RunningServer server{
        folder / "data", folder / "log", with(k_all, {"--demo-market"}), {}, k_open_files};
    std::vector<std::unique_ptr<testing::RawClient>> clients;
    for (int i = 0; i < 100; ++i) {
        clients.push_back(std::make_unique<testing::RawClient>(server.port()));
        const testing::Login login = testing::hello(*clients.back());
        ASSERT_EQ(testing::place(*clients.back(), 2, login.client, {}).status, 1U) << i;
    }
    EXPECT_LT(status_of(server, "VmRSS"), k_gib);
    EXPECT_EQ(server.terminate(), 0) << testing::content_of(folder / "log");
}

// From far too little to more than enough, by each limit that a shell sets.
TEST(ServeWithLittleMemory, IsRefusedAtTheStartInOneLineOrServesItsClients) {
    for (const char* const limit : {"ulimit -v", "ulimit -d"}) {
        int refused = 0;
        int served = 0;
        int told = 0;
        for (const int mib : {100, 400, 700, 900, 1'000, 1'200, 1'600, 4'000}) {
            const testing::ScratchFolder folder;
            const std::string script = R"(
(LIMIT; exec $DAMRAK_PROGRAM serve --config FOLDER/config.toml --data FOLDER/data --json \
    --only binary,fix,http --binary-port 0 --fix-port 0 --http-port 0 > FOLDER/out 2> FOLDER/log) &
server=$!
trap 'kill -KILL $server 2> FOLDER/no' EXIT
eventually "grep -q binary FOLDER/out || ! kill -0 $server" 2> FOLDER/no
if ! grep -q binary FOLDER/out; then
    wait $server
    grep damrak: FOLDER/log >&2
    exit 1
fi
port=$(sed 's/.*"binary":\([0-9]*\).*/\1/' FOLDER/out)
$DAMRAK_PROGRAM load --port $port --clients 50 --seconds 0.1 --at-least 100 --warm-up 0 \
    > FOLDER/load 2>&1 || exit 2
kill -TERM $server
wait $server || exit 3
)";
            const auto with = [&](std::string text, std::string_view mark,
                                  const std::string& value) {
                for (std::size_t at = 0; (at = text.find(mark, at)) != std::string::npos;)
                    text.replace(at, mark.size(), value);
                return text;
            };
            folder.write("config.toml", small());
            const std::string limited = fmt::format("{} {}", limit, std::int64_t{mib} * 1'024);
            const auto run = testing::run_shell(
                with(with(script, "LIMIT", limited), "FOLDER", folder.path().string()));
            if (run.exit_code == 0) {
                ++served;
                continue;
            }
            ++refused;
            told += run.err.find("raise it (" + std::string{limit}) != std::string::npos ? 1 : 0;
            EXPECT_EQ(run.exit_code, 1) << limit << ' ' << mib << ": " << run.err;
            EXPECT_EQ(served, 0) << "with less it was served";
            EXPECT_NE(run.err.find("capacit"), std::string::npos) << run.err;
            EXPECT_EQ(testing::lines_in(run.err), 1U) << run.err;
        }
        EXPECT_GT(refused, 0) << limit;
        EXPECT_GT(told, 0) << limit << ": enough to start, too little for clients";
        EXPECT_GT(served, 0) << limit;
    }
}

}  // namespace
}  // namespace damrak::serve_memory_test
