#include <damrak/tables/detail/book_rows.hpp>

#include <algorithm>
#include <utility>

namespace damrak::tables {

namespace {

constexpr std::size_t k_head_columns = 3;
constexpr std::size_t k_level_columns = 6;

}  // namespace

BookRows::BookRows(const Context& context, const Books& books, const TableQuery& query)
    : context_(&context),
      books_(&books),
      query_(query),
      count_(query.table == Table::bbo ? 1 : query.levels),
      known_(context.depth.depth == 0 ? count_
                                      : std::min<std::size_t>(count_, context.depth.depth)),
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
    push(shown.time_ns, shown, chunk);
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
        push(times[next_at_], id ? shown_of(id, locate) : none, chunk);
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
            push(next_sample_ns_, shown_[id.value - 1], chunk);
        }
        next_sampled_ = 0;
    }
    return true;
}

void BookRows::look(InstrumentId id, std::int64_t time_ns) {
    const bool is_known =
        time_ns >= context_->depth.book_from_ns && time_ns <= context_->depth.book_until_ns;
    std::ranges::fill(levels_, Level{});
    // Before its first orders a book is empty, or not recorded.
    if (!is_known || (!id && context_->depth.depth > 0)) return;
    for (const Side side : {Side::buy, Side::sell}) {
        Level* const into = levels_.data() + (side == Side::buy ? 0 : count_);
        for (std::size_t i = 0; i < known_; ++i) into[i].is_known = into[i].has_orders = true;
        if (!id) continue;  // it has no orders yet
        const order_flow::BuiltBook& built = books_->builder.book(id);
        if (context_->depth.depth == 0)
            look_at(built, side, into);
        else
            look_at_orders(built, side, into);
    }
}

void BookRows::look_at(const order_flow::BuiltBook& built, Side side, Level* into) const {
    const Level* const end = into + known_;
    built.book.for_each_level(books_->builder.store(), side, [&](const DepthLevel& level) {
        into->price_e4 = static_cast<std::uint32_t>(built.scale.price_of(level.tick).value);
        into->shares = static_cast<std::uint64_t>(level.quantity.value);
        into->orders = level.orders;
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
        ++level.orders;
        if (wire::itch::is_anonymous(order.id.value) || books_->parts.has(order.id.value))
            level.has_orders = false;
        return true;
    });
}

void BookRows::push(std::int64_t time_ns, const Shown& shown, Chunk& chunk) const {
    context_->push_head(chunk, time_ns, shown.sequence, shown.locate);
    for (const std::size_t side : {0U, 1U}) {
        const Level* level = &levels_[side * count_];
        for (Column* at = &chunk[k_head_columns + side]; level != &levels_[side * count_] + count_;
             ++level, at += k_level_columns) {
            if (level->price_e4 != 0)
                push_price(at[0], level->price_e4);
            else
                at[0].push_null();
            if (level->is_known)
                at[2].push(level->shares);
            else
                at[2].push_null();
            if (level->has_orders)
                at[4].push(level->orders);
            else
                at[4].push_null();
        }
    }
}

}  // namespace damrak::tables
