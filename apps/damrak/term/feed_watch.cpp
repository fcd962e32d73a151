#include "term/feed_watch.hpp"

#include <cstdint>

#include <fmt/format.h>

#include <damrak/wire/binary/messages.hpp>

namespace damrak::app {

namespace {

/// Prices of the terminal are in cents: levels within one are one.
client::L2Receiver::Levels levels_in_cents(const client::FeedBooks& books,
                                           const client::FeedInstrument& of, Side side) {
    client::L2Receiver::Levels levels;
    for (const client::BookLevel& level : books.levels(of, side)) {
        const std::int64_t price_e2 = level.price.value / wire::binary::k_price_units;
        const auto quantity = static_cast<std::uint64_t>(level.quantity.value);
        if (!levels.empty() && levels.back().price_e2 == price_e2) {
            levels.back().quantity += quantity;
        } else {
            levels.push_back({price_e2, quantity});
        }
    }
    return levels;
}

}  // namespace

void FeedWatch::turn(client::TermModel& model) {
    receiver_.poll(0);
    model.feed_state = receiver_.is_live() ? client::TermFeed::live : client::TermFeed::silent;
    if (trouble_ != receiver_.trouble()) {
        trouble_ = receiver_.trouble();
        if (!trouble_.empty())
            model.say(fmt::format("no market data: {}", trouble_), client::TermLine::Tone::bad);
    }
    if (!books_.is_whole()) return;
    if (session_ != books_.session() || shown_.size() != books_.instruments().size())
        find_instruments();
    for (Shown& shown : shown_) {
        const auto& of = *books_.find(static_cast<std::uint16_t>(shown.id.value));
        if (shown.changes == of.changes) continue;
        shown.changes = of.changes;
        model.set_book(shown.id, {.sides = {levels_in_cents(books_, of, Side::buy),
                                            levels_in_cents(books_, of, Side::sell)},
                                  .valid = true});
        model.set_state(shown.id, client::state_text(of));
    }
}

void FeedWatch::find_instruments() {
    constexpr std::uint64_t k_never = UINT64_MAX;
    session_ = books_.session();
    shown_.clear();
    for (std::uint32_t locate = 1; locate < 1U << 16U; ++locate)
        if (books_.find(static_cast<std::uint16_t>(locate)) != nullptr)
            shown_.push_back({{locate}, k_never});
}

}  // namespace damrak::app
