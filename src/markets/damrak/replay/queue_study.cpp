#include <damrak/replay/queue_study.hpp>

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <utility>
#include <variant>

#include <damrak/archive/day_search.hpp>
#include <damrak/order_flow/book_builder.hpp>
#include <damrak/order_flow/itch_flow.hpp>
#include <damrak/wire/itch/view_mark.hpp>

namespace damrak::replay {

namespace {

namespace itch = wire::itch;

class Study {
  public:
    Study(const QueueWindow& window, const itch::ViewMarks& marks)
        : window_(window), flow_{builder_, {.marks = marks}} {}

    void on(const itch::Message& message) {
        std::visit(
            [this](const auto& m) {
                if constexpr (requires { flow_.on(m); }) static_cast<void>(flow_.on(m));
                note(m);
            },
            message);
    }
    [[nodiscard]] std::vector<QueuedOrder> finish(std::int64_t until_ns) {
        for (const auto& [reference, open] : open_) end(open, until_ns, Outcome::open);
        return std::move(ended_);
    }

  private:
    struct Open {
        std::int64_t arrival_ns = 0;
        QueuedOrder order;
    };

    void note(const auto& /*other*/) {}
    void note(const itch::AddOrder& m) { arrive(m, m.order_ref); }
    void note(const itch::AddOrderAttributed& m) { arrive(m, m.order_ref); }
    void note(const itch::OrderExecuted& m) { execute(m); }
    void note(const itch::OrderExecutedWithPrice& m) { execute(m); }
    void note(const itch::OrderCancel& m) {
        if (flow_.marks().is_by_view(m)) return;  // it continues under its reference
        if (find(m.stock_locate, m.order_ref) == nullptr) leave(m, Outcome::cancelled);
    }
    void note(const itch::OrderDelete& m) {
        leave(m, flow_.marks().is_by_view(m) ? Outcome::open : Outcome::cancelled);
    }
    void note(const itch::OrderReplace& m) {
        leave(m, Outcome::cancelled);
        arrive(m, m.new_order_ref);
    }
    void execute(const auto& m) {
        if (window_.fill == FillEvent::first || find(m.stock_locate, m.order_ref) == nullptr)
            leave(m, Outcome::filled);
    }

    [[nodiscard]] const Order* find(std::uint16_t locate, std::uint64_t reference) const {
        const InstrumentId id = flow_.instrument(locate);
        return id ? builder_.find(id, OrderId{reference}) : nullptr;
    }
    void arrive(const auto& m, std::uint64_t reference) {
        if (m.timestamp_ns < window_.from_ns || flow_.marks().is_by_view(m)) return;
        const Order* const order = find(m.stock_locate, reference);
        if (order == nullptr) return;  // the message does not fit the book
        if (!knows_orders_ahead(*order)) return;
        const Level& level = builder_.store().level(order->level);
        Open open{.arrival_ns = m.timestamp_ns, .order = {}};
        open.order.orders_ahead = level.count - 1;
        open.order.quantity_ahead =
            static_cast<std::uint64_t>(level.total.value - order->quantity.value);
        open.order.placement = placement_of(*order);
        open_[reference] = open;
    }
    /// Anonymous quantity is of an unknown number of orders.
    [[nodiscard]] bool knows_orders_ahead(const Order& order) const {
        for (const Order* one = &order; one->previous != 0;) {
            one = &builder_.store().order(one->previous);
            if (itch::is_anonymous(one->id.value)) return false;
        }
        return true;
    }
    [[nodiscard]] Placement placement_of(const Order& order) const {
        bool is_best = false;
        builder_.book(order.instrument)
            .book.for_each_order(builder_.store(), order.terms().side(), [&](OrderIndex first) {
                is_best = builder_.store().order(first).level == order.level;
                return false;
            });
        if (!is_best) return Placement::behind;
        return builder_.store().level(order.level).count == 1 ? Placement::improves
                                                              : Placement::joins;
    }
    void leave(const auto& m, Outcome outcome) {
        const auto found = open_.find(m.order_ref);
        if (found == open_.end()) return;
        end(found->second, m.timestamp_ns, outcome);
        open_.erase(found);
    }
    void end(const Open& open, std::int64_t time_ns, Outcome outcome) {
        ended_.push_back(open.order);
        ended_.back().lifetime = {.duration_ns = time_ns - open.arrival_ns, .outcome = outcome};
    }

    QueueWindow window_;
    order_flow::BookBuilder<> builder_;
    order_flow::ItchFlow<order_flow::BookBuilder<>> flow_;
    std::unordered_map<std::uint64_t, Open> open_;
    std::vector<QueuedOrder> ended_;
};

}  // namespace

archive::Answer<std::vector<QueuedOrder>> study_queue(const archive::Day& day,
                                                      const QueueWindow& window) {
    Study study{window, day.marks()};
    auto completeness = archive::for_each_message(
        day, {.locate = window.locate, .until_ns = window.until_ns},
        [&](std::uint64_t /*sequence*/, const itch::Message& message) { study.on(message); });
    const std::int64_t end_ns =
        completeness.is_complete() ? day.last_time_ns() : completeness.known_until_ns;
    return {.value = study.finish(std::min(window.until_ns, end_ns)),
            .completeness = std::move(completeness)};
}

}  // namespace damrak::replay
