#include <damrak/gateway/fix/detail/market_request.hpp>

#include <limits>
#include <utility>

#include <damrak/fix_codec/tags.hpp>

namespace damrak::gateway::fix::detail {

namespace {

using fix_codec::Message;
using fix_codec::ValueError;
namespace tag = fix_codec::tag;

template <class... Arguments>
std::unexpected<MarketRefusal> refuse(char reason, fmt::format_string<Arguments...> format,
                                      Arguments&&... arguments) {
    return std::unexpected{MarketRefusal{
        .reason = reason, .text = FixText{format, std::forward<Arguments>(arguments)...}}};
}

std::expected<void, MarketRefusal> read_book(const Message& message, MarketTerms& terms) {
    const auto depth = message.integer(tag::market_depth);
    const bool absent = !depth && depth.error() == ValueError::absent;
    if (!absent && (!depth || *depth < 0 || *depth > std::numeric_limits<std::int32_t>::max()))
        return refuse(MarketRefusal::k_depth,
                      "MarketDepth {}: 0 is the whole book, 1 its top, n the best n prices",
                      message.text_or_empty(tag::market_depth));
    terms.depth = absent ? 0 : static_cast<std::uint32_t>(*depth);
    const std::string_view update = message.text_or_empty(tag::md_update_type);
    if (!update.empty() && update != "0" && update != "1")
        return refuse(MarketRefusal::k_update_type,
                      "MDUpdateType {}: here 0 and 1 are (full, incremental)", update);
    terms.incremental = update == "1";
    if (message.text_or_empty(tag::aggregated_book) == "N")
        return refuse(MarketRefusal::k_aggregated_book,
                      "AggregatedBook N: here there is one entry for each price");
    return {};
}

std::expected<void, MarketRefusal> read_entry_types(const Message& message,
                                                    const fix_codec::Dictionary& dictionary,
                                                    MarketTerms& terms) {
    const auto* const layout = dictionary.group("V", tag::no_md_entry_types);
    if (layout != nullptr)
        for (const fix_codec::Group entry : message.groups(*layout)) {
            const std::string_view type = entry.text_or_empty(tag::md_entry_type);
            terms.bids |= type == "0";
            terms.offers |= type == "1";
            terms.trades |= type == "2";
            if (type != "0" && type != "1" && type != "2")
                return refuse(MarketRefusal::k_entry_type,
                              "MDEntryType {}: here 0, 1 and 2 are (bid, offer, trade)", type);
        }
    if (terms.bids || terms.offers || terms.trades) return {};
    return refuse(MarketRefusal::k_entry_type, "NoMDEntryTypes (267): at least one is wanted");
}

/// By Symbol, SecurityID (ISIN or symbol), or both where both name the same; null if by none.
const InstrumentDefinition* named_by(const fix_codec::Group& entry, const FindInstrument& find) {
    const std::string_view symbol = entry.text_or_empty(tag::symbol);
    const bool has_symbol = !symbol.empty() && symbol != "[N/A]";
    const auto id = entry.text(tag::security_id);
    const InstrumentDefinition* const by_symbol = has_symbol ? find(symbol) : nullptr;
    if (!id) return by_symbol;
    const std::string_view source = entry.text_or_empty(tag::security_id_source);
    const bool is_known_source = source == "4" || source == "8";
    const InstrumentDefinition* const by_id = is_known_source ? find(*id) : nullptr;
    return has_symbol && by_id != by_symbol ? nullptr : by_id;
}

}  // namespace

std::expected<MarketTerms::Kind, MarketRefusal> read_kind(const Message& message) {
    using Kind = MarketTerms::Kind;
    const std::string_view text = message.text_or_empty(tag::subscription_request_type);
    if (text == "0") return Kind::snapshot;
    if (text == "1") return Kind::subscribe;
    if (text == "2") return Kind::unsubscribe;
    return refuse(MarketRefusal::k_subscription_type,
                  "SubscriptionRequestType {}: here 0, 1 and 2 are (snapshot, snapshot and "
                  "updates, no more of it)",
                  text);
}

std::expected<MarketRequest, MarketRefusal> read_market_request(
    const Message& message, const fix_codec::Dictionary& dictionary, const FindInstrument& find) {
    MarketRequest request;
    MarketTerms& terms = request.terms;
    terms.id = message.text_or_empty(tag::md_req_id);
    const auto kind = read_kind(message);
    if (!kind) return std::unexpected{kind.error()};
    terms.kind = *kind;
    // It goes by its id alone.
    if (terms.kind == MarketTerms::Kind::unsubscribe) return request;
    if (const auto book = read_book(message, terms); !book) return std::unexpected{book.error()};
    if (const auto types = read_entry_types(message, dictionary, terms); !types)
        return std::unexpected{types.error()};
    std::vector<bool> named;  // by instrument
    if (const auto* const layout = dictionary.group("V", tag::no_related_sym))
        for (const fix_codec::Group entry : message.groups(*layout)) {
            const InstrumentDefinition* const instrument = named_by(entry, find);
            if (instrument == nullptr)
                return refuse(MarketRefusal::k_unknown_symbol, "Symbol {}: no such instrument",
                              entry.text_or_empty(tag::symbol));
            if (named.size() < instrument->id.value) named.resize(instrument->id.value);
            if (named[instrument->id.value - 1]) continue;
            named[instrument->id.value - 1] = true;
            request.instruments.push_back(instrument);
        }
    if (!request.instruments.empty()) return request;
    return refuse(MarketRefusal::k_unknown_symbol, "NoRelatedSym (146): at least one is wanted");
}

}  // namespace damrak::gateway::fix::detail
