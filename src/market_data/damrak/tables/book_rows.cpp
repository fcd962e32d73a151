#include <damrak/tables/detail/book_rows.hpp>

#include <algorithm>
#include <utility>

namespace damrak::tables {

namespace {

constexpr std::size_t k_head_columns = 3;
constexpr std::size_t k_level_columns = 6;

}  // namespace

constexpr BookRows::Level BookRows::k_unknown{.shares = k_unknown_shares,
                                              .orders = k_unknown_orders};

BookRows::BookRows(const Context& context, const Books& books, const TableQuery& query)
    : context_(&context),
      books_(&books),
      query_(query),
      count_(query.table == Table::bbo ? 1 : query.levels),
      known_(context.depth.depth == 0 ? count_
                                      : std::min<std::size_t>(count_, context.depth.depth)),
      is_whole_(!context.depth.is_limited()),
      levels_(2 * count_) {}

void BookRows::note_first(InstrumentId id, Shown& shown) {
    if (std::exchange(shown.has_rows, true)) return;
    const std::int64_t every_ns = query_.every_ns;
    if (every_ns == 0) return;
    if (sampled_.empty())
        next_sample_ns_ = (std::max(shown.time_ns, context_->window.from_ns) + every_ns - 1) /
                          every_ns * every_ns;
    sampled_.push_back(id);
}

void BookRows::note_view(InstrumentId id, Shown& shown) {
    if (!std::exchange(shown.is_changed_by_view, true)) changed_by_view_.push_back(id);
}

void BookRows::write_change(InstrumentId id, Shown& shown, Chunk& chunk) {
    if (!context_->is_in_window(shown.time_ns)) return;
    look(id, shown.time_ns);
    if (levels_ == shown.levels) return;
    shown.levels = levels_;
    push(shown.time_ns, shown, levels_, chunk);
}

void BookRows::write_touched(InstrumentId id, Shown& shown, Chunk& chunk) {
    if (!context_->is_in_window(shown.time_ns)) return;
    if (update_touched(books_->builder.book(id), side_of(shown.levels, books_->touched().side)))
        push(shown.time_ns, shown, shown.levels, chunk);
}

void BookRows::write_changes_of_view(Chunk& chunk) {
    for (const InstrumentId id : changed_by_view_) {
        Shown& shown = shown_[id.value - 1];
        if (std::exchange(shown.is_changed_by_view, false)) write_change(id, shown, chunk);
    }
    changed_by_view_.clear();
}

bool BookRows::write_rows_at(std::int64_t until_ns, Chunk& chunk) {
    const std::vector<std::int64_t>& times = query_.at_ns;
    const std::uint16_t locate = *context_->window.locate;
    const Shown none{.locate = locate};
    for (; next_at_ < times.size() && times[next_at_] <= until_ns; ++next_at_) {
        if (chunk[0].rows() >= wanted_rows_) return false;
        const InstrumentId id =
            books_->has_orders.test(locate) ? books_->flow.instrument(locate) : InstrumentId{};
        look(id, times[next_at_]);
        push(times[next_at_], id ? shown_of(id, locate) : none, levels_, chunk);
    }
    return true;
}

bool BookRows::write_samples(std::int64_t until_ns, Chunk& chunk) {
    if (!query_.at_ns.empty()) return write_rows_at(until_ns, chunk);
    if (sampled_.empty()) return true;
    for (; next_sample_ns_ <= until_ns; next_sample_ns_ += query_.every_ns) {
        for (; next_sampled_ < sampled_.size(); ++next_sampled_) {
            if (chunk[0].rows() >= wanted_rows_) return false;
            const InstrumentId id = sampled_[next_sampled_];
            look(id, next_sample_ns_);
            push(next_sample_ns_, shown_[id.value - 1], levels_, chunk);
        }
        next_sampled_ = 0;
    }
    return true;
}

// Levels before the best price that the message touched are as they were, and so are those behind
// the deepest one, from where none moved up or down.
bool BookRows::update_touched(const order_flow::BuiltBook& built, Level* levels) const {
    const auto& touched = books_->touched();
    const auto key_of = [&](const Level& level) { return price_key(touched.side, level.price_e4); };
    Level* at = levels;
    Level* const end = levels + count_;
    while (at != end && at->price_e4 != 0 && key_of(*at) < touched.best) ++at;
    if (at == end) return false;
    bool is_changed = false;
    bool is_aligned = false;
    const auto update = [&](const DepthLevel& level) {
        const Level now = level_of(built, level);
        is_aligned = now.price_e4 == at->price_e4 && key_of(now) > touched.deepest;
        if (is_aligned) return false;
        is_changed |= now != *at;
        *at = now;
        return ++at != end;
    };
    const BookStore& store = books_->builder.store();
    if (at == levels)
        built.book.for_each_level(store, touched.side, update);
    else
        built.book.for_each_level_behind(store, touched.side,
                                         *built.scale.tick_of(Price{(at - 1)->price_e4}), update);
    if (is_aligned) return is_changed;
    for (; at != end && at->price_e4 != 0; ++at) {
        *at = {};
        is_changed = true;
    }
    return is_changed;
}

void BookRows::look(InstrumentId id, std::int64_t time_ns) {
    const bool is_known =
        time_ns >= context_->depth.book_from_ns && time_ns <= context_->depth.book_until_ns;
    std::ranges::fill(levels_, k_unknown);
    // Before its first orders a book is empty, or not recorded.
    if (!is_known || (!id && context_->depth.depth > 0)) return;
    for (const Side side : {Side::buy, Side::sell}) {
        Level* const into = side_of(levels_, side);
        std::fill_n(into, known_, Level{});
        if (!id) continue;  // it has no orders yet
        const order_flow::BuiltBook& built = books_->builder.book(id);
        if (context_->depth.depth == 0)
            look_at(built, side, into);
        else
            look_at_orders(built, side, into);
    }
}

BookRows::Level BookRows::level_of(const order_flow::BuiltBook& built, const DepthLevel& level) {
    return {.shares = static_cast<std::uint64_t>(level.quantity.value),
            .orders = level.orders,
            .price_e4 = static_cast<std::uint32_t>(built.scale.price_of(level.tick).value)};
}

void BookRows::look_at(const order_flow::BuiltBook& built, Side side, Level* into) const {
    const Level* const end = into + known_;
    built.book.for_each_level(books_->builder.store(), side, [&](const DepthLevel& level) {
        *into = level_of(built, level);
        return ++into != end;
    });
}

// Anonymous quantity has an unknown number of orders, and hides behind orders known in part.
void BookRows::look_at_orders(const order_flow::BuiltBook& built, Side side, Level* into) const {
    const BookStore& store = books_->builder.store();
    std::size_t levels = 0;
    built.book.for_each_order(store, side, [&](OrderIndex index) {
        const Order& order = store.order(index);
        const auto price_e4 = books_->price_e4(order);
        if (levels == 0 || into[levels - 1].price_e4 != price_e4) {
            if (levels == known_) return false;
            into[levels++].price_e4 = price_e4;
        }
        Level& level = into[levels - 1];
        level.shares += static_cast<std::uint64_t>(order.quantity.value);
        if (wire::itch::is_anonymous(order.id.value) || books_->parts.has(order.id.value))
            level.orders = k_unknown_orders;
        else if (level.orders != k_unknown_orders)
            ++level.orders;
        return true;
    });
}

void BookRows::push(std::int64_t time_ns, const Shown& shown, const Levels& levels, Chunk& chunk) {
    constexpr std::size_t k_most_bytes = 16U << 10U;  // half of a first-level cache
    context_->push_head(chunk, time_ns, shown.sequence, shown.locate);
    rows_.insert(rows_.end(), levels.begin(), levels.end());
    if (rows_.size() * sizeof(Level) >= k_most_bytes) flush(chunk);
}

void BookRows::flush(Chunk& chunk) {
    for (const std::size_t side : {0U, 1U})
        for (std::size_t i = 0; i < count_; ++i) {
            Column* const at = &chunk[k_head_columns + side + i * k_level_columns];
            push_level(side * count_ + i, at[0], at[2], at[4]);
        }
    rows_.clear();
}

void BookRows::push_level(std::size_t at, Column& price, Column& shares, Column& orders) const {
    const std::size_t first = price.rows();
    const std::size_t width = levels_.size();
    const std::size_t rows = rows_.size() / width;
    auto* const all_shares = shares.extend<std::uint64_t>(rows);
    auto* const all_orders = orders.extend<std::uint32_t>(rows);
    for (std::size_t row = 0; row < rows; ++row) {
        const Level& level = rows_[row * width + at];
        all_shares[row] = level.shares;
        all_orders[row] = level.orders;
        push_price(price, level.price_e4 == 0 ? std::nullopt : std::optional{level.price_e4});
        if (level.shares == k_unknown_shares) shares.make_null(first + row);
        if (level.orders == k_unknown_orders) orders.make_null(first + row);
    }
}

}  // namespace damrak::tables
