// Validation by a dictionary: the session-level rejects of FIX.
#include <string>
#include <string_view>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <damrak/fix_codec/decode.hpp>
#include <damrak/fix_codec/dictionary.hpp>

#include "support/fix_text.hpp"

namespace damrak::fix_codec::validate_test {
namespace {

using Reason = SessionRejectReason;
using testing::fix_message;

constexpr std::string_view k_header = "34=2|49=CLIENT|52=20251231-18:21:36.457|56=DAMRAK|";

class FixValidation : public ::testing::Test {
  protected:
    /// Fault of a FIX.4.4 message with this type, the usual header and these fields.
    std::optional<Violation> fault_of(std::string_view msg_type, std::string_view fields,
                                      const ValidationRules& rules = {}) {
        return fault_in(Dictionary::of(BeginString::fix44),
                        fmt::format("35={}|{}{}", msg_type, k_header, fields), rules);
    }
    std::optional<Violation> fault_in(const Dictionary& dictionary, std::string_view body,
                                      const ValidationRules& rules = {}) {
        bytes_ = fix_message("FIX.4.4", body);
        const Scan scan = decoder_.scan(bytes_, message_);
        EXPECT_EQ(scan.status, Scan::Status::message) << body;
        return dictionary.validate(message_, rules);
    }

