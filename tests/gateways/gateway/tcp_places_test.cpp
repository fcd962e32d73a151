// The connections of a TCP gateway are a row: who gets one, and whose ends for whom.
#include <cstddef>
#include <cstdint>
#include <deque>
#include <expected>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <damrak/gateway/tcp_gateway.hpp>
#include <damrak/net/watch_handle.hpp>

namespace damrak::gateway::tcp_places_test {

namespace {

using budget::Refusal;
using net::ClientAddress;

/// Clients that connect, from their hosts, and send nothing.
class Crowd {
  public:
    class Socket {
      public:
        Socket() = default;
        explicit Socket(std::uint64_t host) : host_(host), open_(true) {}
        [[nodiscard]] bool open() const { return open_; }
        void reset() { open_ = false; }
        [[nodiscard]] std::uint64_t host() const { return host_; }

      private:
        std::uint64_t host_ = 0;
        bool open_ = false;
    };
    struct Moved {
        std::size_t bytes = 0;
        bool closed = false;
    };

    explicit Crowd(std::deque<std::uint64_t>& hosts) : hosts_(&hosts) {}

    std::expected<std::uint16_t, std::string> open(const std::string&, std::uint16_t port) {
        return port;
    }
    void close() {}
    Socket accept() {
        if (hosts_->empty()) return {};
        const Socket socket{hosts_->front()};
        hosts_->pop_front();
        return socket;
    }
    [[nodiscard]] static ClientAddress host_of(const Socket& socket) { return {socket.host()}; }
    static bool watch(const Socket&, net::WatchHandle) { return true; }
    static bool watch_also(int, net::WatchHandle) { return true; }
    template <class OnReady>
    void wait(int, OnReady&& on_ready) {
        if (!hosts_->empty()) on_ready(net::WatchHandle{}, true, false, false);
    }
    static Moved receive(const Socket&, std::span<std::byte>) { return {}; }
    static Moved send(const Socket&, std::span<const std::byte> bytes) {
        return {.bytes = bytes.size()};
    }
    static std::int64_t now_ns() { return 1; }

  private:
    std::deque<std::uint64_t>* hosts_;
};

/// Notes who came and who was ended.
struct Notes {
    struct Client {};
    using Gateway = TcpGateway<Crowd, Notes>;
    using Connection = Gateway::Connection;

    void on_opened(Connection& connection) { opened.push_back(&connection); }
    static void on_read(std::size_t) {}
    static session::Received on_bytes(Connection&, std::span<const std::byte>) { return {}; }
    static bool ready() { return true; }
    static void on_written(Connection&, std::span<const std::byte>, std::size_t) {}
    static void on_silent(Connection&) {}
    void on_ended(Connection& connection, std::string_view) { ended.push_back(&connection); }
    void on_no_room(std::string_view) { ++refused; }
    static bool may_end(const Connection&) { return true; }
    static std::optional<std::string_view> end_reason(const Connection&) { return std::nullopt; }

    std::vector<Connection*> opened;
    std::vector<Connection*> ended;
    int refused = 0;
};

class TcpPlaces : public ::testing::Test {
  protected:
    Notes::Connection& come(std::uint64_t host = 0) {
        hosts_.push_back(host);
        gateway_.poll(0);
        return *notes_.opened.back();
    }
    [[nodiscard]] std::expected<void, Refusal> stranger(Notes::Connection& connection) {
        return gateway_.settle(connection, {});
    }
    [[nodiscard]] std::expected<void, Refusal> named(Notes::Connection& connection,
                                                     std::uint32_t id = 1) {
        return gateway_.settle(connection, ParticipantId{id});
    }

    static constexpr std::uint32_t k_most = 64;
    Notes notes_;
    std::deque<std::uint64_t> hosts_;
    Notes::Gateway gateway_{{.maximum_connections = k_most}, notes_, Crowd{hosts_}};
};

TEST_F(TcpPlaces, WhoWaitsLongestMakesRoom) {
    Notes::Connection& first = come();
    Notes::Connection& second = come();
    EXPECT_TRUE(stranger(first));
    for (std::uint32_t i = 2; i < k_most; ++i) come();
    EXPECT_TRUE(notes_.ended.empty());
    come();
    ASSERT_EQ(notes_.ended.size(), 1U);
    EXPECT_EQ(notes_.ended[0], &second) << "the first has logged in";
    EXPECT_EQ(gateway_.connections(), k_most);
    EXPECT_EQ(notes_.refused, 0);
}

TEST_F(TcpPlaces, NobodyWhoHasLoggedInMakesRoom) {
    for (std::uint32_t i = 0; i < k_most - 2; ++i) EXPECT_TRUE(stranger(come()));
    for (std::uint32_t i = 0; i < 2; ++i) {
        Notes::Connection& one = come();
        EXPECT_EQ(stranger(one).error(), Refusal::strangers) << "some are to be answered";
        EXPECT_TRUE(named(one, 1 + i));
    }
    hosts_.push_back(0);
    gateway_.poll(0);
    EXPECT_TRUE(notes_.ended.empty());
    EXPECT_EQ(notes_.refused, 1);
}

TEST_F(TcpPlaces, OneHostLeavesOthersTheirs) {
    gateway_.set_strangers_share(50);
    for (int i = 0; i < 16; ++i) EXPECT_TRUE(stranger(come(7))) << i;
    Notes::Connection& one_more = come(7);
    EXPECT_EQ(stranger(one_more).error(), Refusal::host);
    EXPECT_TRUE(named(one_more)) << "its address does not matter";
    EXPECT_TRUE(stranger(come(8)));
}

TEST_F(TcpPlaces, StrangersLeaveThoseWhoAreNamedTheirs) {
    gateway_.set_strangers_share(50);
    for (std::uint32_t i = 0; i < k_most / 2; ++i) EXPECT_TRUE(stranger(come()));
    EXPECT_EQ(stranger(come()).error(), Refusal::strangers);
    for (std::uint32_t i = 0; i < k_most / 4; ++i) EXPECT_TRUE(named(come())) << i;
    EXPECT_EQ(named(come()).error(), Refusal::identity);
    EXPECT_TRUE(named(come(), 2));
}

TEST_F(TcpPlaces, APlaceGoesWithItsConnection) {
    gateway_.set_strangers_share(50);
    std::vector<Notes::Connection*> strangers;
    for (std::uint32_t i = 0; i < k_most / 2; ++i) {
        strangers.push_back(&come());
        EXPECT_TRUE(stranger(*strangers.back()));
    }
    gateway_.end(*strangers.front(), "");
    EXPECT_EQ(gateway_.places().strangers, k_most / 2 - 1);
    EXPECT_TRUE(stranger(come()));
    EXPECT_EQ(stranger(come()).error(), Refusal::strangers);
}

}  // namespace
}  // namespace damrak::gateway::tcp_places_test
