// The books of an archived day: from the last checkpoint before an instant, and the messages after
// it.
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include <damrak/archive/day.hpp>
#include <damrak/order_flow/book_builder.hpp>
#include <damrak/order_flow/itch_flow.hpp>
#include <damrak/wire/itch/walk.hpp>

namespace damrak::archive {

namespace itch = wire::itch;

namespace {

/// Passes the messages of one instrument up to an instant to a flow; counts all messages.
template <class Flow>
struct UpTo {
    Flow& flow;
    std::uint16_t locate;
    std::int64_t until_ns;
    std::uint64_t most = 0;  ///< of the block
    std::uint64_t messages = 0;
    std::int64_t last_time_ns = 0;

    bool on(const auto& message) {
        if (messages == most || message.timestamp_ns > until_ns) return false;
        ++messages;
        last_time_ns = message.timestamp_ns;
        if constexpr (requires { flow.on(message); })
            if (message.stock_locate == locate) static_cast<void>(flow.on(message));
        return true;
    }
};

}  // namespace

std::vector<BookLevel> Book::levels(std::span<const BookOrder> orders) {
    std::vector<BookLevel> levels;
    for (const BookOrder& order : orders) {
        if (levels.empty() || levels.back().price_e4 != order.price_e4)
            levels.push_back({.price_e4 = order.price_e4});
        levels.back().shares += order.shares;
        ++levels.back().orders;
    }
    return levels;
}

Result<void> Day::has_all(std::size_t from, std::size_t to, const Instant& until) const {
    std::uint64_t next = 1;
    std::int64_t last_time_ns = -1;
    if (from > 0) next = blocks_[from - 1].header.first_message;  // a checkpoint
    const auto lost = [&](std::uint64_t offset, std::uint64_t last) -> Result<void> {
        return std::unexpected{told(
            offset, fmt::format("messages {} to {} before it are lost to damage, and with them the "
                                "book at this time",
                                next, last))};
    };
    for (std::size_t i = from; i < blocks_.size(); ++i) {
        const BlockHeader& header = blocks_[i].header;
        if (header.kind != BlockKind::messages) continue;
        if (i >= to && (until.time_ns < last_time_ns || until.sequence < next)) return {};
        if (header.first_message != next) return lost(blocks_[i].offset, header.first_message - 1);
        if (i >= to) return {};
        next += header.messages;
        last_time_ns = header.last_time_ns;
    }
    if (complete_ && announced_ >= next && until.time_ns >= last_time_ns && until.sequence >= next)
        return lost(size_, announced_);
    return {};
}

Result<std::uint64_t> Day::read_to_end(
    const std::function<bool(std::span<const std::byte>)>& take) const {
    // A checkpoint is complete if another block follows it. Several blocks with the same number
    // form one.
    std::size_t from = 0;
    std::uint64_t checkpoint = 0;
    if (!message_blocks_.empty()) {
        from = message_blocks_.back();
        while (from > 0 && blocks_[from - 1].header.kind != BlockKind::checkpoint) --from;
        if (from > 0) checkpoint = blocks_[from - 1].header.first_message - 1;
        while (from > 0 && blocks_[from - 1].header.kind == BlockKind::checkpoint) --from;
    }
    for (std::size_t i = from; i < blocks_.size(); ++i) {
        const Place& place = blocks_[i];
        const bool is_old = place.header.kind == BlockKind::checkpoint &&
                            place.header.first_message != checkpoint + 1;
        if (is_old) continue;
        const auto frames = read(place);
        if (!frames) return std::unexpected{frames.error()};
        if (!take(*frames))
            return std::unexpected{told(place.offset, "a message of the block is invalid")};
    }
    return checkpoint;
}

// If a checkpoint is damaged, an earlier one serves.
Result<std::size_t> Day::read_checkpoint(
    std::uint16_t locate, std::size_t before,
    const std::function<bool(std::span<const std::byte>)>& take) const {
    for (std::size_t place = message_blocks_.at(before);;) {
        const auto checkpoint = checkpoint_for(locate, place);
        if (!checkpoint) return std::size_t{0};
        place = *checkpoint;
        const auto frames = read(blocks_[place]);
        if (!frames) continue;
        if (!take(*frames))
            return std::unexpected{
                told(blocks_[place].offset, "a message of the block is invalid")};
        return static_cast<std::size_t>(std::ranges::upper_bound(message_blocks_, place) -
                                        message_blocks_.begin());
    }
}

std::optional<std::size_t> Day::checkpoint_for(std::uint16_t locate, std::size_t before) const {
    for (std::size_t i = before; i-- > 0;) {
        const BlockHeader& header = blocks_[i].header;
        if (header.kind != BlockKind::checkpoint) continue;
        const std::uint64_t lowest = header.locates & 0xFFFFU;
        const std::uint64_t highest = header.locates >> 16U;
        if (locate >= lowest && locate <= highest) return i;
    }
    return std::nullopt;
}

Result<Book> Day::book_at(std::uint16_t locate, std::int64_t time_ns) const {
    auto found = book(locate, {.time_ns = time_ns});
    if (found) found->time_ns = time_ns;
    return found;
}

Result<Book> Day::book_after(std::uint16_t locate, std::uint64_t sequence) const {
    if (sequence == 0 || sequence > messages_)
        return std::unexpected{fmt::format("{}: there is no message {}: the day has {}",
                                           path_.string(), sequence, messages_)};
    return book(locate, {.sequence = sequence});
}

Result<Book> Day::book(std::uint16_t locate, const Instant& until) const {
    Book book;
    // Blocks that begin after the instant are not needed.
    const auto end = std::ranges::find_if(message_blocks_, [&](std::size_t i) {
        const BlockHeader& header = blocks_[i].header;
        return header.first_time_ns > until.time_ns || header.first_message > until.sequence;
    });
    const std::size_t begun = end == message_blocks_.begin() ? 0 : *(end - 1) + 1;

    order_flow::BookBuilder<> builder;
    order_flow::ItchFlow flow{builder, order_flow::Selection{}};
    UpTo<decltype(flow)> visitor{flow, locate, until.time_ns};
    const auto apply = [&](const Place& place) -> Result<void> {
        const auto frames = read(place);
        if (!frames) return std::unexpected{frames.error()};
        visitor.messages = 0;
        visitor.most = place.header.kind == BlockKind::messages
                           ? until.sequence - place.header.first_message + 1
                           : place.header.messages;
        const auto walked = itch::walk(*frames, visitor);
        if (walked.end == itch::WalkEnd::fault)
            return std::unexpected{told(place.offset, "a message of the block is invalid")};
        return {};
    };
    // If a checkpoint is damaged, an earlier one serves.
    std::size_t first = 0;
    for (std::size_t before = begun; first == 0;) {
        const auto checkpoint = checkpoint_for(locate, before);
        if (!checkpoint) break;
        if (apply(blocks_[*checkpoint])) first = *checkpoint + 1;
        before = *checkpoint;
    }
    if (auto whole = has_all(first, begun, until); !whole)
        return std::unexpected{std::move(whole.error())};
    if (begun == 0) return book;
    const std::size_t last = begun - 1;
    for (std::size_t i = first; i <= last; ++i) {
        const BlockHeader& header = blocks_[i].header;
        if (header.kind != BlockKind::messages || (i != last && !may_have(header, locate)))
            continue;
        if (auto applied = apply(blocks_[i]); !applied)
            return std::unexpected{std::move(applied.error())};
    }
    book.sequence = blocks_[last].header.first_message + visitor.messages - 1;
    book.time_ns = visitor.last_time_ns;
    if (builder.instruments() == 0) return book;
    for (const Side side : {Side::buy, Side::sell})
        builder.book(InstrumentId{1})
            .book.for_each_order(builder.store(), side, [&](OrderIndex index) {
                const Order& order = builder.store().order(index);
                (side == Side::buy ? book.bids : book.asks)
                    .push_back(
                        {.reference = order.id.value,
                         .price_e4 = static_cast<std::uint32_t>(builder.price_of(order).value),
                         .shares = static_cast<std::uint32_t>(order.quantity.value)});
                return true;
            });
    return book;
}

}  // namespace damrak::archive