    std::string bytes_;
    Decoder decoder_;
    Message message_;
};

constexpr std::string_view k_order = "11=1|55=NOKIA|54=1|60=20251231-18:21:36|38=10|40=2|44=1.5|";

std::string order_with(std::string_view more) { return fmt::format("{}{}", k_order, more); }

TEST_F(FixValidation, AcceptsFieldsThatTheVersionDefines) {
    EXPECT_EQ(fault_of("0", ""), std::nullopt);
    EXPECT_EQ(fault_of("0", "112=HELLO|"), std::nullopt);
    EXPECT_EQ(fault_of("D", k_order), std::nullopt);
    EXPECT_EQ(fault_of("D", order_with("18=1 6 G|59=0|453=2|448=A|447=D|452=1|448=B|447=D|452=3|")),
              std::nullopt);
}

TEST_F(FixValidation, RejectsAnUndefinedTag) {
    EXPECT_EQ(fault_of("0", "999=HI|"), (Violation{999, Reason::invalid_tag_number}));
    EXPECT_EQ(fault_of("0", "0=HI|"), (Violation{0, Reason::invalid_tag_number}));
    EXPECT_EQ(fault_of("0", "5000=HI|"), (Violation{5000, Reason::invalid_tag_number}));
    const auto negative = fault_of("0", "-1=HI|");
    ASSERT_TRUE(negative);
    EXPECT_EQ(negative->reason, Reason::invalid_tag_number);
    EXPECT_EQ(shown(negative->tag), -1);
}

TEST_F(FixValidation, RejectsAFieldOfOtherMessages) {
    EXPECT_EQ(fault_of("0", "55=MSFT|"),
              (Violation{tag::symbol, Reason::tag_not_defined_for_message_type}));
    EXPECT_EQ(fault_of("D", order_with("448=A|")),
              (Violation{tag::party_id, Reason::tag_not_defined_for_message_type}));
}

TEST_F(FixValidation, AcceptsUserDefinedFieldsOnRequest) {
    ValidationRules rules;
    rules.user_defined_fields = false;
    EXPECT_EQ(fault_of("0", "5000=HI|", rules), std::nullopt);
    EXPECT_EQ(fault_of("0", "999=HI|", rules), (Violation{999, Reason::invalid_tag_number}));
    rules.allow_unknown_fields = true;
    EXPECT_EQ(fault_of("0", "999=HI|55=MSFT|", rules), std::nullopt);
    EXPECT_EQ(fault_of("0", "-1=HI|", rules)->reason, Reason::invalid_tag_number);
}

TEST_F(FixValidation, ReportsMissingRequiredFields) {
    const Dictionary& dictionary = Dictionary::of(BeginString::fix44);
    EXPECT_EQ(fault_in(dictionary, "35=0|34=2|49=A|52=20251231-18:21:36|"),
              (Violation{tag::target_comp_id, Reason::required_tag_missing}));
    EXPECT_EQ(fault_of("D", "11=1|54=1|60=20251231-18:21:36|40=1|"),
              (Violation{tag::symbol, Reason::required_tag_missing}));
    EXPECT_EQ(fault_of("D", ""), (Violation{tag::cl_ord_id, Reason::required_tag_missing}));
}

TEST_F(FixValidation, ReportsMissingFieldsBeforeWrongOnes) {
    EXPECT_EQ(fault_of("D", "21=4|999=x|11=1|54=1|60=20251231-18:21:36|40=1|"),
              (Violation{tag::symbol, Reason::required_tag_missing}));
}

TEST_F(FixValidation, RefusesAFieldWithoutAValue) {
    EXPECT_EQ(fault_of("0", "112=|"), (Violation{tag::test_req_id, Reason::tag_without_value}));
    ValidationRules rules;
    rules.values = false;
    EXPECT_EQ(fault_of("0", "112=|", rules), std::nullopt);
}

TEST_F(FixValidation, RejectsAValueThatIsNotOnTheList) {
    EXPECT_EQ(fault_of("D", order_with("21=4|")),
              (Violation{tag::handl_inst, Reason::value_incorrect}));
    EXPECT_EQ(fault_of("D", order_with("167=BOO|")),
              (Violation{tag::security_type, Reason::value_incorrect}));
    EXPECT_EQ(fault_of("D", order_with("167=CS|")), std::nullopt);
    EXPECT_EQ(fault_of("D", order_with("18=1 ?|")),
              (Violation{tag::exec_inst, Reason::value_incorrect}));
}

TEST_F(FixValidation, RefusesAValueOfTheWrongFormat) {
    const Violation quantity{tag::order_qty, Reason::incorrect_data_format};
    for (const std::string_view text : {"+200.00", "1e3", "1.2.3", ".", "-", "x"})
        EXPECT_EQ(
            fault_of("D", fmt::format("11=1|55=A|54=1|60=20251231-18:21:36|40=1|38={}|", text)),
            quantity)
            << text;
    for (const std::string_view text : {"002000.00", "-1", ".5", "5."})
        EXPECT_EQ(
            fault_of("D", fmt::format("11=1|55=A|54=1|60=20251231-18:21:36|40=1|38={}|", text)),
            std::nullopt)
            << text;
    EXPECT_EQ(fault_of("D", order_with("126=20040415|")),
              (Violation{tag::expire_time, Reason::incorrect_data_format}));
    EXPECT_EQ(fault_of("4", "36=+3|"), (Violation{tag::new_seq_no, Reason::incorrect_data_format}));
    EXPECT_EQ(fault_of("4", "36=3|123=YES|"),
              (Violation{tag::gap_fill_flag, Reason::incorrect_data_format}));
}

TEST_F(FixValidation, RejectsATagThatAppearsTwice) {
    EXPECT_EQ(fault_of("D", order_with("40=2|")),
              (Violation{tag::ord_type, Reason::tag_appears_more_than_once}));
}

TEST_F(FixValidation, RequiresHeaderBodyAndTrailerInThisOrder) {
    const Dictionary& dictionary = Dictionary::of(BeginString::fix44);
    EXPECT_EQ(fault_in(dictionary, fmt::format("35=D|{}{}", k_order, k_header)),
              (Violation{tag::msg_seq_num, Reason::tag_out_of_order}));
    EXPECT_EQ(fault_of("0", "93=1|89=x|112=A|"),
              (Violation{tag::test_req_id, Reason::tag_out_of_order}));
    ValidationRules rules;
    rules.order = false;
    EXPECT_EQ(fault_in(dictionary, fmt::format("35=D|{}{}", k_order, k_header), rules),
              std::nullopt);
}

TEST_F(FixValidation, RejectsAnUnknownMessageType) {
    EXPECT_EQ(fault_of("*", ""), (Violation{tag::msg_type, Reason::invalid_msg_type}));
    EXPECT_EQ(fault_of("ZZ", ""), (Violation{tag::msg_type, Reason::invalid_msg_type}));
}

TEST_F(FixValidation, CountsTheEntriesOfAGroup) {
    const Violation sessions{tag::no_trading_sessions, Reason::incorrect_group_count};
    EXPECT_EQ(fault_of("D", order_with("386=2|336=PRE-OPEN|336=AFTER-HOURS|")), std::nullopt);
    EXPECT_EQ(fault_of("D", order_with("386=3|336=PRE-OPEN|336=AFTER-HOURS|")), sessions);
    EXPECT_EQ(fault_of("D", order_with("386=1|336=PRE-OPEN|336=AFTER-HOURS|")), sessions);
    EXPECT_EQ(fault_of("D", order_with("386=0|336=PRE-OPEN|")), sessions);
    EXPECT_EQ(fault_of("D", order_with("386=0|")), std::nullopt);
    EXPECT_EQ(fault_of("D", order_with("386=x|")),
              (Violation{tag::no_trading_sessions, Reason::incorrect_data_format}));
}

TEST_F(FixValidation, RequiresAnEntryToBeginWithItsFirstField) {
    EXPECT_EQ(fault_of("D", order_with("453=1|447=D|448=A|452=1|")),
              (Violation{tag::party_id_source, Reason::group_fields_out_of_order}));
}

TEST_F(FixValidation, ChecksTheOrderWithinAnEntryOnRequest) {
    const std::string order = order_with("453=1|448=A|452=1|447=D|");
    EXPECT_EQ(fault_of("D", order), std::nullopt);
    ValidationRules rules;
    rules.group_order = true;
    EXPECT_EQ(fault_of("D", order, rules),
              (Violation{tag::party_id_source, Reason::group_fields_out_of_order}));
}

TEST_F(FixValidation, RejectsAFieldThatAnEntryHasTwice) {
    EXPECT_EQ(fault_of("D", order_with("453=1|448=A|452=1|452=3|")),
              (Violation{tag::party_role, Reason::tag_appears_more_than_once}));
}

TEST_F(FixValidation, ChecksNestedGroups) {
    EXPECT_EQ(fault_of("D", order_with("453=2|448=A|452=1|802=2|523=x|803=1|523=y|803=2|448=B|")),
              std::nullopt);
    EXPECT_EQ(fault_of("D", order_with("453=1|448=A|802=2|523=x|803=1|")),
              (Violation{tag::no_party_sub_ids, Reason::incorrect_group_count}));
    EXPECT_EQ(fault_of("D", order_with("453=1|448=A|452=one|")),
              (Violation{tag::party_role, Reason::incorrect_data_format}));
}

TEST_F(FixValidation, RequiresTheRequiredFieldsOfAnEntry) {
    EXPECT_EQ(fault_of("X", "268=1|279=0|269=0|"), std::nullopt);
    EXPECT_EQ(fault_of("V", "262=a|263=0|264=0|267=1|269=0|146=1|55=A|"), std::nullopt);
    EXPECT_EQ(fault_of("V", "262=a|263=0|264=0|267=1|269=0|146=1|65=A|"),
              (Violation{tag::symbol_sfx, Reason::group_fields_out_of_order}));
    EXPECT_EQ(fault_of("W", "55=A|268=1|270=1|"),
              (Violation{tag::md_entry_px, Reason::group_fields_out_of_order}));
}

// A field may belong both to the entries of a group and to the message.
constexpr std::string_view k_twofold = R"(<fix major="4" minor="4">
  <header><field name="BeginString" required="Y"/><field name="BodyLength" required="Y"/>
    <field name="MsgType" required="Y"/></header>
  <trailer><field name="CheckSum" required="Y"/></trailer>
  <messages><message name="Note" msgtype="N" msgcat="app">
    <group name="NoLines" required="Y"><field name="Line" required="Y"/>
      <field name="Text" required="N"/><field name="Stamp" required="Y"/></group>
    <field name="Mark" required="N"/><field name="Text" required="N"/>
  </message></messages>
  <fields>
    <field number="8" name="BeginString" type="STRING"/>
    <field number="9" name="BodyLength" type="LENGTH"/>
    <field number="35" name="MsgType" type="STRING"/>
    <field number="10" name="CheckSum" type="STRING"/>
    <field number="33" name="NoLines" type="NUMINGROUP"/>
    <field number="6001" name="Line" type="STRING"/>
    <field number="58" name="Text" type="STRING"/>
    <field number="6002" name="Stamp" type="INT"/>
    <field number="6003" name="Mark" type="CHAR"><value enum="!" description="LOUD"/></field>
  </fields></fix>)";

TEST_F(FixValidation, DistinguishesAFieldOfTheMessageFromTheSameOneInAGroup) {
    const auto dictionary = Dictionary::load(k_twofold);
    ASSERT_TRUE(dictionary) << dictionary.error();
    EXPECT_EQ(fault_in(*dictionary, "35=N|33=1|6001=a|58=x|6002=1|6003=!|58=y|"), std::nullopt);
    EXPECT_EQ(fault_in(*dictionary, "35=N|33=1|6001=a|58=x|6002=1|6003=!|58=y|58=z|"),
              (Violation{tag::text, Reason::tag_appears_more_than_once}));
    EXPECT_EQ(fault_in(*dictionary, "35=N|58=y|33=1|6001=a|58=x|6002=1|"), std::nullopt);
    EXPECT_EQ(fault_in(*dictionary, "35=N|33=1|6001=a|58=x|"),
              (Violation{6002, Reason::required_tag_missing}));
    EXPECT_EQ(fault_in(*dictionary, "35=N|33=1|6001=a|6002=1|6003=?|"),
              (Violation{6003, Reason::value_incorrect}));
    EXPECT_EQ(fault_in(*dictionary, "35=N|"), (Violation{33, Reason::required_tag_missing}));
}

}  // namespace
}  // namespace damrak::fix_codec::validate_test
