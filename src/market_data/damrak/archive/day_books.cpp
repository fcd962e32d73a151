// The books of an archived day: from the last checkpoint before an instant, and the messages after
// it.
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include <damrak/archive/day.hpp>
#include <damrak/archive/day_cursor.hpp>
#include <damrak/archive/known_parts.hpp>
#include <damrak/order_flow/book_builder.hpp>
#include <damrak/order_flow/itch_flow.hpp>
#include <damrak/wire/itch/view_mark.hpp>
#include <damrak/wire/itch/walk.hpp>

namespace damrak::archive {

namespace itch = wire::itch;

namespace {

/// Passes the messages of one instrument to a flow; a checkpoint has several.
template <class Flow>
struct OfInstrument {
    Flow& flow;
    KnownParts& parts;
    std::uint16_t locate;
    bool is_checkpoint = false;
    bool has_orders = false;  ///< there was a message about one
    void on(const auto& message) {
        if constexpr (requires { flow.on(message); }) {
            if (message.stock_locate != locate) return;
            has_orders |= requires { message.order_ref; };
            if (is_checkpoint)
                parts.doubt(message);
            else
                parts.note(message);
            static_cast<void>(flow.on(message));
        }
    }
};

Result<Book> whole(Answer<Book> answer) {
    if (answer.completeness.is_complete()) return std::move(answer.value);
    return std::unexpected{std::move(answer.completeness.missing.front())};
}

}  // namespace

std::optional<std::uint64_t> known_reference(const BookOrder& order) {
    return itch::is_anonymous(order.reference) ? std::nullopt : std::optional{order.reference};
}

std::optional<std::uint64_t> known_shares(const BookOrder& order) {
    return order.is_part ? std::nullopt : std::optional<std::uint64_t>{order.shares};
}

std::vector<BookLevel> Book::levels(std::span<const BookOrder> orders) {
    std::vector<BookLevel> levels;
    for (const BookOrder& order : orders) {
        if (levels.empty() || levels.back().price_e4 != order.price_e4)
            levels.push_back({.price_e4 = order.price_e4});
        BookLevel& level = levels.back();
        level.shares += order.shares;
        if (itch::is_anonymous(order.reference) || order.is_part) level.orders.reset();
        if (level.orders) ++*level.orders;
    }
    return levels;
}

std::span<const BookOrder> best_levels(std::span<const BookOrder> side, std::size_t levels) {
    if (levels == 0) return side;
    for (std::size_t i = 0; i < side.size(); ++i)
        if ((i == 0 || side[i].price_e4 != side[i - 1].price_e4) && levels-- == 0)
            return side.first(i);
    return side;
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
        if (i > from && !place.gap.empty()) return std::unexpected{place.gap};
        const auto frames = read(place);
        if (!frames) return std::unexpected{frames.error()};
        if (!take(*frames))
            return std::unexpected{told(place.offset, "a message of the block is invalid")};
    }
    return checkpoint;
}

std::optional<std::size_t> Day::checkpoint_for(std::uint16_t locate, std::size_t before) const {
    for (std::size_t i = before; i-- > 0;)
        if (is_checkpoint_of(blocks_[i].header, locate)) return i;
    return std::nullopt;
}

Result<Book> Day::book_at(std::uint16_t locate, std::int64_t time_ns) const {
    return whole(book_known_at(locate, time_ns));
}

Result<Book> Day::book_after(std::uint16_t locate, std::uint64_t sequence) const {
    if (sequence == 0 || sequence > messages_)
        return std::unexpected{fmt::format("{}: there is no message {}: the day has {}",
                                           path_.string(), sequence, messages_)};
    return whole(
        book({.locate = locate, .after = sequence - 1, .until = sequence, .has_last_block = true}));
}

Answer<Book> Day::book_known_at(std::uint16_t locate, std::int64_t time_ns) const {
    auto found =
        book({.locate = locate, .from_ns = time_ns, .until_ns = time_ns, .has_last_block = true});
    if (found.completeness.is_complete()) found.value.time_ns = time_ns;
    return found;
}

Answer<Book> Day::book(const DayRange& range) const {
    auto answer = all_orders(range);
    for (auto* const side : {&answer.value.bids, &answer.value.asks})
        side->resize(best_levels(*side, depth_.depth).size());
    return answer;
}

Result<Book> Day::orders_at(std::uint16_t locate, std::int64_t time_ns) const {
    return whole(all_orders(
        {.locate = locate, .from_ns = time_ns, .until_ns = time_ns, .has_last_block = true}));
}

Answer<Book> Day::all_orders(const DayRange& range) const {
    order_flow::BookBuilder<> builder;
    order_flow::ItchFlow flow{builder, order_flow::Selection{.marks = marks()}};
    KnownParts parts{depth_, marks()};
    OfInstrument<decltype(flow)> visitor{flow, parts, *range.locate};
    DayCursor cursor =
        DayCursor::with_books(*this, range, [&visitor](std::span<const std::byte> frames) {
            visitor.is_checkpoint = true;
            const bool is_sound = itch::walk(frames, visitor).end != itch::WalkEnd::fault;
            visitor.is_checkpoint = false;
            return is_sound;
        });
    Answer<Book> answer;
    Book& book = answer.value;
    answer.completeness = read_messages(cursor, [&](std::uint64_t sequence, const auto& message) {
        if (message.timestamp_ns > range.until_ns || sequence > range.until) return false;
        book.sequence = sequence;
        book.time_ns = message.timestamp_ns;
        visitor.on(message);
        return true;
    });
    if (!answer.completeness.is_complete()) {
        book.sequence = answer.completeness.last_message;
        book.time_ns = answer.completeness.known_until_ns;
    }
    if (!visitor.has_orders) book.why_not_known = why_no_book_yet(depth_);
    if (builder.instruments() == 0) return answer;
    for (const Side side : {Side::buy, Side::sell})
        builder.book(InstrumentId{1})
            .book.for_each_order(builder.store(), side, [&](OrderIndex index) {
                const Order& order = builder.store().order(index);
                (side == Side::buy ? book.bids : book.asks)
                    .push_back(
                        {.reference = order.id.value,
                         .price_e4 = static_cast<std::uint32_t>(builder.price_of(order).value),
                         .shares = static_cast<std::uint32_t>(order.quantity.value),
                         .is_part = parts.has(order.id.value)});
                return true;
            });
    return answer;
}

}  // namespace damrak::archive
