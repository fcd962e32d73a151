#include <support/simulation/network.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

namespace damrak::simulation::network_test {
namespace {

std::span<const std::byte> bytes_of(std::string_view text) {
    return std::as_bytes(std::span{text});
}

/// A host that echoes nothing: the test calls it as a gateway would.
class NetworkTest : public ::testing::Test {
  protected:
    using Kind = net::WatchHandle::Kind;

    NetworkTest() { EXPECT_EQ(host_.open("", 7), 7); }

    void pass(std::int64_t time_ns = 1'000'000) {
        clock_.advance(time_ns);
        network_.advance();
    }
    HostSocket accept() {
        pass();
        HostSocket socket = host_.accept();
        EXPECT_TRUE(socket.open());
        EXPECT_TRUE(host_.watch(socket, {.kind = Kind::connection, .number = 1}));
        return socket;
    }
    std::string read(const HostSocket& socket) {
        std::string text;
        std::array<char, 8> room{};
        for (;;) {
            const Moved got = host_.receive(socket, std::as_writable_bytes(std::span{room}));
            if (got.bytes == 0) return text;
            text.append(room.data(), got.bytes);
        }
    }
    static std::string read(ClientSocket& client) {
        std::string text;
        std::array<char, 8> room{};
        for (;;) {
            const Moved got = client.receive(std::as_writable_bytes(std::span{room}));
            if (got.bytes == 0) return text;
            text.append(room.data(), got.bytes);
        }
    }
    /// Notifications of the host: "readable", "writable", "both", one per change, or "gateway".
    std::vector<std::string> changes() {
        std::vector<std::string> told;
        host_.wait(0, [&](net::WatchHandle handle, bool readable, bool writable, bool /*ended*/) {
            told.emplace_back(handle.kind == Kind::listener ? "gateway"
                              : readable && writable        ? "both"
                              : readable                    ? "readable"
                                                            : "writable");
        });
        return told;
    }

