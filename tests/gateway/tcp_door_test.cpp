// The TCP door by itself: what has come is served once it can be, though the network tells of a
// change only once.
#include <damrak/gateway/tcp_door.hpp>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace damrak::gateway {

namespace {

constexpr std::size_t k_read_bytes = 64;
constexpr std::size_t k_message_bytes = 24;

/// State of a peer: bytes in transit and bytes received.
struct Peer {
    bool connected = false;
    bool changed = false;  ///< since the last wait
    std::size_t to_read = 0;
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
        bool open_ = false;
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
    bool watch(const Socket&, void* owner) {
        owner_ = owner;
        return true;
    }
    template <class OnReady>
    void wait(int, OnReady&& on_ready) {
        if (peer_->connected) on_ready(nullptr, true, false, false);
        if (owner_ != nullptr && std::exchange(peer_->changed, false))
            on_ready(owner_, true, false, false);
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
    void* owner_ = nullptr;
};

/// Takes messages of 24 bytes, or none.
struct Counter {
    struct Client {};
    using Door = TcpDoor<OnePeerNetwork, Counter>;
    using Connection = Door::Connection;

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

class OneDoor : public ::testing::Test {
  protected:
    void polls(int turns) {
        for (int i = 0; i < turns; ++i) {
            door_.poll(0);
            door_.flush();
        }
    }

    Peer peer_{.connected = true};
    Counter counter_;
    Counter::Door door_{
        {.read_bytes = k_read_bytes, .input_bytes = k_read_bytes}, counter_, OnePeerNetwork{peer_}};
};

TEST_F(OneDoor, ServesAllThatCameAtOnce) {
    peer_.send(20 * k_message_bytes);
    polls(20);
    EXPECT_EQ(counter_.taken, 20U);
    EXPECT_FALSE(door_.busy());
}

TEST_F(OneDoor, ServesAllThatCameWhileItsOwnerTookNothing) {
    counter_.takes = false;
    peer_.send(20 * k_message_bytes);
    polls(5);
    EXPECT_EQ(counter_.taken, 0U);
    EXPECT_TRUE(door_.has_blocked());
    counter_.takes = true;
    polls(20);
    EXPECT_EQ(counter_.taken, 20U);
    EXPECT_FALSE(door_.busy());
}

}  // namespace
}  // namespace damrak::gateway
