// Passes any datagrams to a receiver of the market data feed: the first byte of each piece of the
// input is its length minus 16. A valid book must have ordered prices with a quantity at each;
// decoded messages must survive a round trip.
#include <damrak/client/l2_receiver.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <variant>
#include <vector>

#include <damrak/base/assert.hpp>

#include "support/fuzz_target.hpp"

namespace damrak::fuzz_l2_receiver {

namespace {

using namespace damrak::wire::binary;  // NOLINT(google-build-using-namespace): its own

std::vector<FeedLevel> all_of(const FeedLevels& from) {
    std::vector<FeedLevel> levels;
    levels.reserve(from.size());
    for (std::size_t i = 0; i < from.size(); ++i) levels.push_back(from[i]);
    return levels;
}

void write_and_compare(const FeedMessage& message, std::span<const std::byte> datagram) {
    std::array<std::byte, 512> memory{};
    std::size_t length = 0;
    if (const auto* const delta = std::get_if<FeedDelta>(&message.body)) {
        length = encode_feed(message.header, *delta, memory);
        const auto again = decode_feed(std::span{memory}.first(length));
        DAMRAK_ASSERT(again && std::get<FeedDelta>(again->body) == *delta);
    } else {
        const auto& snapshot = std::get<FeedSnapshot>(message.body);
        length = encode_feed(message.header, all_of(snapshot.bids), all_of(snapshot.asks), memory,
                             snapshot.state);
        // All but the reserved word.
        DAMRAK_ASSERT(std::equal(memory.begin(), memory.begin() + 20, datagram.begin()));
        DAMRAK_ASSERT(std::equal(memory.begin() + 24,
                                 memory.begin() + static_cast<std::ptrdiff_t>(length),
                                 datagram.begin() + 24));
    }
    DAMRAK_ASSERT(length <= datagram.size());
}

void check(const damrak::client::L2Receiver::Book& book) {
    if (!book.valid) return;
    DAMRAK_ASSERT(std::ranges::is_sorted(book.sides[0], std::greater{}, &FeedLevel::price_e2));
    DAMRAK_ASSERT(std::ranges::is_sorted(book.sides[1], std::less{}, &FeedLevel::price_e2));
    for (const auto& side : book.sides)
        for (const FeedLevel& level : side) DAMRAK_ASSERT(level.quantity > 0);
}

}  // namespace

DAMRAK_FUZZ_TARGET(l2_receiver)(const std::uint8_t* data, std::size_t size) {
    auto bytes = std::as_bytes(std::span{data, size});
    damrak::client::L2Receiver receiver;
    while (!bytes.empty()) {
        const std::size_t wanted = 16 + std::to_integer<std::size_t>(bytes[0]);
        const auto datagram = bytes.subspan(1, std::min(wanted, bytes.size() - 1));
        bytes = bytes.subspan(1 + datagram.size());
        receiver.on_datagram(datagram);
        if (const auto message = decode_feed(datagram))
            write_and_compare(*message, datagram);
        else
            DAMRAK_ASSERT(describe(message.error()) != "not understood");
        for (const auto& [id, book] : receiver.books()) check(book);
    }
    return 0;
}

}  // namespace damrak::fuzz_l2_receiver
