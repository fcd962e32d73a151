#include <damrak/recorded_market/recorded_messages.hpp>

#include <span>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include <damrak/base/byte_order.hpp>
#include <damrak/wire/itch/decode.hpp>
#include <damrak/wire/itch/view_mark.hpp>

namespace damrak::recorded_market {

namespace itch = wire::itch;

namespace {

archive::DayRange range_of(const Window& window) {
    archive::DayRange range{.until_ns = window.until_ns};
    if (window.only != 0) range.locate = window.only;
    if (window.from_ns > 0) range.from_ns = window.from_ns;
    return range;
}

}  // namespace

RecordedMessages::RecordedMessages(const archive::Day& day, const Window& window)
    : day_(&day), window_(window), cursor_(day, range_of(window)) {}

archive::Result<RecordedMessages> RecordedMessages::make(const archive::Day& day,
                                                         const Window& window) {
    RecordedMessages made{day, window};
    if (window.from_ns > 0)
        if (auto begun = made.begin_with_books(); !begun)
            return std::unexpected{std::move(begun.error())};
    return made;
}

// Adds the orders of a price by priority, so that they keep their queue.
archive::Result<void> RecordedMessages::begin_with_books() {
    for (const archive::Instrument& instrument : day_->instruments()) {
        if (window_.only != 0 && instrument.locate != window_.only) continue;
        const auto book = day_->orders_at(instrument.locate, window_.from_ns);
        if (!book) return std::unexpected{book.error()};
        const auto add = [&](const archive::BookOrder& order, Side side) {
            first_.push_back({.sequence = 0,
                              .locate = window_.only != 0 ? std::uint16_t{1} : instrument.locate,
                              .time_ns = window_.from_ns,
                              .message = itch::AddOrder{.stock_locate = instrument.locate,
                                                        .tracking_number = 0,
                                                        .timestamp_ns = window_.from_ns,
                                                        .order_ref = order.reference,
                                                        .side = side,
                                                        .shares = order.shares,
                                                        .stock = {},
                                                        .price_e4 = order.price_e4},
                              .made_by_view = has_view()});
        };
        for (const archive::BookOrder& order : book->bids) add(order, Side::buy);
        for (const archive::BookOrder& order : book->asks) add(order, Side::sell);
    }
    return {};
}

const Recorded* RecordedMessages::front() {
    if (!has_front_) has_front_ = next();
    return has_front_ ? &front_ : nullptr;
}

bool RecordedMessages::next() {
    if (!first_.empty()) {
        front_ = std::move(first_.front());
        first_.pop_front();
        return true;
    }
    for (;;) {
        if (at_ == frames_.size() && !read_block()) return false;
        const std::span<const std::byte> rest = std::span{frames_}.subspan(at_);
        const std::size_t length = load_be<std::uint16_t>(rest.data());
        const auto message = itch::decode_one(rest.subspan(sizeof(std::uint16_t), length));
        at_ += sizeof(std::uint16_t) + length;
        ++sequence_;
        if (!message) continue;  // of an unknown type: it changes no book
        front_.sequence = sequence_;
        front_.message = *message;
        std::visit(
            [this](const auto& one) {
                front_.locate = one.stock_locate;
                front_.time_ns = one.timestamp_ns;
                front_.made_by_view = has_view() && itch::is_made_by_view(one);
            },
            front_.message);
        if (window_.only != 0) {
            if (front_.locate != window_.only) continue;
            front_.locate = 1;
        }
        if (window_.from_ns > 0 && front_.time_ns <= window_.from_ns) continue;
        if (front_.time_ns <= window_.until_ns) return true;
        is_over_ = true;
        at_ = frames_.size();
        return false;
    }
}

bool RecordedMessages::read_block() {
    if (is_over_) return false;
    auto block = cursor_.next();
    if (!block || !*block) {
        completeness_ = block ? cursor_.at_end() : block.error().completeness();
        is_over_ = true;
        return false;
    }
    sequence_ = (*block)->first_message - 1;
    frames_ = std::move((*block)->frames);
    at_ = 0;
    return !frames_.empty();
}

}  // namespace damrak::recorded_market
