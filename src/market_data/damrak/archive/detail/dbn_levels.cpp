#include <damrak/archive/detail/dbn_levels.hpp>

#include <algorithm>
#include <utility>
#include <variant>

namespace damrak::archive {

namespace itch = wire::itch;
using wire::dbn::LevelPair;

namespace {

/// Of the order that a trade was made with; empty: not known.
std::optional<Side> resting_side(char aggressor) {
    if (aggressor == 'B') return Side::sell;
    return aggressor == 'A' ? std::optional{Side::buy} : std::nullopt;
}

std::uint64_t time_of(const wire::dbn::LevelRecord& record) {
    const bool is_venues = record.header.event_ns != wire::dbn::k_no_time &&
                           (record.flags & wire::dbn::k_snapshot) == 0;
    return is_venues ? record.header.event_ns : record.received_ns;
}

bool is_crossed(const std::vector<lobster::BookLevel>& row) {
    const lobster::BookLevel& best = row.front();
    return best.bid_size > 0 && best.ask_size > 0 && best.bid_price_e4 > best.ask_price_e4;
}

}  // namespace

// A new day begins with the books as the one before left them.
DbnLevels::Result DbnLevels::move_to(std::uint64_t time_ns) {
    return days_->move_to(time_ns, [this] {
        for (auto& [number, before] : books_) {
            const DbnInstrument* const of = days_->instrument(number);
            before.book = convert::VisibleBook{of->stock, of->locate};
            show(before);
        }
    });
}

DbnLevels::Result DbnLevels::on_change(const wire::dbn::LevelRecord& change,
                                       std::span<const LevelPair> levels) {
    if (auto moved = move_to(time_of(change)); !moved) return moved;
    const DbnInstrument* const of = days_->instrument(change.header.instrument);
    if (of == nullptr) return {};
    if (change.action == 'T' && change.size > 0) {
        const auto price = days_->price(change.price_e9);
        if (!price) return {};
        if (const auto resting = resting_side(change.side))
            days_->trade_displayed(*of, *resting, *price, change.size);
        else
            days_->trade_hidden(*of, resting, *price, change.size);
    }
    show(change.header.instrument, levels);
    return {};
}

DbnLevels::Result DbnLevels::on_instant(const wire::dbn::BboRecord& record) {
    if (auto moved = move_to(record.change.received_ns); !moved) return moved;
    show(record.change.header.instrument, record.levels);
    return {};
}

DbnLevels::Result DbnLevels::on_trade(const wire::dbn::LevelRecord& trade) {
    if (trade.action != 'T' || trade.size == 0) {
        days_->drop("records that are no trades");
        return {};
    }
    if (auto moved = move_to(time_of(trade)); !moved) return moved;
    const DbnInstrument* const of = days_->instrument(trade.header.instrument);
    if (of == nullptr) return {};
    if (const auto price = days_->price(trade.price_e9))
        days_->trade_hidden(*of, resting_side(trade.side), *price, trade.size);
    return {};
}

std::optional<std::vector<lobster::BookLevel>> DbnLevels::row_of(
    std::span<const LevelPair> levels) {
    std::vector<lobster::BookLevel> row;
    row.reserve(levels.size());
    const auto fill = [&](std::int64_t price_e9, std::uint32_t shares, std::int64_t& price_e4,
                          std::int64_t& size) {
        if (shares == 0 || price_e9 == wire::dbn::k_no_price) return true;
        const auto price = days_->price(price_e9);
        if (!price) return false;
        price_e4 = *price;
        size = shares;
        return true;
    };
    for (const LevelPair& level : levels) {
        lobster::BookLevel& to = row.emplace_back();
        if (!fill(level.bid_e9, level.bid_size, to.bid_price_e4, to.bid_size) ||
            !fill(level.ask_e9, level.ask_size, to.ask_price_e4, to.ask_size))
            return std::nullopt;
    }
    return row;
}

void DbnLevels::show(std::uint32_t number, std::span<const LevelPair> levels) {
    const DbnInstrument* const of = days_->instrument(number);
    auto row = of == nullptr ? std::nullopt : row_of(levels);
    if (!row) return;
    if (is_crossed(*row)) days_->note_crossed();
    Instrument& instrument =
        books_.try_emplace(number, convert::VisibleBook{of->stock, of->locate}).first->second;
    instrument.row = *std::move(row);
    show(instrument);
}

void DbnLevels::show(Instrument& instrument) {
    instrument.book.show(days_->now_ns(), instrument.row, [this](const itch::Message& message) {
        std::visit([this](const auto& one) { days_->add(one); }, message);
    });
}

}  // namespace damrak::archive
