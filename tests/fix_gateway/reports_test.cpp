// Reports from templates are, byte for byte, those that are put together one by one.
#include <damrak/fix_gateway/detail/reports.hpp>

#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace damrak::gateway::detail {
namespace {

using fix_codec::ApplVersion;
using fix_codec::BeginString;
namespace tag = fix_codec::tag;

constexpr ReportTemplates::Header k_header{
    .sequence = 71, .sender = "DAMRAK", .target = "ALICE", .time = Timestamp{1'000'000'123}};

Execution execution(char type, OrderType order_type, Side side) {
    return {.type = type,
            .status = type == Execution::k_trade ? '1' : '0',
            .order = OrderId{1'042},
            .name = "an order",
            .event = {.sequence = SequenceNumber{17}, .index = 3},
            .symbol = "TEST",
            .price_decimals = 4,
            .side = side,
            .order_type = order_type,
            .price = Price{order_type == OrderType::limit ? 1'002'500 : 0},
            .ordered = Quantity{100},
            .open = Quantity{60},
            .executed = Quantity{type == Execution::k_trade ? 40 : 0},
            .notional = type == Execution::k_trade ? Int128{40} * 1'002'300 : Int128{0},
            .last_quantity = Quantity{type == Execution::k_trade ? 40 : 0},
            .last_price = Price{type == Execution::k_trade ? 1'002'300 : 0},
            .trade = TradeId{type == Execution::k_trade ? 77U : 0U},
            .took_liquidity = side == Side::buy,
            .time = Timestamp{999'999'999}};
}

std::string one_by_one(BeginString begin_string, const ReportStyle& style, const Execution& one) {
    std::vector<char> memory(2'048);
    fix_codec::TimestampCache times;
    fix_codec::MessageWriter writer{memory, times};
    writer.begin(begin_string, "8");
    writer.put(tag::msg_seq_num, k_header.sequence).put(tag::sender_comp_id, k_header.sender);
    writer.put_timestamp(tag::sending_time, k_header.time, style.precision);
    writer.put(tag::target_comp_id, k_header.target);
    put_execution(writer, style, one);
    const auto message = writer.finish();
    return {message.begin(), message.end()};
}

TEST(FixReportTemplates, WriteWhatIsWrittenOneByOne) {
    const std::vector<std::pair<BeginString, ApplVersion>> versions{
        {BeginString::fix40, ApplVersion::fix40},     {BeginString::fix41, ApplVersion::fix41},
        {BeginString::fix42, ApplVersion::fix42},     {BeginString::fix43, ApplVersion::fix43},
        {BeginString::fix44, ApplVersion::fix44},     {BeginString::fixt11, ApplVersion::fix50},
        {BeginString::fixt11, ApplVersion::fix50sp2},
    };
    fix_codec::TimestampCache times;
    for (const auto& [begin_string, version] : versions) {
        const ReportStyle style{.version = version,
                                .precision = fix_codec::TimePrecision::nanoseconds};
        const ReportTemplates templates{begin_string, version};
        for (const char type : {Execution::k_new, Execution::k_trade})
            for (const OrderType order_type : {OrderType::limit, OrderType::market})
                for (const Side side : {Side::buy, Side::sell}) {
                    const Execution one = execution(type, order_type, side);
                    const auto* const found = templates.find(one);
                    ASSERT_NE(found, nullptr);
                    std::vector<char> memory(2'048);
                    const auto message =
                        ReportTemplates::write(*found, memory, times, style, k_header, one);
                    EXPECT_EQ(std::string(message.begin(), message.end()),
                              one_by_one(begin_string, style, one));
                }
    }
}

TEST(FixReportTemplates, AreNotForWhatIsRare) {
    const ReportTemplates templates{BeginString::fix44, ApplVersion::fix44};
    const Execution usual = execution(Execution::k_new, OrderType::limit, Side::buy);
    Execution rare = usual;
    rare.type = Execution::k_cancelled;
    EXPECT_EQ(templates.find(rare), nullptr);
    rare = usual;
    rare.order_type = OrderType::stop_limit;
    EXPECT_EQ(templates.find(rare), nullptr);
    rare = usual;
    rare.text = "why";
    EXPECT_EQ(templates.find(rare), nullptr);
    rare = usual;
    rare.fields = "1=ACCOUNT\x01";
    EXPECT_EQ(templates.find(rare), nullptr);
    rare = usual;
    rare.side_sent = '5';
    EXPECT_EQ(templates.find(rare), nullptr);
    rare = usual;
    rare.previous_name = "the name before";
    EXPECT_EQ(templates.find(rare), nullptr);
}

}  // namespace
}  // namespace damrak::gateway::detail
