// Receives the L2 multicast of a running server: waits up to some seconds for the books that a test
// expects.
#pragma once

#include <array>
#include <concepts>
#include <cstdint>

#include <damrak/base/assert.hpp>
#include <damrak/client/l2_receiver.hpp>
#include <damrak/net/udp.hpp>

#include "support/eventually.hpp"

namespace damrak::testing {

class MarketListener {
  public:
    explicit MarketListener(std::uint16_t port)
        : socket_(*net::MulticastReceiver::join({.address = "239.0.0.1", .port = port})) {}

    /// Waits until the condition holds for the received books; false: patience is over.
    template <std::predicate<const client::L2Receiver&> Holds>
    [[nodiscard]] bool hears(Holds holds) {
        std::array<std::byte, wire::binary::k_largest_feed_datagram> memory{};
        const auto hear = [&] {
            static_cast<void>(is_readable(socket_.socket().number()));
            const auto datagram = socket_.receive(memory);
            if (!datagram.empty()) books_.on_datagram(datagram);
        };
        return turns_until(hear, [&] { return holds(books_); });
    }
    /// A side of a book, once the book is valid and has that many prices there.
    [[nodiscard]] client::L2Receiver::Levels side(InstrumentId id, Side side, std::size_t prices) {
        const bool heard = hears([=](const client::L2Receiver& books) {
            const auto* const book = books.book(id);
            return book != nullptr && book->valid && book->side(side).size() == prices;
        });
        return heard ? books_.book(id)->side(side) : client::L2Receiver::Levels{{0, 0}};
    }
    [[nodiscard]] const client::L2Receiver& books() const { return books_; }

  private:
    net::MulticastReceiver socket_;
    client::L2Receiver books_;
};

}  // namespace damrak::testing
