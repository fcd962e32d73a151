#include <damrak/client/detail/fix_books.hpp>

#include <algorithm>
#include <ctime>

#include <fmt/format.h>

#include <damrak/client/detail/cents.hpp>
#include <damrak/fix_codec/tags.hpp>

namespace damrak::client {

namespace tag = fix_codec::tag;

namespace {

constexpr int k_price_digits = 6;
constexpr std::int64_t k_cent = 10'000;
constexpr char k_new = '0';
constexpr char k_delete = '2';
constexpr std::size_t k_longest_tape = 500;

// Local time, as on the screen; the message has UTC.
std::string clock_text(const fix_codec::Group& entry) {
    const std::string text = fmt::format("{} {}", entry.text_or_empty(tag::md_entry_date),
                                         entry.text_or_empty(tag::md_entry_time));
    std::tm moment{};
    if (::strptime(text.c_str(), "%Y%m%d %H:%M:%S", &moment) == nullptr) return {};
    const std::time_t seconds = ::timegm(&moment);
    ::localtime_r(&seconds, &moment);
    return fmt::format("{:02}:{:02}:{:02}", moment.tm_hour, moment.tm_min, moment.tm_sec);
}

// The id of a request is the number of its instrument; zero: not one of our requests.
InstrumentId instrument_in(const fix_codec::Message& message) {
    const auto id = message.integer(tag::md_req_id);
    if (!id || *id < 1 || *id > UINT32_MAX) return {};
    return InstrumentId{static_cast<std::uint32_t>(*id)};
}

}  // namespace

void FixBooks::put_request(fix_codec::MessageWriter& writer, InstrumentId instrument) const {
    writer.put(tag::md_req_id, instrument.value);
    writer.put_char(tag::subscription_request_type, '1').put(tag::market_depth, 0);
    writer.put_char(tag::md_update_type, '1').put_char(tag::aggregated_book, 'Y');
    writer.put(tag::no_md_entry_types, 3);
    writer.put_char(tag::md_entry_type, '0').put_char(tag::md_entry_type, '1');
    writer.put_char(tag::md_entry_type, '2');
    writer.put(tag::no_related_sym, 1).put(tag::symbol, symbols_.name(instrument));
}

void FixBooks::forget() {
    for (auto& [id, kept] : books_) kept = {};
}

FixBooks::Kept* FixBooks::find(const Message& message) {
    const auto found = books_.find(instrument_in(message));
    return found == books_.end() ? nullptr : &found->second;
}

void FixBooks::on_snapshot(const Message& message, const fix_codec::Dictionary& dictionary) {
    Kept* const kept = find(message);
    const auto* const layout = dictionary.group("W", tag::no_md_entries);
    if (kept == nullptr || layout == nullptr) return;
    for (const fix_codec::Group& entry : message.groups(*layout))
        trade(instrument_in(message), *kept, entry);
    kept->sides = {};
    for (const fix_codec::Group& entry : message.groups(*layout)) set(*kept, entry, k_new);
    kept->book.valid = true;
    show(*kept);
}

void FixBooks::on_changes(const Message& message, const fix_codec::Dictionary& dictionary) {
    Kept* const kept = find(message);
    const auto* const layout = dictionary.group("X", tag::no_md_entries);
    if (kept == nullptr || layout == nullptr || !kept->book.valid) return;
    for (const fix_codec::Group& entry : message.groups(*layout))
        trade(instrument_in(message), *kept, entry);
    for (const fix_codec::Group& entry : message.groups(*layout))
        set(*kept, entry, entry.character(tag::md_update_action).value_or('\0'));
    show(*kept);
}

void FixBooks::on_refusal(const Message& message) {
    for (auto& [id, kept] : books_)
        if (!message.has(tag::md_req_id) || find(message) == &kept)
            kept.refusal = message.text_or_empty(tag::text);
}

void FixBooks::set(Kept& kept, const fix_codec::Group& entry, char action) {
    const char type = entry.character(tag::md_entry_type).value_or('\0');
    const auto price = entry.decimal(tag::md_entry_px, k_price_digits);
    if ((type != '0' && type != '1') || !price) return;
    const bool bid = type == '0';
    Quantities& side = kept.sides.at(bid ? 0 : 1);
    const std::int64_t key = bid ? -*price : *price;
    if (action == k_delete) {
        side.erase(key);
        return;
    }
    const auto quantity = entry.decimal(tag::md_entry_size, 0);
    const bool known = side.contains(key);
    if (!quantity || *quantity < 1 || (!known && side.size() == L2Receiver::k_maximum_levels))
        return;
    side[key] = static_cast<std::uint64_t>(*quantity);
}

std::optional<Side> FixBooks::taker(const Kept& kept, std::int64_t price) {
    const Quantities& bids = kept.sides[0];
    const Quantities& asks = kept.sides[1];
    if (!asks.empty() && price >= asks.begin()->first) return Side::buy;
    if (!bids.empty() && price <= -bids.begin()->first) return Side::sell;
    return std::nullopt;
}

void FixBooks::trade(InstrumentId instrument, const Kept& kept, const fix_codec::Group& entry) {
    const auto price = entry.decimal(tag::md_entry_px, k_price_digits);
    const auto quantity = entry.decimal(tag::md_entry_size, 0);
    if (entry.character(tag::md_entry_type).value_or('\0') != '2' || !price || !quantity ||
        *quantity < 1)
        return;
    tape_.push_back({.time = clock_text(entry),
                     .instrument = instrument,
                     .price_e2 = detail::nearest_cents(*price, k_cent),
                     .quantity = static_cast<std::uint64_t>(*quantity),
                     .taker = taker(kept, *price)});
    if (tape_.size() > k_longest_tape) tape_.pop_front();
}

/// Rounds to the cent for display: bids down and offers up, so that no price looks better than it
/// is.
void FixBooks::show(Kept& kept) {
    for (std::size_t i = 0; i < kept.sides.size(); ++i) {
        L2Receiver::Levels& levels = kept.book.sides.at(i);
        levels.clear();
        for (const auto& [key, quantity] : kept.sides.at(i)) {
            // Keys of bids are their prices with the other sign.
            const std::int64_t up = key / k_cent + (key % k_cent > 0 ? 1 : 0);
            const std::int64_t price_e2 = i == 0 ? -up : up;
            if (!levels.empty() && levels.back().price_e2 == price_e2)
                levels.back().quantity += quantity;
            else
                levels.push_back({.price_e2 = price_e2, .quantity = quantity});
        }
    }
}

const FixBooks::Book* FixBooks::book(InstrumentId id) const {
    const auto found = books_.find(id);
    return found == books_.end() ? nullptr : &found->second.book;
}

std::string FixBooks::why_not(InstrumentId id) const {
    const auto found = books_.find(id);
    return found == books_.end() ? "the exchange did not list this instrument"
                                 : found->second.refusal;
}

}  // namespace damrak::client
