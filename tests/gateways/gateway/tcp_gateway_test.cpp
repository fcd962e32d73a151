// The TCP gateway by itself: what has come is served once it can be, though the network tells of a
// change only once.
#include <damrak/gateway/tcp_gateway.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <damrak/net/watch_handle.hpp>

namespace damrak::gateway::tcp_gateway_test {

namespace {

constexpr std::size_t k_read_bytes = 64;
constexpr std::size_t k_message_bytes = 24;

/// State of a peer: bytes in transit and bytes received.
struct Peer {
    bool connected = false;
    bool changed = false;  ///< since the last wait
    std::size_t to_read = 0;
    std::vector<net::WatchHandle> others{};  ///< by descriptor
    std::optional<int> readable{};           ///< one of those
    void send(std::size_t bytes) {
        to_read += bytes;
        changed = true;
    }
};

/// Tells of a change once, as epoll does on an edge.
class OnePeerNetwork {
  public:
    class Socket {
      public:
        [[nodiscard]] bool open() const { return open_; }
        void reset() { open_ = false; }
        bool open_ = false;  // NOLINT(readability-identifier-naming): set by the network alone
    };
    struct Moved {
        std::size_t bytes = 0;
        bool closed = false;
    };

    explicit OnePeerNetwork(Peer& peer) : peer_(&peer) {}

    std::expected<std::uint16_t, std::string> open(const std::string&, std::uint16_t port) {
        return port;
    }
    void close() {}
    Socket accept() {
        Socket socket;
        socket.open_ = std::exchange(peer_->connected, false);
        return socket;
    }
    bool watch(const Socket&, net::WatchHandle handle) {
        handle_ = handle;
        return true;
    }
    bool watch_also(int descriptor, net::WatchHandle handle) {
        EXPECT_EQ(static_cast<std::size_t>(descriptor), peer_->others.size());
        peer_->others.push_back(handle);
        return true;
    }
    template <class OnReady>
    void wait(int, OnReady&& on_ready) {
        if (peer_->readable)
            on_ready(peer_->others[static_cast<std::size_t>(*peer_->readable)], true, false, false);
        if (peer_->connected) on_ready(net::WatchHandle{}, true, false, false);
        if (handle_ && std::exchange(peer_->changed, false)) on_ready(*handle_, true, false, false);
    }
    Moved receive(const Socket&, std::span<std::byte> into) {
        const std::size_t bytes = std::min(into.size(), peer_->to_read);
        peer_->to_read -= bytes;
        std::ranges::fill(into.first(bytes), std::byte{1});
        return {.bytes = bytes};
    }
    static Moved send(const Socket&, std::span<const std::byte> bytes) {
        return {.bytes = bytes.size()};
    }
    static std::int64_t now_ns() { return 1; }

  private:
    Peer* peer_;
    std::optional<net::WatchHandle> handle_;
};

/// Takes messages of 24 bytes, or none.
struct Counter {
    struct Client {};
    using Gateway = TcpGateway<OnePeerNetwork, Counter>;
    using Connection = Gateway::Connection;

    session::Received on_bytes(Connection&, std::span<const std::byte> bytes) {
        if (!takes) return {.blocked = true};
        session::Received done;
        done.messages = static_cast<std::uint32_t>(bytes.size() / k_message_bytes);
        done.consumed_bytes = done.messages * k_message_bytes;
        taken += done.messages;
        return done;
    }
    [[nodiscard]] bool ready() const { return takes; }
    static void on_opened(Connection&) {}
    static void on_read(std::size_t) {}
    static void on_written(Connection&, std::span<const std::byte>, std::size_t) {}
    static void on_silent(Connection&) {}
    static void on_ended(Connection&, std::string_view) {}
    static bool may_end(const Connection&) { return true; }
    static std::optional<std::string_view> end_reason(const Connection&) { return std::nullopt; }

    bool takes = true;
    std::size_t taken = 0;
};

class OneGateway : public ::testing::Test {
  protected:
    void polls(int turns) {
        for (int i = 0; i < turns; ++i) {
            gateway_.poll(0);
            gateway_.flush();
        }
    }

    Peer peer_{.connected = true};
    Counter counter_;
    Counter::Gateway gateway_{
        {.read_bytes = k_read_bytes, .input_bytes = k_read_bytes}, counter_, OnePeerNetwork{peer_}};
};

TEST_F(OneGateway, ServesAllThatCameAtOnce) {
    peer_.send(20 * k_message_bytes);
    polls(20);
    EXPECT_EQ(counter_.taken, 20U);
    EXPECT_FALSE(gateway_.busy());
}

TEST_F(OneGateway, ServesAllThatCameWhileItsOwnerTookNothing) {
    counter_.takes = false;
    peer_.send(20 * k_message_bytes);
    polls(5);
    EXPECT_EQ(counter_.taken, 0U);
    EXPECT_TRUE(gateway_.has_blocked());
    counter_.takes = true;
    polls(20);
    EXPECT_EQ(counter_.taken, 20U);
    EXPECT_FALSE(gateway_.busy());
}

TEST_F(OneGateway, SignalsTheGatewayWhoseDescriptorIsReadableAndNoOther) {
    std::array<bool, 5> signalled{};
    for (int i = 0; i < 5; ++i)
        ASSERT_TRUE(gateway_.wake_up_for(i, signalled[static_cast<std::size_t>(i)]));
    polls(1);  // lets the peer in
    for (int i = 0; i < 5; ++i) {
        peer_.readable = i;
        polls(1);
        for (int j = 0; j < 5; ++j)
            EXPECT_EQ(std::exchange(signalled[static_cast<std::size_t>(j)], false), i == j);
    }
    peer_.readable = std::nullopt;
    peer_.send(k_message_bytes);
    polls(2);
    EXPECT_EQ(counter_.taken, 1U);
    for (const bool flag : signalled) EXPECT_FALSE(flag);
}

}  // namespace
}  // namespace damrak::gateway::tcp_gateway_test
