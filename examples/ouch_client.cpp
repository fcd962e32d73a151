// Orders by OUCH 5.0 at a running exchange: logs in, lets an order rest, makes it smaller, takes it
// back, and prints every message with its number. A second login asks for all of them again.
//
//   build/release/damrak serve --only ouch &
//   build/release/examples/ouch_client 26400
#include <array>
#include <charconv>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include <damrak/net/plain_tcp.hpp>
#include <damrak/wire/ouch/decode.hpp>
#include <damrak/wire/ouch/encode.hpp>
#include <damrak/wire/soupbin/packets.hpp>

namespace {

using namespace damrak;
namespace ouch = wire::ouch;
namespace soupbin = wire::soupbin;

class Client {
  public:
    bool log_in(std::uint16_t port, std::uint64_t sequence) {
        auto socket = tcp_.connect("127.0.0.1", port);
        if (!socket) return false;
        socket_ = std::move(*socket);
        while (!tcp_.connected(socket_).value_or(true)) nap();
        std::array<std::byte, 64> packet;
        send(std::span{packet}.first(
            soupbin::encode_login_request("EXAMPL", "", "", sequence, packet)));
        return receive();
    }
    template <class M>
    void ask(const M& message) {
        std::array<std::byte, ouch::k_longest_message> bytes;
        std::array<std::byte, ouch::k_longest_message + soupbin::k_header_bytes> packet;
        const std::size_t length = ouch::encode(message, bytes);
        send(std::span{packet}.first(soupbin::encode(soupbin::PacketType::unsequenced_data,
                                                     std::span{bytes}.first(length), packet)));
    }
    /// Prints this many messages.
    bool listen(int count) {
        while (count > 0) {
            if (!receive()) return false;
            if (last_ == soupbin::PacketType::sequenced_data) --count;
        }
        return true;
    }
    void leave() { socket_ = {}; }

  private:
    static void nap() { std::this_thread::sleep_for(std::chrono::milliseconds{1}); }
    void send(std::span<const std::byte> bytes) {
        while (!bytes.empty()) bytes = bytes.subspan(tcp_.send(socket_, bytes).bytes);
    }

    // The next packet. False: there is none, or no login.
    bool receive() {
        for (int tries = 0; tries < 5'000; ++tries) {
            const auto packet = soupbin::decode(input_);
            if (!packet) return false;
            if (packet->bytes > 0) return take(*packet);
            std::array<std::byte, 4'096> room;
            const net::Moved got = tcp_.receive(socket_, room);
            input_.insert(input_.end(), room.begin(), room.begin() + got.bytes);
            if (got.bytes == 0) nap();
        }
        return false;
    }
    bool take(const soupbin::Packet& packet) {
        last_ = packet.type;
        const auto message = ouch::decode<ouch::v50::Outbound>(packet.payload);
        if (last_ == soupbin::PacketType::login_accepted)
            number_ = soupbin::decode_login_accepted(packet.payload)->sequence;
        else if (last_ == soupbin::PacketType::sequenced_data && message)
            fmt::print("{} {}\n", number_++, static_cast<char>(packet.payload[0]));
        input_.erase(input_.begin(), input_.begin() + static_cast<std::ptrdiff_t>(packet.bytes));
        return last_ != soupbin::PacketType::login_rejected;
    }

    net::PlainTcp tcp_;
    net::Descriptor socket_;
    std::vector<std::byte> input_;
    std::uint64_t number_ = 0;
    soupbin::PacketType last_{};
};

}  // namespace

int main(int argc, char** argv) {
    std::uint16_t port = 26'400;
    if (argc > 1) {
        const std::string_view text = argv[1];
        std::from_chars(text.data(), text.data() + text.size(), port);
    }
    Client client;
    if (!client.log_in(port, 0)) return 1;
    client.ask(ouch::v50::EnterOrder{.user_ref = 1,
                                     .side = 'B',
                                     .quantity = 100,
                                     .symbol = *ouch::Symbol::from("AAPL"),
                                     .price_e4 = 95'000,
                                     .time_in_force = '0',
                                     .display = 'Y',
                                     .capacity = 'A',
                                     .iso = 'N',
                                     .cross_type = 'N',
                                     .cl_ord_id = *ouch::Token::from("example"),
                                     .appendage = {}});
    client.ask(ouch::v50::CancelOrder{.user_ref = 1, .quantity = 40, .appendage = {}});
    client.ask(ouch::v50::CancelOrder{.user_ref = 1, .quantity = 0, .appendage = {}});
    // The begin of the day, the order, and what it lost twice.
    if (!client.listen(4)) return 1;
    client.leave();
    Client later;
    if (!later.log_in(port, 1)) return 1;
    return later.listen(4) ? 0 : 1;
}
