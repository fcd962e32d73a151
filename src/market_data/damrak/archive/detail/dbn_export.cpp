#include <damrak/archive/detail/dbn_export.hpp>

#include <algorithm>
#include <utility>

namespace damrak::archive {

namespace dbn = wire::dbn;

namespace {

constexpr std::int64_t k_price_scale = 100'000;  ///< 1e-4 to 1e-9
constexpr std::size_t k_word_bytes = 4;
constexpr std::size_t k_levels = 10;

std::int64_t price_e9(std::uint32_t price_e4) {
    return static_cast<std::int64_t>(price_e4) * k_price_scale;
}

char letter(Side side) { return side == Side::buy ? 'B' : 'A'; }

}  // namespace

std::optional<DbnExport::Resting> DbnExport::find(std::uint16_t locate, std::uint64_t order) const {
    const InstrumentId id = flow_.instrument(locate);
    const Order* const found = id ? builder_.find(id, OrderId{order}) : nullptr;
    if (found == nullptr) return std::nullopt;
    return Resting{.side = found->terms().side(),
                   .price_e4 = static_cast<std::uint32_t>(builder_.price_of(*found).value),
                   .shares = static_cast<std::uint32_t>(found->quantity.value)};
}

void DbnExport::before(const wire::itch::OrderReplace& m) {
    const auto old = find(m.stock_locate, m.order_ref);
    if (!old) return;
    put_mbo('C', letter(old->side), m.order_ref, old->price_e4, old->shares, false);
    put_mbo('A', letter(old->side), m.new_order_ref, m.price_e4, m.shares, true);
    note('M', letter(old->side), m.price_e4, m.shares);
}

void DbnExport::before(const wire::itch::CrossTrade& m) {
    if (m.shares > 0 && m.shares <= UINT32_MAX)
        trade('N', m.cross_price_e4, static_cast<std::uint32_t>(m.shares), true);
}

void DbnExport::add(std::uint64_t order, Side side, std::uint32_t price_e4, std::uint32_t shares) {
    put_mbo('A', letter(side), order, price_e4, shares, true);
    note('A', letter(side), price_e4, shares);
}

void DbnExport::execute(std::uint16_t locate, std::uint64_t order, std::uint32_t shares,
                        std::optional<std::uint32_t> price, bool printable) {
    const auto resting = find(locate, order);
    if (!resting) return;
    const std::uint32_t traded_e4 = price.value_or(resting->price_e4);
    if (printable) trade(letter(opposite(resting->side)), traded_e4, shares, false);
    put_mbo('F', letter(resting->side), order, traded_e4, shares, false);
    put_mbo('C', letter(resting->side), order, resting->price_e4, std::min(shares, resting->shares),
            true);
    note('C', letter(resting->side), resting->price_e4, shares);
}

void DbnExport::reduce(std::uint16_t locate, std::uint64_t order, std::uint32_t shares) {
    const auto resting = find(locate, order);
    if (!resting) return;
    const std::uint32_t gone = std::min(shares, resting->shares);
    put_mbo('C', letter(resting->side), order, resting->price_e4, gone, true);
    note('C', letter(resting->side), resting->price_e4, gone);
}

// Uses the levels before the trade.
void DbnExport::trade(char aggressor, std::uint32_t price, std::uint32_t shares, bool is_last) {
    if (at_.is_broken) return;
    if (schema_ == dbn::Schema::mbo) return put_mbo('T', aggressor, 0, price, shares, is_last);
    dbn::LevelRecord record = level_record('T', aggressor, price, shares);
    if (is_last || schema_ == dbn::Schema::trades) record.flags = dbn::k_last;
    if (schema_ == dbn::Schema::trades) {
        record.header = header(dbn::LevelRecord::k_type, sizeof record);
        return writer_->write(record);
    }
    const Levels levels = levels_of(static_cast<std::uint16_t>(at_.instrument));
    if (schema_ == dbn::Schema::mbp_1)
        put_levels<1>(record, levels);
    else
        put_levels<k_levels>(record, levels);
}

void DbnExport::put_mbo(char action, char side, std::uint64_t order, std::uint32_t price,
                        std::uint32_t shares, bool is_last) {
    if (schema_ != dbn::Schema::mbo) return;
    dbn::MboRecord record;
    record.header = header(dbn::MboRecord::k_type, sizeof record);
    record.order = order;
    record.price_e9 = price_e9(price);
    record.size = shares;
    record.flags = is_last ? dbn::k_last : 0;
    record.action = action;
    record.side = side;
    record.received_ns = at_.time_ns;
    record.sequence = at_.sequence;
    writer_->write(record);
}

void DbnExport::note(char action, char side, std::uint32_t price, std::uint32_t shares) {
    change_ = level_record(action, side, price, shares);
    change_->flags = dbn::k_last;
}

void DbnExport::level_changed(std::uint16_t locate) {
    const auto change = std::exchange(change_, std::nullopt);
    const bool one = schema_ == dbn::Schema::mbp_1;
    if (!change || (!one && schema_ != dbn::Schema::mbp_10)) return;
    const Levels levels = levels_of(locate);
    Levels& shown = shown_[locate];
    if (std::equal(levels.begin(), levels.begin() + (one ? 1 : k_levels), shown.begin())) return;
    dbn::LevelRecord record = *change;
    // The number of better levels on its side.
    for (const dbn::LevelPair& level : levels) {
        const std::int64_t price = record.side == 'B' ? level.bid_e9 : level.ask_e9;
        const bool is_better =
            price != dbn::k_no_price &&
            (record.side == 'B' ? price > record.price_e9 : price < record.price_e9);
        if (!is_better) break;
        ++record.depth;
    }
    shown = levels;
    if (one)
        put_levels<1>(record, levels);
    else
        put_levels<k_levels>(record, levels);
}

DbnExport::Levels DbnExport::levels_of(std::uint16_t locate) const {
    Levels levels{};
    const InstrumentId id = flow_.instrument(locate);
    if (!id || id.value > builder_.instruments()) return levels;
    const order_flow::BuiltBook& built = builder_.book(id);
    for (const Side side : {Side::buy, Side::sell}) {
        std::size_t i = 0;
        built.book.for_each_level(builder_.store(), side, [&](const DepthLevel& level) {
            const auto price =
                price_e9(static_cast<std::uint32_t>(built.scale.price_of(level.tick).value));
            const auto size = static_cast<std::uint32_t>(
                std::min<std::int64_t>(level.quantity.value, UINT32_MAX));
            dbn::LevelPair& pair = levels[i];
            (side == Side::buy ? pair.bid_e9 : pair.ask_e9) = price;
            (side == Side::buy ? pair.bid_size : pair.ask_size) = size;
            (side == Side::buy ? pair.bid_orders : pair.ask_orders) = level.orders;
            return ++i < k_levels;
        });
    }
    return levels;
}

template <std::size_t depth>
void DbnExport::put_levels(const dbn::LevelRecord& change, const Levels& levels) {
    dbn::MbpRecord<depth> record;
    record.change = change;
    record.change.header = header(dbn::MbpRecord<depth>::k_type, sizeof record);
    std::copy_n(levels.begin(), depth, record.levels.begin());
    writer_->write(record);
}

dbn::LevelRecord DbnExport::level_record(char action, char side, std::uint32_t price,
                                         std::uint32_t shares) const {
    dbn::LevelRecord record;
    record.price_e9 = price_e9(price);
    record.size = shares;
    record.action = action;
    record.side = side;
    record.received_ns = at_.time_ns;
    record.sequence = at_.sequence;
    return record;
}

dbn::RecordHeader DbnExport::header(std::uint8_t type, std::size_t bytes) const {
    return {.words = static_cast<std::uint8_t>(bytes / k_word_bytes),
            .type = type,
            .publisher = 0,
            .instrument = at_.instrument,
            .event_ns = at_.time_ns};
}

}  // namespace damrak::archive
