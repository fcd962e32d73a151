#include <damrak/gateway/fix/detail/quotes.hpp>

#include <algorithm>

#include <damrak/fix_codec/tags.hpp>
#include <damrak/fix_codec/values.hpp>

namespace damrak::gateway::fix::detail {

namespace {

using fix_codec::Message;
namespace tag = fix_codec::tag;

// QuoteRejectReason and QuoteEntryRejectReason.
struct QuoteCode {
    static constexpr int k_unknown_symbol = 1;
    static constexpr int k_exchange_closed = 2;
    static constexpr int k_exceeds_limit = 3;
    static constexpr int k_unknown_quote = 5;
    static constexpr int k_invalid_spread = 7;
    static constexpr int k_invalid_price = 8;
    static constexpr int k_not_authorized = 9;
    static constexpr int k_other = 99;
};

// The fields of one entry as they were sent.
struct RawEntry {
    std::string_view symbol;
    std::string_view security;
    std::string_view source;
    std::string_view bid;
    std::string_view offer;
    std::string_view bid_size;
    std::string_view offer_size;

    void take(fix_codec::Tag field, std::string_view value) {
        switch (field) {
            case tag::symbol:
                symbol = value;
                break;
            case tag::security_id:
                security = value;
                break;
            case tag::security_id_source:
                source = value;
                break;
            case tag::bid_px:
                bid = value;
                break;
            case tag::offer_px:
                offer = value;
                break;
            case tag::bid_size:
                bid_size = value;
                break;
            case tag::offer_size:
                offer_size = value;
                break;
            default:
                break;
        }
    }
};

const InstrumentDefinition* instrument_of(const FixInstruments& instruments,
                                          const RawEntry& entry) {
    const bool has_symbol = !entry.symbol.empty() && entry.symbol != "[N/A]";
    if (entry.security.empty()) return instruments.by_symbol(entry.symbol);
    const InstrumentDefinition* const found = entry.source == "4"
                                                  ? instruments.by_isin(entry.security)
                                                  : instruments.by_symbol(entry.security);
    return has_symbol && found != instruments.by_symbol(entry.symbol) ? nullptr : found;
}

struct RawSide {
    std::string_view price_name;
    std::string_view price;
    std::string_view size_name;
    std::string_view size;
    fix_codec::Tag size_tag;
};

// A side without a price does not exist.
Asked<void> read_side_of(const RawSide& side, unsigned decimals, Price& wanted,
                         Quantity& quantity) {
    if (side.price.empty()) return {};
    const auto price = fix_codec::parse_decimal(side.price, static_cast<int>(decimals));
    if (!price && price.error() == fix_codec::ValueError::out_of_range)
        return refuse_value(QuoteCode::k_invalid_price, "{} {}: it is out of range",
                            side.price_name, side.price);
    if (!price)
        return refuse_value(QuoteCode::k_invalid_price, "{} {}: a price has at most {} decimals",
                            side.price_name, side.price, decimals);
    if (side.size.empty())
        return refuse_value(QuoteCode::k_other, "{} ({}) is missing", side.size_name,
                            side.size_tag);
    const auto size = parse_quantity(side.size, side.size_name);
    if (!size) return refuse_value(QuoteCode::k_other, "{}", size.error().text.view());
    wanted = Price{*price};
    quantity = *size;
    return {};
}

void finish(const Message& message, const RawEntry& raw, const FixInstruments& instruments,
            QuoteRun& run, Command& command) {
    const std::size_t number = run.count - 1;
    const InstrumentDefinition* const instrument = instrument_of(instruments, raw);
    if (instrument == nullptr)
        return run.refuse(number, QuoteCode::k_unknown_symbol,
                          FixText{"Symbol {}: no such instrument", raw.symbol});
    command = {};
    command.kind = CommandKind::quote;
    command.instrument = instrument->id;
    command.client_order_id = {number + 1};
    command.quote = QuoteDetails{};
    const unsigned decimals = instrument->price_decimals;
    const auto size_or = [&](std::string_view size, fix_codec::Tag usual) {
        return size.empty() ? message.text_or_empty(usual) : size;
    };
    const RawSide bid{"BidPx", raw.bid, "BidSize", size_or(raw.bid_size, tag::def_bid_size),
                      tag::bid_size};
    const RawSide offer{"OfferPx", raw.offer, "OfferSize",
                        size_or(raw.offer_size, tag::def_offer_size), tag::offer_size};
    auto read = read_side_of(bid, decimals, command.price, command.quantity);
    if (read)
        read = read_side_of(offer, decimals, command.quote.ask_price, command.quote.ask_quantity);
    if (!read)
        run.refuse(
            number, read.error().code,
            FixText{"entry {}: {}", run.entries[number].id.view(), read.error().text.view()});
}

// Calls `end()` behind each entry, which begins with a field of this tag.
template <class End>
Asked<void> for_each_entry(const Message& message, fix_codec::Tag begins, QuoteRun& run,
                           End&& end) {
    RawEntry raw;
    ShortName set;
    run = {};
    for (const fix_codec::Field& field : message.fields()) {
        const std::string_view value = message.value(field);
        const bool is_name = field.tag == tag::quote_set_id || field.tag == tag::quote_entry_id;
        if (is_name && value.size() > ShortName::k_length)
            return refuse_value(QuoteCode::k_other,
                                "QuoteSetID and QuoteEntryID have at most {} characters",
                                ShortName::k_length);
        if (field.tag == begins || field.tag == tag::quote_set_id) {
            if (run.count > 0 && field.tag == begins) end(raw);
            if (field.tag == tag::quote_set_id) {
                set = ShortName::of(value);
                continue;
            }
            if (run.count == QuoteRun::k_most)
                return refuse_value(QuoteCode::k_exceeds_limit, "a message has at most {} quotes",
                                    QuoteRun::k_most);
            raw = {};
            run.entries[run.count++] = {
                .set = set,
                .id = begins == tag::quote_entry_id ? ShortName::of(value) : ShortName{}};
        }
        raw.take(field.tag, value);
    }
    if (run.count == 0) return refuse_value(QuoteCode::k_other, "there are no entries");
    end(raw);
    return {};
}

}  // namespace

void QuoteRun::refuse(std::size_t entry, int code, const FixText& why) {
    if (entry < count) entries[entry].refused = code;
    ++refused;
    text = why;
}

Asked<void> read_quotes(const Message& message, const FixInstruments& instruments, QuoteRun& run,
                        std::span<Command, QuoteRun::k_most> commands) {
    const std::string_view type = message.text_or_empty(tag::quote_type);
    if (!type.empty() && type != "1")
        return refuse_value(QuoteCode::k_other, "QuoteType {}: here 1 is (tradeable)", type);
    return for_each_entry(message, tag::quote_entry_id, run, [&](const RawEntry& raw) {
        finish(message, raw, instruments, run, commands[run.count - 1]);
    });
}

Asked<void> read_quote_symbols(const Message& message, const FixInstruments& instruments,
                               QuoteRun& run, std::span<Command, QuoteRun::k_most> commands) {
    return for_each_entry(message, tag::symbol, run, [&](const RawEntry& raw) {
        finish(message, raw, instruments, run, commands[run.count - 1]);
    });
}

int quote_reject_reason(Reason reason) {
    switch (reason) {
        case Reason::unknown_instrument:
            return QuoteCode::k_unknown_symbol;
        case Reason::instrument_halted:
        case Reason::not_in_phase:
            return QuoteCode::k_exchange_closed;
        case Reason::limit_order_quantity:
        case Reason::limit_order_notional:
        case Reason::limit_open_orders:
        case Reason::limit_open_notional:
        case Reason::limit_position:
            return QuoteCode::k_exceeds_limit;
        case Reason::unknown_order:
            return QuoteCode::k_unknown_quote;
        case Reason::invalid_quote:
            return QuoteCode::k_invalid_spread;
        case Reason::invalid_price:
        case Reason::price_off_tick:
        case Reason::price_too_large:
        case Reason::price_too_low:
        case Reason::price_through_limit:
        case Reason::outside_price_band:
            return QuoteCode::k_invalid_price;
        case Reason::participant_blocked:
            return QuoteCode::k_not_authorized;
        default:
            return QuoteCode::k_other;
    }
}

void put_quote_answer(fix_codec::MessageWriter& writer, fix_codec::ApplVersion version,
                      const QuoteAnswer& answer) {
    // FIX.4.2 has no other, and of an entry no version has.
    const auto code_of = [](int code, bool has_other) {
        return code == QuoteCode::k_other && !has_other ? QuoteCode::k_not_authorized : code;
    };
    const bool has_other = version > fix_codec::ApplVersion::fix42;
    writer.put(tag::quote_id, answer.quote);
    writer.put_char(tag::quote_ack_status, answer.status);
    if (answer.status == QuoteAnswer::k_rejected)
        writer.put(tag::quote_reject_reason, code_of(answer.reject_reason, has_other));
    if (!answer.text.empty()) writer.put(tag::text, answer.text);
    if (answer.run == nullptr) return;
    const auto entries = answer.run->all();
    const auto is_refused = [](const QuoteRun::Entry& entry) { return entry.refused != 0; };
    const auto same_set = [](const QuoteRun::Entry& a, const QuoteRun::Entry& b) {
        return a.set == b.set;
    };
    // Calls `f` for each run of entries of one set of which some are refused.
    const auto for_each_set = [&](auto&& f) {
        for (auto begin = entries.begin(); begin != entries.end();) {
            const auto end = std::find_if_not(
                begin, entries.end(), [&](const auto& each) { return same_set(*begin, each); });
            if (const auto refused = std::count_if(begin, end, is_refused); refused > 0)
                f(std::span{begin, end}, refused);
            begin = end;
        }
    };
    std::int64_t sets = 0;
    for_each_set([&](auto&&, auto&&) { ++sets; });
    if (sets == 0) return;
    writer.put(tag::no_quote_sets, sets);
    for_each_set([&](std::span<const QuoteRun::Entry> set, std::int64_t refused) {
        writer.put(tag::quote_set_id, set.front().set.view());
        writer.put(tag::tot_quote_entries, static_cast<std::int64_t>(set.size()));
        writer.put(tag::no_quote_entries, refused);
        for (const QuoteRun::Entry& entry : set) {
            if (!is_refused(entry)) continue;
            writer.put(tag::quote_entry_id, entry.id.view());
            writer.put(tag::quote_entry_reject_reason, code_of(entry.refused, false));
        }
    });
}

}  // namespace damrak::gateway::fix::detail
