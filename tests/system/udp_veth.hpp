// `damrak serve` with its UDP gateway on one end of a virtual cable, over sockets or AF_XDP, with
// independent senders on the other end: what the tests of that are made of. Networks of their own,
// made and removed here; skipped where that may not be done. As root.
#pragma once

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <damrak/net/any_path.hpp>
#include <damrak/net/network_namespace.hpp>

#include "raw_udp.hpp"
#include "support/eventually.hpp"
#include "support/running_server.hpp"
#include "support/scratch_folder.hpp"

namespace damrak::testing {

/// The paths of a test's parameter: sockets, and both modes of AF_XDP.
[[nodiscard]] inline auto all_udp_paths() {
    return ::testing::Values("socket", "generic", "native");
}

class UdpVethTest : public ::testing::TestWithParam<std::string> {
  protected:
    using Counters = std::map<std::string, std::uint64_t, std::less<>>;

    void SetUp() override {
        auto made = net::VethPair::make(queues());
        if (!made) GTEST_SKIP() << "no networks of our own: " << made.error();
        pair_.emplace(std::move(*made));
        if (!by_xdp()) return;
        auto path = pair_->left.run([] {
            return net::AnyPath::open(
                {.choice = net::PathChoice::xdp, .interface = net::VethPair::k_interface});
        });
        if (!path && path.error().find("without AF_XDP") != std::string::npos)
            GTEST_SKIP() << path.error();
        pair_->left.run([&path] { const auto closed = std::move(path); });
    }
    /// Number of queues of the cards.
    [[nodiscard]] virtual unsigned queues() const { return 1; }

    [[nodiscard]] bool by_xdp() const { return GetParam() != "socket"; }
    [[nodiscard]] std::string log() const { return content_of(folder_ / "log"); }

    /// `settings`: more of its section [udp].
    [[nodiscard]] std::unique_ptr<RunningServer> start(const std::string& settings = {}) {
        const std::string path = by_xdp() ? "xdp" : "socket";
        const std::string mode = by_xdp() ? GetParam() : "auto";
        return start_with("path = \"" + path + "\"\nmode = \"" + mode + "\"\n" + settings);
    }
    /// The same with a section that says all.
    [[nodiscard]] std::unique_ptr<RunningServer> start_with(const std::string& section) {
        const auto file =
            folder_.write("exchange.toml", std::string{"[udp]\ninterface = \""} +
                                               net::VethPair::k_interface + "\"\n" + section);
        auto server = pair_->left.run([&] {
            return std::make_unique<RunningServer>(
                folder_ / "data", folder_ / "log",
                std::vector<std::string>{"--only", "udp,http", "--binary-port", "off",
                                         "--http-port", "0", "--config", file});
        });
        const auto ready = nlohmann::json::parse(server->ready_line(), nullptr, false);
        http_ = 0;
        if (ready.is_object() && ready["ports"].contains("http"))
            http_ = ready["ports"]["http"].get<std::uint16_t>();
        return server;
    }
    [[nodiscard]] std::unique_ptr<RawUdp> sender(std::uint16_t server) const {
        return pair_->right.run([&] {
            return std::make_unique<RawUdp>(server, net::VethPair::k_left_address,
                                            net::VethPair::k_right_address);
        });
    }

    /// The gateway's metrics by name, without the prefix "damrak_udp_".
    [[nodiscard]] Counters counters() const {
        // Figures are for the operator where others can come in.
        const std::string token = content_of(folder_ / "data" / "operator-token");
        const std::string request =
            "GET /metrics HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
            "Authorization: Bearer " +
            token.substr(0, token.find('\n')) + "\r\n\r\n";
        const Bytes page = pair_->left.run([&] {
            const RawClient client{http_};
            client.send(std::as_bytes(std::span{request}));
            return client.receive(1'000'000);
        });
        Counters counters;
        std::istringstream lines{
            std::string{reinterpret_cast<const char*>(page.data()), page.size()}};
        constexpr std::string_view k_prefix = "damrak_udp_";
        for (std::string line; std::getline(lines, line);)
            if (const auto space = line.find(' '); line.starts_with(k_prefix))
                counters[line.substr(k_prefix.size(), space - k_prefix.size())] =
                    std::strtoull(line.c_str() + space, nullptr, 10);
        return counters;
    }
    /// Once they are as expected, or much later: they are shown a little after the fact. Those
    /// that are not named are left out.
    [[nodiscard]] Counters counters_like(const Counters& expected) const {
        Counters seen;
        static_cast<void>(eventually([&] {
            const Counters all = counters();
            for (const auto& [name, value] : expected)
                seen[name] = all.contains(name) ? all.at(name) : UINT64_MAX;
            return seen == expected;
        }));
        return seen;
    }

    /// Output of a command on the exchange's side.
    [[nodiscard]] std::string said_by(const std::string& command) const {
        return pair_->left.run([&] {
            FILE* const output = ::popen(command.c_str(), "r");
            std::string text;
            std::array<char, 256> line{};
            while (std::fgets(line.data(), line.size(), output) != nullptr) text += line.data();
            ::pclose(output);
            return text;
        });
    }
    /// XDP programs on the card of the exchange.
    [[nodiscard]] int programs() const {
        const std::string text =
            said_by(std::string{"ip -details link show "} + net::VethPair::k_interface);
        int count = 0;
        constexpr std::string_view k_mark = "prog/xdp";
        for (auto at = text.find(k_mark); at != std::string::npos; at = text.find(k_mark, at + 1))
            ++count;
        return count;
    }
    /// A datagram to a port where nobody listens is answered by the kernel of the exchange. It may
    /// be lost, and such answers are few a second.
    [[nodiscard]] bool other_traffic_passes() const {
        return pair_->right.run([] {
            const int other = ::socket(AF_INET, SOCK_DGRAM, 0);
            sockaddr_in to{};
            to.sin_family = AF_INET;
            ::inet_pton(AF_INET, net::VethPair::k_left_address, &to.sin_addr);
            to.sin_port = htons(9);
            std::array<char, 16> memory{};
            bool refused = false;
            if (::connect(other, reinterpret_cast<const sockaddr*>(&to), sizeof to) == 0)
                refused = eventually([&, looks = 0]() mutable {
                    constexpr int k_looks_per_question = 500;
                    const bool asks = looks++ % k_looks_per_question == 0;
                    return ((asks && ::send(other, memory.data(), memory.size(), 0) < 0) ||
                            ::recv(other, memory.data(), memory.size(), MSG_DONTWAIT) < 0) &&
                           errno == ECONNREFUSED;
                });
            ::close(other);
            return refused;
        });
    }

    ScratchFolder folder_;
    std::optional<net::VethPair> pair_;
    std::uint16_t http_ = 0;
};

}  // namespace damrak::testing
