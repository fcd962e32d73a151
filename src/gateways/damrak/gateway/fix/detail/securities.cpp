#include <damrak/gateway/fix/detail/securities.hpp>

#include <array>
#include <span>

#include <fmt/format.h>

#include <damrak/fix_codec/format_into.hpp>
#include <damrak/fix_codec/tags.hpp>

namespace damrak::gateway::fix::detail {

namespace {

using fix_codec::ApplVersion;
using fix_codec::MessageWriter;
namespace tag = fix_codec::tag;

// Where the version has no fields for its rules: "tick 0.01, from 100 0.05; lot 1; maximum price
// 199999.99; maximum quantity 999999".
class RulesText {
  public:
    explicit RulesText(const InstrumentDefinition& instrument) {
        const unsigned decimals = instrument.price_decimals;
        add("tick {}", decimal_text(instrument.tick_bands[0].tick_size.value, decimals).view());
        for (std::size_t i = 1; i < instrument.band_count; ++i)
            add(", from {} {}",
                decimal_text(instrument.tick_bands[i].from_price.value, decimals).view(),
                decimal_text(instrument.tick_bands[i].tick_size.value, decimals).view());
        if (instrument.minimum_price().value < 0)
            add("; minimum price {}",
                decimal_text(instrument.minimum_price().value, decimals).view());
        add("; lot {}; maximum price {}; maximum quantity {}", instrument.lot_size.value,
            decimal_text(instrument.maximum_price.value, decimals).view(),
            instrument.maximum_quantity.value);
    }
    [[nodiscard]] std::string_view view() const { return {characters_.data(), length_}; }

  private:
    template <class... Arguments>
    void add(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
        length_ += fix_codec::format_into(std::span{characters_}.subspan(length_), format,
                                          std::forward<Arguments>(arguments)...);
    }

    // Sixteen bands of two numbers, and the rest.
    std::array<char, 1'024> characters_{};
    std::size_t length_ = 0;
};

void put_instrument(MessageWriter& writer, const ReportStyle& style,
                    const InstrumentDefinition& instrument) {
    writer.put(tag::symbol, instrument.symbol.view());
    if (style.version >= ApplVersion::fix50)
        writer.put_decimal(tag::min_price_increment, instrument.tick_bands[0].tick_size.value,
                           instrument.price_decimals);
}

// The component BaseTradingRules, from FIX.5.0SP1.
void put_trading_rules(MessageWriter& writer, const InstrumentDefinition& instrument) {
    const unsigned decimals = instrument.price_decimals;
    writer.put(tag::no_tick_rules, instrument.band_count);
    for (std::size_t i = 0; i < instrument.band_count; ++i) {
        const TickBand& band = instrument.tick_bands[i];
        writer.put_decimal(tag::start_tick_price_range, band.from_price.value, decimals)
            .put_decimal(tag::tick_increment, band.tick_size.value, decimals);
    }
    if (instrument.minimum_price().value < 0)
        writer.put_decimal(tag::low_limit_price, instrument.minimum_price().value, decimals);
    writer.put_decimal(tag::high_limit_price, instrument.maximum_price.value, decimals)
        .put(tag::max_trade_vol, instrument.maximum_quantity.value)
        .put(tag::round_lot, instrument.lot_size.value);
}

}  // namespace

void put_security_list(MessageWriter& writer, const ReportStyle& style, const SecurityList& list) {
    writer.put(tag::security_req_id, list.request)
        .put(tag::security_response_id, list.id)
        .put(tag::security_request_result, list.result);
    if (list.instruments.empty()) return;
    writer.put(tag::tot_no_related_sym, list.total);
    if (style.version >= ApplVersion::fix44) writer.put_bool(tag::last_fragment, list.is_last);
    writer.put(tag::no_related_sym, list.instruments.size());
    for (const InstrumentDefinition* const instrument : list.instruments) {
        put_instrument(writer, style, *instrument);
        if (style.version >= ApplVersion::fix50sp1) {
            put_trading_rules(writer, *instrument);
        } else {
            writer.put(tag::round_lot, instrument->lot_size.value)
                .put(tag::text, RulesText{*instrument}.view());
        }
    }
}

void put_security_definition(MessageWriter& writer, const ReportStyle& style,
                             const SecurityAnswer& answer) {
    const ApplVersion version = style.version;
    writer.put(tag::security_req_id, answer.request)
        .put(tag::security_response_id, answer.id)
        .put(tag::security_response_type, answer.response);
    if (version == ApplVersion::fix42) writer.put(tag::tot_no_related_sym, answer.total);
    if (answer.instrument == nullptr) {
        if (!answer.symbol.empty()) writer.put(tag::symbol, answer.symbol);
        writer.put(tag::text, answer.text);
        return;
    }
    put_instrument(writer, style, *answer.instrument);
    if (version >= ApplVersion::fix50sp1) {
        writer.put(tag::no_market_segments, 1).put(tag::market_id, answer.market);
        put_trading_rules(writer, *answer.instrument);
        return;
    }
    writer.put(tag::text, RulesText{*answer.instrument}.view());
    if (version >= ApplVersion::fix43)
        writer.put(tag::round_lot, answer.instrument->lot_size.value);
}

}  // namespace damrak::gateway::fix::detail