    static constexpr LinkRules k_whole{.part_percent = 0};
    VirtualClock clock_{0};
    RandomStream random_{1};
    Network network_{clock_, random_};
    HostNetwork host_{network_};
};

TEST_F(NetworkTest, BytesArriveInTheirOrderWhateverTheirDelays) {
    LinkRules rules{.part_percent = 60};
    ClientSocket client = network_.connect(rules);
    const HostSocket socket = accept();
    std::string sent;
    std::string heard;
    for (char letter = 'a'; letter <= 'z'; ++letter) {
        const std::string text(20, letter);
        for (std::size_t at = 0; at < text.size();)
            at += client.send(bytes_of(std::string_view{text}.substr(at)));
        sent += text;
        pass(10'000);
        heard += read(socket);
    }
    pass();
    heard += read(socket);
    EXPECT_EQ(heard, sent);
}

TEST_F(NetworkTest, AChangeIsReportedOnce) {
    ClientSocket client = network_.connect(k_whole);
    const HostSocket socket = accept();
    EXPECT_EQ(changes(), (std::vector<std::string>{"gateway", "writable"}));
    EXPECT_TRUE(changes().empty());
    EXPECT_EQ(client.send(bytes_of("hello")), 5U);
    pass();
    EXPECT_EQ(changes(), std::vector<std::string>{"readable"});
    EXPECT_TRUE(changes().empty()) << "though nothing was read";
}

TEST_F(NetworkTest, ThePeerThatDoesNotReadFillsItsWindow) {
    ClientSocket client = network_.connect({.window_bytes = 8, .part_percent = 0});
    const HostSocket socket = accept();
    static_cast<void>(changes());
    EXPECT_EQ(host_.send(socket, bytes_of("0123456789")).bytes, 8U);
    EXPECT_EQ(host_.send(socket, bytes_of("89")).bytes, 0U);
    pass();
    EXPECT_TRUE(changes().empty());
    EXPECT_EQ(read(client), "01234567");
    EXPECT_EQ(changes(), std::vector<std::string>{"writable"});
    EXPECT_EQ(host_.send(socket, bytes_of("89")).bytes, 2U);
}

TEST_F(NetworkTest, AnOrderlyEndComesBehindTheBytes) {
    ClientSocket client = network_.connect(k_whole);
    const HostSocket socket = accept();
    EXPECT_EQ(client.send(bytes_of("last")), 4U);
    client.finish();
    pass();
    EXPECT_EQ(read(socket), "last");
    std::array<std::byte, 1> room{};
    EXPECT_TRUE(host_.receive(socket, room).closed);
    EXPECT_EQ(host_.send(socket, bytes_of("still")).bytes, 5U);
    pass();
    EXPECT_EQ(read(client), "still");
}

TEST_F(NetworkTest, WhoSendsToAClosedPeerIsReset) {
    ClientSocket client = network_.connect(k_whole);
    const HostSocket socket = accept();
    client.close();
    pass();
    EXPECT_FALSE(host_.send(socket, bytes_of("one")).closed);
    pass();
    pass();
    EXPECT_TRUE(host_.send(socket, bytes_of("two")).closed);
}

TEST_F(NetworkTest, AVanishedClientIsSilenceAndAFullWindow) {
    ClientSocket client = network_.connect({.window_bytes = 8, .part_percent = 0});
    const HostSocket socket = accept();
    EXPECT_EQ(client.send(bytes_of("lost")), 4U);
    client.vanish();
    pass();
    std::array<std::byte, 1> room{};
    EXPECT_FALSE(host_.receive(socket, room).closed);
    EXPECT_EQ(host_.send(socket, bytes_of("0123456789")).bytes, 8U);
    pass();
    EXPECT_EQ(host_.send(socket, bytes_of("x")).bytes, 0U);
    EXPECT_EQ(network_.host_sockets(), 1U);
}

TEST_F(NetworkTest, TheEndOfTheProcessEndsItsConnections) {
    ClientSocket client = network_.connect(k_whole);
    HostSocket socket = accept();
    EXPECT_EQ(host_.send(socket, bytes_of("bye")).bytes, 3U);
    socket.reset();
    pass();
    EXPECT_EQ(read(client), "bye") << "what was sent before is still delivered";
    std::array<std::byte, 1> room{};
    EXPECT_TRUE(client.receive(room).closed);
    EXPECT_EQ(network_.host_sockets(), 0U);
}

TEST_F(NetworkTest, AFullGatewayRefuses) {
    network_.backlog = 1;
    ClientSocket first = network_.connect(k_whole);
    ClientSocket second = network_.connect(k_whole);
    pass();
    pass();
    std::array<std::byte, 1> room{};
    EXPECT_NE(first.receive(room).closed, second.receive(room).closed);
    host_.close();
    ClientSocket third = network_.connect(k_whole);
    pass();
    pass();
    EXPECT_TRUE(third.receive(room).closed);
}

TEST_F(NetworkTest, TheSameSeedGivesTheSameWorld) {
    const auto run = [] {
        VirtualClock clock{0};
        RandomStream random{42};
        Network network{clock, random};
        HostNetwork host{network};
        static_cast<void>(host.open("", 1));
        ClientSocket client = network.connect({.part_percent = 50});
        clock.advance(1'000'000);
        network.advance();
        const HostSocket socket = host.accept();
        std::vector<std::size_t> moved;
        std::array<std::byte, 16> room{};
        for (int i = 0; i < 200; ++i) {
            moved.push_back(client.send(bytes_of("0123456789")));
            clock.advance(10'000);
            network.advance();
            moved.push_back(host.receive(socket, room).bytes);
        }
        return moved;
    };
    EXPECT_EQ(run(), run());
}

TEST_F(NetworkTest, TimeForTheHostNeverGoesBack) {
    clock_.set_by(1'000'000);
    const std::int64_t before = host_.now_ns();
    clock_.set_by(-500'000);
    EXPECT_EQ(host_.now_ns(), before);
    clock_.advance(600'000);
    EXPECT_EQ(host_.now_ns(), before + 100'000);
}

TEST_F(NetworkTest, AProcessMayDieInAnyCall) {
    network_.on_host_call = [] { throw std::runtime_error{"killed"}; };
    EXPECT_THROW(static_cast<void>(host_.now_ns()), std::runtime_error);
    EXPECT_THROW(static_cast<void>(host_.accept()), std::runtime_error);
}

}  // namespace
}  // namespace damrak::simulation::network_test
