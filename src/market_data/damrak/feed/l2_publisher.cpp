#include <damrak/feed/l2_publisher.hpp>

#include <algorithm>
#include <functional>
#include <utility>

#include <damrak/wire/binary/messages.hpp>

namespace damrak::feed {

using wire::binary::FeedDelta;
using wire::binary::FeedLevel;

namespace {

constexpr std::array k_sides{Side::buy, Side::sell};
constexpr std::int64_t k_parts = 16;

std::size_t index_of(Side side) { return static_cast<std::size_t>(side); }

}  // namespace

L2Publisher::L2Publisher(const L2Settings& settings, const EngineConfig& engine, Send send)
    : settings_(settings), send_(std::move(send)), depth_(engine) {}

void L2Publisher::touch(InstrumentId id) {
    if (published_.size() < id.value) published_.resize(id.value);
    Published& published = published_[id.value - 1];
    if (std::exchange(published.changed, true)) return;
    changed_.push_back(id);
    if (published.next_snapshot_ns == INT64_MIN) plan_snapshot(id);
}

// At the time of its book.
void L2Publisher::plan_snapshot(InstrumentId id) {
    due_.push_back({published_[id.value - 1].next_snapshot_ns, id});
    std::ranges::push_heap(due_, std::greater{}, &DueSnapshot::time_ns);
}

// A snapshot of it in the next turn. If none was sent yet, the first one comes anyway.
void L2Publisher::tell_state(InstrumentId id) {
    touch(id);
    std::int64_t& next_ns = published_[id.value - 1].next_snapshot_ns;
    if (next_ns == INT64_MIN) return;
    next_ns = INT64_MIN + 1;
    plan_snapshot(id);
}

wire::binary::FeedState L2Publisher::state_of(InstrumentId id) const {
    const InstrumentState* const in = engine_ == nullptr ? nullptr : engine_->instrument(id);
    if (in == nullptr) return {};
    return {.phase = in->phase,
            .call = in->phase == Phase::call ? in->call : CallKind{},
            .cause = in->cause,
            .halted = in->state == TradingState::halted};
}

std::size_t L2Publisher::do_work(std::int64_t now_ns) {
    const std::uint64_t before = sequence_;
    if (!changed_.empty() && now_ns >= next_flush_ns_) {
        for (const InstrumentId id : changed_) bring_up_to_date(id);
        changed_.clear();
        next_flush_ns_ = now_ns + settings_.flush_interval_ns;
    }
    if (!due_.empty() && now_ns >= due_.front().time_ns) send_due_snapshots(now_ns);
    return sequence_ - before;
}

// Into sent_: the books whose snapshot is due, by id.
void L2Publisher::take_due(std::int64_t now_ns) {
    sent_.clear();
    while (!due_.empty() && now_ns >= due_.front().time_ns) {
        const auto [time_ns, id] = due_.front();
        std::ranges::pop_heap(due_, std::greater{}, &DueSnapshot::time_ns);
        due_.pop_back();
        if (time_ns == published_[id.value - 1].next_snapshot_ns && depth_.has(id))
            sent_.push_back(id);
    }
    std::ranges::sort(sent_, {}, &InstrumentId::value);
    const auto again = std::ranges::unique(sent_);
    sent_.erase(again.begin(), again.end());
}

void L2Publisher::send_due_snapshots(std::int64_t now_ns) {
    // The next turn may come a flush interval late; the snapshot is still in time then.
    const std::int64_t margin_ns =
        std::min(settings_.flush_interval_ns, settings_.snapshot_interval_ns / 2);
    const std::int64_t period_ns = settings_.snapshot_interval_ns - margin_ns;
    take_due(now_ns);
    for (const InstrumentId id : sent_) {
        Published& published = published_[id.value - 1];
        if (published.changed) {
            bring_up_to_date(id);
            std::erase(changed_, id);
        }
        send_snapshot(id, published);
        // Spreads first snapshots over the period, so that they do not come in one burst.
        const bool first = published.next_snapshot_ns == INT64_MIN;
        const std::int64_t part = first ? k_parts - id.value % k_parts : k_parts;
        published.next_snapshot_ns = now_ns + period_ns * part / k_parts;
        plan_snapshot(id);
    }
}

// Publishes the changes of a book as deltas, unless its first snapshot is still to come.
void L2Publisher::bring_up_to_date(InstrumentId id) {
    Published& published = published_[id.value - 1];
    published.changed = false;
    for (const Side side : k_sides) collect(id, side, current_[index_of(side)]);
    if (published.next_snapshot_ns != INT64_MIN) {
        // Reductions first: so a receiver never has more than the book ever had.
        for (const bool reduce : {true, false})
            for (const Side side : k_sides)
                send_difference(id, side, current_[index_of(side)], reduce);
    }
    for (const Side side : k_sides)
        std::swap(published.sides[index_of(side)], current_[index_of(side)]);
}

// Merges the published and the current levels, both best first.
void L2Publisher::send_difference(InstrumentId id, Side side, const Levels& now, bool reduce) {
    const Levels& before = published_[id.value - 1].sides[index_of(side)];
    const auto is_better = [side](const FeedLevel& a, const FeedLevel& b) {
        return side == Side::buy ? a.price_e2 > b.price_e2 : a.price_e2 < b.price_e2;
    };
    auto was = before.begin();
    auto is = now.begin();
    while (was != before.end() || is != now.end()) {
        const bool gone = is == now.end() || (was != before.end() && is_better(*was, *is));
        const bool fresh = was == before.end() || (is != now.end() && is_better(*is, *was));
        const std::uint64_t had = fresh ? 0 : was->quantity;
        const std::uint64_t has = gone ? 0 : is->quantity;
        const std::int64_t price_e2 = gone ? was->price_e2 : is->price_e2;
        if (reduce && has < had)
            send_delta(id, {price_e2, had - has, true, side});
        else if (!reduce && has > had)
            send_delta(id, {price_e2, has - had, false, side});
        if (!fresh) ++was;
        if (!gone) ++is;
    }
}

void L2Publisher::send_delta(InstrumentId id, const FeedDelta& delta) {
    emit(wire::binary::encode_feed({sequence_, id}, delta, datagram_));
}

void L2Publisher::send_snapshot(InstrumentId id, const Published& published) {
    emit(wire::binary::encode_feed({sequence_, id}, published.sides[0], published.sides[1],
                                   datagram_, state_of(id)));
}

// Prices finer than the feed's are rounded as in the rest of the protocol, and share one level.
void L2Publisher::collect(InstrumentId id, Side side, Levels& into) const {
    into.clear();
    depth_.for_each_level(id, side, [&into](const views::PublicLevel& level) {
        const std::int64_t price_e2 = level.price.value / wire::binary::k_price_units;
        const auto quantity = static_cast<std::uint64_t>(level.quantity.value);
        if (!into.empty() && into.back().price_e2 == price_e2) {
            into.back().quantity += quantity;
            return true;
        }
        if (into.size() == wire::binary::k_feed_levels) return false;
        into.push_back({price_e2, quantity});
        return true;
    });
}

void L2Publisher::emit(std::size_t length) {
    ++sequence_;
    send_(std::span{datagram_}.first(length));
}

}  // namespace damrak::feed
