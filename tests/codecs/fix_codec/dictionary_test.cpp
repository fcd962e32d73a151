// The built-in dictionaries, and user-defined ones.
#include <damrak/fix_codec/dictionary.hpp>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <damrak/fix_codec/builtin_dictionaries.hpp>

namespace damrak::fix_codec::dictionary_test {
namespace {

constexpr std::array k_whole{BeginString::fix40, BeginString::fix41, BeginString::fix42,
                             BeginString::fix43, BeginString::fix44, BeginString::fixt11};

TEST(FixDictionaries, OfTheLibraryLoad) {
    for (const BeginString version : k_whole) {
        const auto loaded = Dictionary::load(builtin_dictionary(version));
        EXPECT_TRUE(loaded) << text(version) << ": " << loaded.error();
    }
    for (const ApplVersion version :
         {ApplVersion::fix50, ApplVersion::fix50sp1, ApplVersion::fix50sp2}) {
        const auto loaded =
            Dictionary::load(builtin_dictionary(version), Dictionary::of(BeginString::fixt11));
        EXPECT_TRUE(loaded) << name(version) << ": " << loaded.error();
    }
}

TEST(FixDictionaries, NameMessagesFieldsAndValues) {
    const Dictionary& dictionary = Dictionary::of(BeginString::fix44);
    EXPECT_EQ(dictionary.message_name("D"), "NewOrderSingle");
    EXPECT_EQ(dictionary.message_name("AF"), "OrderMassStatusRequest");
    EXPECT_EQ(dictionary.message_name("nope"), "");
    EXPECT_EQ(dictionary.field_name(tag::cl_ord_id), "ClOrdID");
    EXPECT_EQ(dictionary.field_name(4'711), "");
    EXPECT_EQ(dictionary.value_name(tag::side, "1"), "BUY");
    EXPECT_EQ(dictionary.value_name(tag::side, "?"), "");
    EXPECT_EQ(Dictionary::of(BeginString::fix42).field_name(tag::last_qty), "LastShares");
}

// The messages that the exchange uses, by the first version that has them.
TEST(FixDictionaries, HaveTheMessagesOfTheirVersion) {
    const auto has = [](ApplVersion version, std::string_view types) {
        const Dictionary& dictionary = Dictionary::of(version);
        for (std::size_t at = 0; at < types.size();) {
            const std::size_t end = std::min(types.find(' ', at), types.size());
            EXPECT_TRUE(dictionary.has_message(types.substr(at, end - at)))
                << name(version) << " " << types.substr(at, end - at);
            at = end + 1;
        }
    };
    for (int version = 0; version < 8; ++version)
        has(static_cast<ApplVersion>(version), "0 1 2 3 4 5 A D F G H 8 9");
    for (int version = 2; version < 8; ++version)
        has(static_cast<ApplVersion>(version), "j c d V W X Y");
    for (int version = 3; version < 8; ++version)
        has(static_cast<ApplVersion>(version), "AF q r x y");
    EXPECT_FALSE(Dictionary::of(ApplVersion::fix41).has_message("j"));
    EXPECT_FALSE(Dictionary::of(BeginString::fixt11).has_message("D"));
}

// Every error of a dictionary states the line and the reason.
TEST(FixDictionaries, SayWhatIsWrongInAFile) {
    constexpr std::string_view k_frame = R"(<fix major="4" minor="4">
<header><field name="BeginString" required="Y"/></header>
<trailer><field name="CheckSum" required="Y"/></trailer>
<messages><message name="Note" msgtype="N" msgcat="app">{}</message>{}</messages>
<components><component name="A"><component name="A" required="Y"/></component></components>
<fields><field number="8" name="BeginString" type="STRING"/>
<field number="10" name="CheckSum" type="STRING"/>{}</fields></fix>)";
    const auto error = [&](std::string_view body, std::string_view more, std::string_view fields) {
        const auto loaded =
            Dictionary::load(fmt::format(fmt::runtime(k_frame), body, more, fields));
        return loaded ? "nothing" : loaded.error();
    };
    EXPECT_EQ(error("", "", ""), "nothing");
    EXPECT_EQ(error(R"(<field name="Nope"/>)", "", ""),
              "line 4: <field>: Nope is not among the <fields>");
    EXPECT_EQ(error(R"(<component name="B"/>)", "", ""),
              "line 4: <component>: B is not among the <components>");
    EXPECT_EQ(error(R"(<component name="A"/>)", "", ""),
              "line 5: <component>: components or groups contain themselves");
    EXPECT_EQ(error("<thing/>", "", ""),
              "line 4: <thing>: expected <field>, <group> or <component>");
    EXPECT_EQ(error(R"(<group name="CheckSum"/>)", "", ""),
              "line 4: <group>: a group without fields");
    EXPECT_EQ(error("", R"(<message name="Other" msgtype="N"/>)", ""),
              "line 4: <message>: MsgType N occurs twice");
    EXPECT_EQ(error("", "", R"(<field number="x" name="A" type="INT"/>)"),
              "line 7: <field>: not a valid tag number");
    EXPECT_EQ(error("", "", R"(<field number="1" name="A" type="WORD"/>)"),
              "line 7: <field>: WORD is not a FIX type");
    EXPECT_EQ(error("", "", R"(<field number="1" type="INT"/>)"),
              "line 7: <field>: the attribute name is missing");
    EXPECT_EQ(error("", "", R"(<field number="1" name="CheckSum" type="INT"/>)"),
              "line 7: <field>: CheckSum occurs twice");
    EXPECT_EQ(Dictionary::load("8=FIX").error(), "line 1: not XML: No document element found");
    EXPECT_EQ(Dictionary::load("<a/>").error(),
              "not a FIX dictionary: its first element is not <fix>");
    EXPECT_NE(Dictionary::load(builtin_dictionary(ApplVersion::fix50)).error().find("transport"),
              std::string::npos);
}

}  // namespace
}  // namespace damrak::fix_codec::dictionary_test
