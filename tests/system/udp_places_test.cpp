// Places for senders of datagrams in the real program: those whom the configuration names have some
// that no made-up address can fill. And whom trading may come to wait for.
#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <damrak/http/client.hpp>

#include "raw_udp.hpp"
#include "support/running_server.hpp"
#include "support/scratch_folder.hpp"

namespace damrak::testing::udp_places_test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class UdpPlaces : public ::testing::TestWithParam<std::string> {
  protected:
    [[nodiscard]] RunningServer start(const std::string& config) const {
        std::ofstream{file_} << config;
        return {folder_ / "data",
                folder_ / "log",
                {"--only", "udp,http", "--http-port", "0", "--config", file_, "--wiring",
                 GetParam(), "--json"}};
    }
    [[nodiscard]] static std::string get(const RunningServer& server, const std::string& page) {
        const auto port = nlohmann::json::parse(server.ready_line())["ports"]["http"];
        const auto answer = http::ask({.port = port.get<std::uint16_t>(), .path = page});
        return answer ? answer->body : answer.error();
    }

    ScratchFolder folder_;
    std::string file_ = folder_ / "exchange.toml";
};

TEST_P(UdpPlaces, OfThoseWhoAreNamedAreNotForOthers) {
    RunningServer server = start(
        "[gateways]\nanonymous = true\n[udp]\nsources = 24\nanonymous_sources = 20\n"
        "[[participants]]\nid = 3\nudp_sources = [\"127.0.0.3\"]\n");
    const PublicOrder order{.sequence = 1, .id = 1, .price = 100, .quantity = 5};
    std::vector<std::unique_ptr<RawUdp>> unknown_senders;
    const auto come = [&](int count) {
        for (int i = 0; i < count; ++i) {
            unknown_senders.push_back(
                std::make_unique<RawUdp>(server.udp_port(), "127.0.0.1", "127.0.0.2"));
            unknown_senders.back()->send(extended(order));
        }
    };
    const std::string of_strangers = " of 20 places for unidentified senders are taken";
    come(16);
    EXPECT_THAT(server.log_with("16" + of_strangers), HasSubstr("16" + of_strangers));
    come(50);
    EXPECT_THAT(server.log_with("20" + of_strangers), HasSubstr("anonymous_sources gives more"));
    for (int i = 0; i < 4; ++i) {
        const RawUdp known{server.udp_port(), "127.0.0.1", "127.0.0.3"};
        known.send(extended(
            {.sequence = 1, .id = static_cast<std::uint32_t>(1 + i), .price = 100, .quantity = 5}));
        EXPECT_TRUE(known.receive().has_value()) << i;
    }
    EXPECT_THAT(server.log_with("24 of 24 places for senders are taken"),
                HasSubstr("24 of 24 places for senders are taken"));
    EXPECT_THAT(get(server, "/metrics"), AllOf(HasSubstr("\ndamrak_udp_sources_capacity 24\n"),
                                               HasSubstr("\ndamrak_udp_anonymous_sources 20\n")));
    EXPECT_THAT(get(server, "/health"), HasSubstr("24 of 24 places for senders are taken"));
    EXPECT_EQ(server.terminate(), 0);
}

/// The niceness of the threads of a process that are called so.
std::vector<int> niceness_of(const std::string& process, const std::string& name) {
    std::vector<int> found;
    for (const auto& task : std::filesystem::directory_iterator{"/proc/" + process + "/task"}) {
        std::ifstream file{task.path() / "stat"};
        const std::string stat{std::istreambuf_iterator<char>{file}, {}};
        const auto begin = stat.find('(') + 1;
        const auto end = stat.rfind(')');
        if (stat.substr(begin, end - begin) != name) continue;
        // Field 19; what is behind the name begins with field 3.
        auto at = stat.begin() + static_cast<std::ptrdiff_t>(end) + 2;
        for (int field = 3; field < 19; ++field) at = std::find(at, stat.end(), ' ') + 1;
        found.push_back(std::stoi(std::string{at, stat.end()}));
    }
    return found;
}

// A helper that everybody may keep from its core keeps, in the kernel, what trading needs next.
TEST_P(UdpPlaces, HelpersOfTheJournalHaveThePriorityOfTrading) {
    RunningServer server = start("");
    const std::string process = std::to_string(server.process());
    const auto own = niceness_of(process, "damrak");
    ASSERT_FALSE(own.empty());
    for (const char* const name : {"journal-alloc", "journal-syncer"}) {
        const auto helper = niceness_of(process, name);
        ASSERT_EQ(helper.size(), 1U) << name;
        EXPECT_LE(helper.front(), *std::ranges::min_element(own)) << name;
    }
    EXPECT_EQ(server.terminate(), 0);
}

INSTANTIATE_TEST_SUITE_P(Wirings, UdpPlaces, ::testing::Values("inline", "pipelined"),
                         [](const auto& wiring) { return wiring.param; });

}  // namespace
}  // namespace damrak::testing::udp_places_test
