#include <damrak/what_if/detail/recorded_market.hpp>

#include <type_traits>
#include <variant>

namespace damrak::what_if {

namespace itch = wire::itch;

void RecordedMarket::apply(const recorded_market::Recorded& recorded) {
    ++count_;
    std::visit(
        [&](const auto& message) {
            using M = std::remove_cvref_t<decltype(message)>;
            if constexpr (requires { flow_.on(message); }) static_cast<void>(flow_.on(message));
            if constexpr (std::is_same_v<M, itch::OrderExecuted> ||
                          std::is_same_v<M, itch::OrderExecutedWithPrice> ||
                          std::is_same_v<M, itch::Trade>)
                ++trades_;
        },
        recorded.message);
}

void RecordedMarket::look() {
    const InstrumentId id = instrument();
    if (!id) return;
    const order_flow::BuiltBook& built = builder_.book(id);
    const DepthLevel bid = built.book.best(builder_.store(), Side::buy);
    const DepthLevel ask = built.book.best(builder_.store(), Side::sell);
    top_ = {.bid = built.scale.price_of(bid.tick),
            .ask = built.scale.price_of(ask.tick),
            .bid_quantity = bid.quantity,
            .ask_quantity = ask.quantity};
}

void RecordedMarket::advance(std::int64_t until_ns) {
    const auto* next = messages_.front();
    if (next == nullptr || next->time_ns > until_ns) return;
    for (; next != nullptr && next->time_ns <= until_ns; next = messages_.front()) {
        apply(*next);
        messages_.pop();
    }
    look();
}

bool RecordedMarket::find_first_quote() {
    for (const auto* next = messages_.front(); next != nullptr; next = messages_.front()) {
        apply(*next);
        messages_.pop();
        look();
        if (top_.has_both()) return true;
    }
    return false;
}

}  // namespace damrak::what_if
