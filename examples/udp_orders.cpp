// Orders in UDP datagrams to a running exchange: two senders, one in the public format of 18 bytes,
// one in the extended format with its answers. In a quiet market they trade with each other; where
// others offer for less, beside the demo market for one, with them. Nothing but sockets and the
// codec.
//
//   build/release/damrak serve --only udp &
//   build/release/examples/udp_orders 26402
#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <damrak/wire/packet/decode.hpp>
#include <damrak/wire/packet/encode.hpp>

namespace {

using namespace damrak;  // NOLINT(google-build-using-namespace): one program
namespace packet = wire::packet;

/// A connected socket, from a port of its own: to the exchange, a participant of its own.
class Sender {
  public:
    explicit Sender(std::uint16_t exchange) : socket_(::socket(AF_INET, SOCK_DGRAM, 0)) {
        const timeval patience{.tv_sec = 5, .tv_usec = 0};
        ::setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
        sockaddr_in to{};
        to.sin_family = AF_INET;
        to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        to.sin_port = htons(exchange);
        connected_ = ::connect(socket_, reinterpret_cast<const sockaddr*>(&to), sizeof to) == 0;
    }
    Sender(const Sender&) = delete;
    Sender& operator=(const Sender&) = delete;
    ~Sender() { ::close(socket_); }

    bool send(std::span<const std::byte> datagram) const {
        return connected_ && ::send(socket_, datagram.data(), datagram.size(), 0) ==
                                 static_cast<ssize_t>(datagram.size());
    }
    /// Empty if nothing came for seconds.
    [[nodiscard]] std::span<const std::byte> receive() {
        const ssize_t got = ::recv(socket_, memory_.data(), memory_.size(), 0);
        return std::span{memory_}.first(got < 0 ? 0 : static_cast<std::size_t>(got));
    }

  private:
    int socket_;
    bool connected_ = false;
    std::array<std::byte, packet::k_maximum_datagram> memory_{};
};

constexpr std::uint32_t k_quantity = 100;

/// The seller's order of number 7, or its cancel.
bool send_extended(Sender& seller, std::uint32_t sequence, packet::Action action) {
    std::array<std::byte, packet::HeaderLayout::k_request_length + packet::OrderLayout::k_length>
        datagram{};
    const std::size_t used = encode(packet::Header{.count = 1, .sequence = sequence}, datagram);
    packet::encode_extended({.name = ClientOrderId{7},
                             .price_e2 = 100'50,
                             .quantity = 3 * k_quantity,
                             .instrument = InstrumentId{1},
                             .action = action,
                             .side = Side::sell},
                            std::span{datagram}.subspan(used));
    return seller.send(datagram);
}

bool buy_in_the_public_format(Sender& buyer) {
    std::array<std::byte, packet::Packed::k_length> datagram{};
    encode_public(packet::Format::packed,
                  {.sequence = 1,
                   .name = ClientOrderId{42},
                   .price_e2 = 100'60,
                   .quantity = k_quantity,
                   .side = Side::buy},
                  datagram);
    return buyer.send(datagram);
}

/// Until one of this kind came.
bool print_replies(Sender& seller, packet::ReplyKind last) {
    constexpr std::array<std::string_view, 7> k_kinds{
        "", "accepted", "rejected", "executed", "cancelled", "modified", "begun"};
    for (;;) {
        const auto datagram = seller.receive();
        const packet::Scan found = packet::scan_replies(datagram);
        if (found.fault != packet::Fault::none) return false;
        for (std::size_t i = 0; i < found.header.count; ++i) {
            packet::Reply reply;
            if (decode_reply(datagram, i, reply) != packet::Fault::none) return false;
            fmt::print("seller: order {} {}: {} at {}.{:02}, {} open\n", reply.name.value,
                       k_kinds.at(static_cast<std::size_t>(reply.kind)), reply.quantity,
                       reply.price_e2 / 100, reply.price_e2 % 100, reply.remaining);
            if (reply.kind == last) return true;
            if (reply.kind == packet::ReplyKind::rejected) return false;
        }
    }
}

/// Buys everything; one message per counterparty.
bool print_trades(Sender& buyer) {
    for (std::uint32_t bought = 0; bought < k_quantity;) {
        packet::Trade trade;
        if (decode_trade(buyer.receive(), trade) != packet::Fault::none) return false;
        fmt::print("buyer: order {}: {} at {}.{:02}\n", trade.bid, trade.quantity,
                   trade.price_e2 / 100, trade.price_e2 % 100);
        bought += trade.quantity;
    }
    return true;
}

}  // namespace

int main(int argc, char** argv) {
    std::uint16_t port = 26'402;
    if (argc > 1) {
        const std::string_view text = argv[1];
        std::from_chars(text.data(), text.data() + text.size(), port);
    }
    Sender seller{port};
    Sender buyer{port};
    // The seller's trades are reported before its cancel.
    const bool done = send_extended(seller, 1, packet::Action::new_order) &&
                      print_replies(seller, packet::ReplyKind::accepted) &&
                      buy_in_the_public_format(buyer) && print_trades(buyer) &&
                      send_extended(seller, 2, packet::Action::cancel) &&
                      print_replies(seller, packet::ReplyKind::cancelled);
    if (!done)
        fmt::print(stderr,
                   "no answer, or another than expected, from the UDP gateway on port {}: is an "
                   "exchange running (build/release/damrak serve), and its first instrument "
                   "priced around 100?\n",
                   port);
    return done ? 0 : 1;
}
