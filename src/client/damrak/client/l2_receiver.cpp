#include <damrak/client/l2_receiver.hpp>

#include <algorithm>

namespace damrak::client {

using wire::binary::FeedDelta;
using wire::binary::FeedLevel;
using wire::binary::FeedLevels;
using wire::binary::FeedSnapshot;

namespace {

bool is_better(Side side, std::int64_t a, std::int64_t b) {
    return side == Side::buy ? a > b : a < b;
}

// Returns false unless the levels are in order, best first, each with a quantity.
bool read(Side side, const FeedLevels& from, L2Receiver::Levels& into) {
    into.clear();
    if (from.size() > L2Receiver::k_maximum_levels) return false;
    for (std::size_t i = 0; i < from.size(); ++i) {
        const FeedLevel level = from[i];
        const bool in_order = i == 0 || is_better(side, into.back().price_e2, level.price_e2);
        if (!in_order || level.quantity == 0) return false;
        into.push_back(level);
    }
    return true;
}

// Returns false for impossible changes: a negative result, an overflow, too many prices.
bool apply(L2Receiver::Levels& levels, const FeedDelta& delta) {
    const auto at = std::ranges::lower_bound(
        levels, delta.price_e2,
        [&delta](std::int64_t a, std::int64_t b) { return is_better(delta.side, a, b); },
        &FeedLevel::price_e2);
    const bool there = at != levels.end() && at->price_e2 == delta.price_e2;
    if (delta.reduce) {
        if (!there || at->quantity < delta.quantity) return false;
        at->quantity -= delta.quantity;
        if (at->quantity == 0) levels.erase(at);
        return true;
    }
    if (there) return !__builtin_add_overflow(at->quantity, delta.quantity, &at->quantity);
    if (delta.quantity == 0 || levels.size() == L2Receiver::k_maximum_levels) return false;
    levels.insert(at, {delta.price_e2, delta.quantity});
    return true;
}

}  // namespace

void L2Receiver::on_datagram(std::span<const std::byte> datagram) {
    const auto message = wire::binary::decode_feed(datagram);
    if (!message) {
        ++counters_.faults;
        return;
    }
    const auto& header = message->header;
    if (next_sequence_ && header.sequence != *next_sequence_) {
        ++counters_.gaps;
        invalidate_all();
    }
    next_sequence_ = header.sequence + 1;
    if (!books_.contains(header.instrument) && books_.size() == k_maximum_instruments) {
        ++counters_.faults;
        return;
    }
    std::visit([&](const auto& body) { take(books_[header.instrument], body); }, message->body);
}

void L2Receiver::take(Book& book, const FeedSnapshot& snapshot) {
    ++counters_.snapshots;
    book.state = snapshot.state;
    book.valid = read(Side::buy, snapshot.bids, book.sides[0]) &&
                 read(Side::sell, snapshot.asks, book.sides[1]);
    if (!book.valid) ++counters_.faults;
}

void L2Receiver::take(Book& book, const FeedDelta& delta) {
    if (!book.valid) {
        ++counters_.ignored;
        return;
    }
    ++counters_.deltas;
    book.valid = apply(book.sides[static_cast<std::size_t>(delta.side)], delta);
    if (!book.valid) ++counters_.faults;
}

void L2Receiver::invalidate_all() {
    for (auto& [id, book] : books_) book.valid = false;
}

}  // namespace damrak::client
