#include <damrak/market_stream/detail/topic_feed.hpp>

#include <algorithm>
#include <iterator>
#include <memory>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

namespace damrak::market_stream {

namespace {

using archive::BookLevel;
using archive::BookOrder;

constexpr std::array<Side, 2> k_sides{Side::buy, Side::sell};

bool is_better(Side side, std::uint32_t price, std::uint32_t than) {
    return side == Side::buy ? price > than : price < than;
}

// Both sides of the comparison have the best price first.
void append_changes(Side side, const std::vector<BookLevel>& before,
                    const std::vector<BookLevel>& now, std::vector<BookLevel>& changes) {
    auto old = before.begin();
    for (const BookLevel& level : now) {
        for (; old != before.end() && is_better(side, old->price_e4, level.price_e4); ++old)
            changes.push_back({.price_e4 = old->price_e4});
        const bool is_new = old == before.end() || old->price_e4 != level.price_e4;
        if (is_new || *old != level) changes.push_back(level);
        if (!is_new) ++old;
    }
    for (; old != before.end(); ++old) changes.push_back({.price_e4 = old->price_e4});
}

// Orders that stay keep their priority, and new ones come after them: the feed gives an order that
// loses its place a new reference.
void append_changes(Side /*side*/, const std::vector<BookOrder>& before,
                    const std::vector<BookOrder>& now, std::vector<BookOrder>& changes) {
    std::unordered_map<std::uint64_t, const BookOrder*> old;
    for (const BookOrder& order : before) old.emplace(order.reference, &order);
    std::vector<BookOrder> fresh;
    for (const BookOrder& order : now) {
        const auto found = old.find(order.reference);
        if (found == old.end() || *found->second != order) fresh.push_back(order);
        if (found != old.end()) old.erase(found);
    }
    for (const BookOrder& order : before)
        if (old.contains(order.reference))
            changes.push_back({.reference = order.reference, .price_e4 = order.price_e4});
    std::ranges::copy(fresh, std::back_inserter(changes));
}

std::string top_members(const MarketState& market, const Instrument& of) {
    std::string members;
    std::vector<BookLevel> levels;
    for (const Side side : k_sides) {
        market.levels(of, side, 1, levels);
        members += side == Side::buy ? R"(,"bid":)" : R"(,"ask":)";
        append_row(members, levels.empty() ? std::nullopt : std::optional{levels.front()});
    }
    members += R"(,"last":)";
    const auto last = std::find_if(of.trades.rbegin(), of.trades.rend(),
                                   [](const Trade& trade) { return trade.quantity > 0; });
    if (last == of.trades.rend())
        members += "null";
    else
        append_row(members, *last);
    const bool is_halted = of.state == DisplayedState::halted;
    members += is_halted ? R"(,"halted":true)" : R"(,"halted":false)";
    return members;
}

std::string state_members(const Instrument& of) {
    std::string members = fmt::format(R"(,"state":"{}","cause":)", name(of.state));
    members += of.halt.cause().empty() ? "null" : fmt::format(R"("{}")", of.halt.cause());
    members += R"(,"collar":)";
    append_collar(members, of.halt.collar());
    members += R"(,"auction":)";
    append_auction(members, of.auction);
    return members;
}

std::string statistics_members(const Instrument& of) {
    std::string members;
    append_members(members, of.statistics);
    return members;
}

std::size_t index_of_seconds(std::uint32_t seconds) {
    return static_cast<std::size_t>(std::ranges::find(k_candle_seconds, seconds) -
                                    k_candle_seconds.begin());
}

}  // namespace

TopicFeed::Message TopicFeed::changes(const MarketState& market) {
    const Instrument* const of = market.find(topic_.symbol);
    if (of == nullptr) return nullptr;
    locate_ = of->locate;
    present_sequence_ = market.sequence();
    present_time_ns_ = market.time_ns();
    switch (topic_.channel) {
        case Channel::top:
            return whole_changes(top_members(market, *of));
        case Channel::depth:
        case Channel::orders:
            return book_changes(market, *of);
        case Channel::trades:
            return trade_changes(*of);
        case Channel::candles:
            return candle_changes(*of);
        case Channel::state:
            return whole_changes(state_members(*of));
        case Channel::statistics:
            return whole_changes(statistics_members(*of));
        case Channel::exchange:
            break;
    }
    return nullptr;
}

TopicFeed::Message TopicFeed::snapshot() const {
    if (!is_published_) return nullptr;
    Head head = head_;
    head.is_snapshot = true;
    head.omitted = 0;
    switch (topic_.channel) {
        case Channel::depth:
            return book_message(head, levels_);
        case Channel::orders:
            return book_message(head, orders_);
        case Channel::trades: {
            if (!topic_.is_binary)
                return message(head, fmt::format(R"(,"trades":[],"traded":{})", trades_));
            std::string frame;
            append_binary_head(frame, topic_.channel, locate_, 0, head);
            return std::make_shared<const std::string>(std::move(frame));
        }
        case Channel::candles: {
            std::string members = R"(,"candle":)";
            if (candle_)
                append_row(members, *candle_);
            else
                members += "null";
            return message(head, members);
        }
        case Channel::top:
        case Channel::state:
        case Channel::statistics:
        case Channel::exchange:
            break;
    }
    return message(head, members_);
}

void TopicFeed::publish(std::string members, const MarketState& market) {
    present_sequence_ = market.sequence();
    present_time_ns_ = market.time_ns();
    static_cast<void>(next_head(true));
    members_ = std::move(members);
}

void TopicFeed::reset() { *this = TopicFeed{std::move(topic_)}; }

/// The head of the next changes, whose state is now the published one.
Head TopicFeed::next_head(bool is_first) {
    const std::uint64_t previous = head_.sequence;
    head_ = {.is_snapshot = is_first,
             .previous = previous,
             .sequence = present_sequence_,
             .time_ns = present_time_ns_};
    is_published_ = true;
    return head_;
}

TopicFeed::Message TopicFeed::book_changes(const MarketState& market, const Instrument& of) {
    if (is_published_ && book_changes_ == of.book_changes) return nullptr;
    book_changes_ = of.book_changes;
    if (topic_.channel == Channel::depth) {
        Sides<BookLevel> present;
        for (const Side side : k_sides)
            market.levels(of, side, topic_.levels, present[static_cast<std::size_t>(side)]);
        return changes_of(levels_, std::move(present));
    }
    Sides<BookOrder> present;
    for (const Side side : k_sides)
        market.orders(of, side, topic_.levels, k_maximum_orders,
                      present[static_cast<std::size_t>(side)]);
    return changes_of(orders_, std::move(present));
}

template <class Row>
TopicFeed::Message TopicFeed::changes_of(Sides<Row>& published, Sides<Row> present) {
    const bool is_first = !is_published_;
    Sides<Row> changes;
    for (std::size_t side = 0; side < changes.size(); ++side)
        if (!is_first) append_changes(k_sides[side], published[side], present[side], changes[side]);
    if (!is_first && changes[0].empty() && changes[1].empty()) return nullptr;
    published = std::move(present);
    const Head head = next_head(is_first);
    return is_first ? nullptr : book_message(head, changes);
}

TopicFeed::Message TopicFeed::trade_changes(const Instrument& of) {
    const bool is_first = !is_published_;
    const std::uint64_t fresh = of.told - trades_;
    const std::uint64_t fresh_busts = std::min<std::uint64_t>(of.busts - busts_, of.busted.size());
    if (!is_first && fresh == 0 && fresh_busts == 0) return nullptr;
    trades_ = of.told;
    busts_ = of.busts;
    Head head = next_head(is_first);
    if (is_first) return nullptr;
    const std::size_t told = std::min<std::uint64_t>(fresh, of.trades.size());
    head.omitted = fresh - told;
    std::vector<Trade> rows(of.trades.end() - static_cast<std::ptrdiff_t>(told), of.trades.end());
    rows.insert(rows.end(), of.busted.end() - static_cast<std::ptrdiff_t>(fresh_busts),
                of.busted.end());
    std::string text;
    if (topic_.is_binary) {
        append_binary_head(text, topic_.channel, locate_, rows.size(), head);
        for (const Trade& row : rows) append_binary_row(text, row);
        return std::make_shared<const std::string>(std::move(text));
    }
    text = R"(,"trades":)";
    append_rows(text, rows);
    text += fmt::format(R"(,"omitted":{})", head.omitted);
    return message(head, text);
}

TopicFeed::Message TopicFeed::candle_changes(const Instrument& of) {
    const auto& candles = of.candles[index_of_seconds(topic_.seconds)];
    const bool is_first = !is_published_;
    const bool is_recounted = std::exchange(recounts_, of.recounts) != of.recounts;
    const bool is_same = candles.empty() || (candle_ && candles.back() == *candle_);
    if (!is_first && is_same && !is_recounted) return nullptr;
    // Those that ended since, too, and all that are kept if trades of earlier ones were broken.
    const auto begin = std::ranges::find_if(candles, [&](const archive::Candle& one) {
        return !candle_ || is_recounted || one.begin_ns >= candle_->begin_ns;
    });
    const bool omits = candle_ && begin == candles.begin() &&
                       (is_recounted || begin->begin_ns != candle_->begin_ns);
    std::string text = R"(,"candles":)";
    append_rows(text, std::vector<archive::Candle>(begin, candles.end()));
    text += omits ? R"(,"omitted":true)" : R"(,"omitted":false)";
    if (!candles.empty()) candle_ = candles.back();
    const Head head = next_head(is_first);
    return is_first ? nullptr : message(head, text);
}

TopicFeed::Message TopicFeed::whole_changes(std::string members) {
    const bool is_first = !is_published_;
    if (!is_first && members == members_) return nullptr;
    members_ = std::move(members);
    const Head head = next_head(is_first);
    return is_first ? nullptr : message(head, members_);
}

template <class Row>
TopicFeed::Message TopicFeed::book_message(const Head& head, const Sides<Row>& rows) const {
    std::string text;
    if (topic_.is_binary) {
        append_binary_head(text, topic_.channel, locate_, rows[0].size() + rows[1].size(), head);
        for (const Side side : k_sides)
            for (const Row& row : rows[static_cast<std::size_t>(side)])
                append_binary_row(text, row, side);
        return std::make_shared<const std::string>(std::move(text));
    }
    text = R"(,"bids":)";
    append_rows(text, rows[0]);
    text += R"(,"asks":)";
    append_rows(text, rows[1]);
    return message(head, text);
}

TopicFeed::Message TopicFeed::message(const Head& head, std::string_view members) const {
    auto text = std::make_shared<std::string>();
    append_head(*text, topic_, head);
    *text += members;
    *text += '}';
    return text;
}

}  // namespace damrak::market_stream
