// Instruments by the names that FIX requests have for them, and the orders that a mass request is
// about.
#include <damrak/gateway/fix/detail/instruments.hpp>

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <damrak/fix_codec/decode.hpp>
#include <damrak/fix_codec/encode.hpp>
#include <damrak/fix_codec/tags.hpp>
#include <damrak/gateway/fix/detail/order_scope.hpp>

namespace damrak::testing::instruments_test {

namespace {

namespace tag = fix_codec::tag;
using gateway::fix::FixInstruments;

using Fields = std::vector<std::pair<fix_codec::Tag, std::string_view>>;

class FixInstrumentNames : public ::testing::Test {
  protected:
    FixInstrumentNames() {
        note(1, "TEST");
        note(3, "AAPL");
    }
    void note(std::uint32_t id, std::string_view symbol) {
        InstrumentDefinition definition;
        definition.id = InstrumentId{id};
        definition.symbol = Symbol::of(symbol);
        instruments_.note(definition);
    }
    const fix_codec::Message& message(const Fields& fields) {
        fix_codec::MessageWriter writer{memory_, times_};
        writer.begin(fix_codec::BeginString::fix44, "D");
        for (const auto& [field, text] : fields) writer.put(field, text);
        const auto scan = decoder_.scan(writer.finish(), message_);
        EXPECT_EQ(scan.status, fix_codec::Scan::Status::message);
        return message_;
    }
    /// The symbol that is found, or why none is.
    std::string named_in(const Fields& fields) {
        const auto found = instruments_.named_in(message(fields));
        if (found) return std::string{(*found)->symbol.view()};
        EXPECT_EQ(found.error().code, 1);
        return std::string{found.error().text.view()};
    }
    /// Type, symbol and side of the scope, or the code of the refusal.
    std::string scope_of(const Fields& fields) {
        const auto scope = gateway::fix::detail::read_scope(
            message(fields), tag::mass_cancel_request_type, instruments_);
        if (!scope) return "refused " + std::to_string(scope.error().code);
        std::string text{scope->type};
        if (scope->instrument != nullptr)
            text += " " + std::string{scope->instrument->symbol.view()};
        if (scope->side) text += *scope->side == Side::buy ? " buys" : " sells";
        return text;
    }

    FixInstruments instruments_{4, {{"NL0010273215", "TEST"}, {"US5949181045", "MSFT"}}};
    std::array<char, 512> memory_{};
    fix_codec::TimestampCache times_;
    fix_codec::Decoder decoder_;
    fix_codec::Message message_;
};

TEST_F(FixInstrumentNames, AreSymbolsAndIsins) {
    EXPECT_EQ(named_in({{tag::symbol, "TEST"}}), "TEST");
    EXPECT_EQ(named_in({{tag::security_id, "AAPL"}, {tag::security_id_source, "8"}}), "AAPL");
    EXPECT_EQ(named_in({{tag::security_id, "NL0010273215"}, {tag::security_id_source, "4"}}),
              "TEST");
    EXPECT_EQ(named_in({{tag::symbol, "[N/A]"},
                        {tag::security_id, "NL0010273215"},
                        {tag::security_id_source, "4"}}),
              "TEST");
    EXPECT_EQ(instruments_.by_isin_or_symbol("NL0010273215")->symbol.view(), "TEST");
    EXPECT_EQ(instruments_.by_isin_or_symbol("AAPL")->symbol.view(), "AAPL");
}

TEST_F(FixInstrumentNames, ThatAreUnknownOrContradictEachOtherAreRefused) {
    EXPECT_EQ(named_in({}), "Symbol (55) or SecurityID (48) is missing");
    EXPECT_EQ(named_in({{tag::symbol, "GONE"}}), "Symbol GONE: no such instrument");
    EXPECT_EQ(named_in({{tag::security_id, "TEST"}, {tag::security_id_source, "4"}}),
              "SecurityID TEST: no such instrument");
    EXPECT_EQ(named_in({{tag::security_id, "TEST"}, {tag::security_id_source, "1"}}),
              "SecurityIDSource 1: here 4 and 8 are (ISIN, symbol of the exchange)");
    EXPECT_EQ(named_in({{tag::symbol, "AAPL"},
                        {tag::security_id, "NL0010273215"},
                        {tag::security_id_source, "4"}}),
              "SecurityID NL0010273215: it is not that of AAPL");
    EXPECT_EQ(instruments_.by_symbol("ASYMBOLOFSEVENTEE"), nullptr);
    // Its symbol is configured, and no instrument has it.
    EXPECT_EQ(instruments_.by_isin("US5949181045"), nullptr);
    EXPECT_EQ(instruments_.by_isin_or_symbol("US5949181045"), nullptr);
}

TEST_F(FixInstrumentNames, AreListedById) {
    note(2, "MSFT");
    std::vector<std::string_view> symbols;
    for (const auto* const one : instruments_.all()) symbols.push_back(one->symbol.view());
    EXPECT_THAT(symbols, ::testing::ElementsAre("TEST", "MSFT", "AAPL"));
}

TEST_F(FixInstrumentNames, LimitWhatAMassRequestIsAbout) {
    constexpr auto k_type = tag::mass_cancel_request_type;
    EXPECT_EQ(scope_of({{k_type, "7"}}), "7");
    EXPECT_EQ(scope_of({{k_type, "7"}, {tag::side, "2"}}), "7 sells");
    EXPECT_EQ(scope_of({{k_type, "1"}, {tag::symbol, "TEST"}, {tag::side, "1"}}), "1 TEST buys");
    EXPECT_EQ(scope_of({{k_type, "1"}, {tag::symbol, "GONE"}}), "refused 1");
    EXPECT_EQ(scope_of({{k_type, "7"}, {tag::symbol, "TEST"}}), "refused 0");
    EXPECT_EQ(scope_of({{k_type, "3"}}), "refused 0");
    EXPECT_EQ(scope_of({{k_type, "7"}, {tag::side, "5"}}), "refused 0");
}

}  // namespace

}  // namespace damrak::testing::instruments_test
