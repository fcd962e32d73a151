// Usual reports are byte for byte those that are written field by field.
#include <damrak/gateway/fix/detail/reports.hpp>

#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <damrak/gateway/fix/detail/reporting.hpp>

namespace damrak::gateway::fix::detail::reports_test {
namespace {

using fix_codec::ApplVersion;
using fix_codec::BeginString;
namespace tag = fix_codec::tag;

constexpr std::uint64_t k_sequence = 71;
constexpr std::string_view k_sender = "DAMRAK";
constexpr std::string_view k_target = "ALICE";
constexpr Timestamp k_now{1'000'000'123};
constexpr EventId k_event{.sequence = SequenceNumber{17}, .index = 3};

InstrumentDefinition instrument() {
    InstrumentDefinition definition;
    definition.id = InstrumentId{1};
    definition.symbol = Symbol::of("TEST");
    definition.price_decimals = 4;
    return definition;
}

FixOrder order_of(OrderType type, Side side) {
    FixOrder order;
    order.id = OrderId{1'042};
    order.price = Price{type == OrderType::limit ? 1'002'500 : 0};
    order.ordered = Quantity{100};
    order.instrument = InstrumentId{1};
    order.short_name = ShortName::of("an order");
    order.member = 1;
    order.side = side;
    order.type = type;
    return order;
}

Event of_kind(EventKind kind) {
    Event event{};
    event.kind = kind;
    event.reason = kind == EventKind::cancelled ? Reason::requested : Reason{};
    return event;
}
Event accepted() { return of_kind(EventKind::accepted); }

/// Executes part of the order at a price a little better than its own.
Event execute(FixOrder& order, std::int64_t quantity, EventFlags::Bits flags) {
    Event event{};
    event.kind = EventKind::executed;
    event.quantity = Quantity{quantity};
    event.price = Price{1'002'300};
    event.reference = 77;
    event.flags = flags;
    order.executed += event.quantity;
    order.notional += Int128{event.price.value} * quantity;
    if (order.executed == order.ordered) order.state = FixOrderState::filled;
    return event;
}

struct Writer {
    BeginString begin_string;
    ReportStyle style;
    UsualReports usual{begin_string};
    RecentTexts recent{};
    fix_codec::TimestampCache times{};
    ReportHead head{};

    std::string as_usual(const FixOrder& order, const Event& event,
                         std::string_view previous = {}) {
        std::vector<char> memory(2'048);
        const InstrumentDefinition definition = instrument();
        session::fix::SessionName name;
        name.sender_comp_id = k_sender;
        name.target_comp_id = k_target;
        head.set_time(k_now, style.precision, name, times);
        const auto message = usual.write(memory,
                                         {.sequence = k_sequence,
                                          .head = head,
                                          .recent = recent,
                                          .text = recent.of(order, definition),
                                          .order = order,
                                          .event = event,
                                          .previous_name = previous,
                                          .id = k_event,
                                          .time = Timestamp{999'999'999},
                                          .price_decimals = definition.price_decimals},
                                         style, times);
        return {message.begin(), message.end()};
    }

    [[nodiscard]] std::string field_by_field(const FixOrder& order, const Event& event,
                                             std::string_view previous = {}) const {
        const FixOrders orders{EngineConfig{.maximum_orders = 16}, 16};
        const InstrumentDefinition definition = instrument();
        Execution execution = execution_of(orders, order, definition);
        EXPECT_TRUE(describe_event(event, {},
                                   {.order = &order,
                                    .orders = &orders,
                                    .renamed = !previous.empty(),
                                    .previous = previous},
                                   style, execution));
        execution.event = k_event;
        execution.time = Timestamp{999'999'999};
        std::vector<char> memory(2'048);
        fix_codec::TimestampCache other_times;
        fix_codec::MessageWriter writer{memory, other_times};
        writer.begin(begin_string, "8");
        writer.put(tag::msg_seq_num, k_sequence).put(tag::sender_comp_id, k_sender);
        writer.put_timestamp(tag::sending_time, k_now, style.precision);
        writer.put(tag::target_comp_id, k_target);
        put_execution(writer, style, execution);
        const auto message = writer.finish();
        return {message.begin(), message.end()};
    }
};

Writer writer_of(BeginString begin_string, ApplVersion version) {
    return {.begin_string = begin_string,
            .style = {.version = version, .precision = fix_codec::TimePrecision::nanoseconds}};
}

TEST(FixUsualReports, AreThoseWrittenFieldByField) {
    const std::vector<std::pair<BeginString, ApplVersion>> versions{
        {BeginString::fix40, ApplVersion::fix40},     {BeginString::fix41, ApplVersion::fix41},
        {BeginString::fix42, ApplVersion::fix42},     {BeginString::fix43, ApplVersion::fix43},
        {BeginString::fix44, ApplVersion::fix44},     {BeginString::fixt11, ApplVersion::fix50},
        {BeginString::fixt11, ApplVersion::fix50sp1}, {BeginString::fixt11, ApplVersion::fix50sp2},
    };
    for (const auto& [begin_string, version] : versions)
        for (const OrderType type : {OrderType::limit, OrderType::market})
            for (const Side side : {Side::buy, Side::sell}) {
                Writer writer = writer_of(begin_string, version);
                FixOrder order = order_of(type, side);
                const auto expect_same = [&](const Event& event, std::string_view previous = {}) {
                    ASSERT_TRUE(UsualReports::are_for(event, order));
                    EXPECT_EQ(writer.as_usual(order, event, previous),
                              writer.field_by_field(order, event, previous));
                };
                expect_same(accepted());
                expect_same(of_kind(EventKind::replaced), "the first name");
                const bool buys = side == Side::buy;
                expect_same(execute(order, 30, buys ? EventFlags::k_aggressor : 0));
                expect_same(of_kind(EventKind::replaced));
                const FixOrder partly = order;
                expect_same(execute(order, 60, buys ? 0 : EventFlags::k_aggressor));
                expect_same(execute(order, 10, EventFlags::k_cross | EventFlags::k_aggressor));
                order = partly;
                order.state = FixOrderState::cancelled;
                expect_same(of_kind(EventKind::cancelled), "a longer name of 30 characters");
            }
}

TEST(FixUsualReports, AFillInAnAuctionSaysSoWhereTheVersionCan) {
    const auto liquidity = [](BeginString begin_string, ApplVersion version,
                              EventFlags::Bits flags) {
        Writer writer = writer_of(begin_string, version);
        FixOrder order = order_of(OrderType::limit, Side::sell);
        const std::string report = writer.as_usual(order, execute(order, 30, flags));
        const std::size_t at = report.find(
            "\x01"
            "851=");
        return at == std::string::npos ? ' ' : report[at + 5];
    };
    constexpr EventFlags::Bits k_sell = EventFlags::k_cross | EventFlags::k_aggressor;
    EXPECT_EQ(liquidity(BeginString::fixt11, ApplVersion::fix50sp2, k_sell), '4');
    EXPECT_EQ(liquidity(BeginString::fixt11, ApplVersion::fix50, EventFlags::k_cross), '4');
    EXPECT_EQ(liquidity(BeginString::fix44, ApplVersion::fix44, k_sell), '1');
    EXPECT_EQ(liquidity(BeginString::fix44, ApplVersion::fix44, EventFlags::k_aggressor), '2');
    EXPECT_EQ(liquidity(BeginString::fix43, ApplVersion::fix43, k_sell), ' ');
}

TEST(FixUsualReports, ShowAnOrderAsItIsNow) {
    Writer writer = writer_of(BeginString::fix44, ApplVersion::fix44);
    FixOrder order = order_of(OrderType::limit, Side::buy);
    const auto expect_same = [&] {
        EXPECT_EQ(writer.as_usual(order, accepted()), writer.field_by_field(order, accepted()));
    };
    expect_same();
    order.price = Price{1'000'000};
    expect_same();
    order.ordered = Quantity{250};
    expect_same();
    order.short_name = ShortName::of("another name");
    expect_same();
    order.time_in_force = TimeInForce::ioc;
    expect_same();
    // Another order whose text has the same place.
    order.id = OrderId{1'042 + 1'024};
    expect_same();
    order.id = OrderId{1'042};
    expect_same();
}

TEST(FixUsualReports, AreNotForWhatIsRare) {
    const FixOrder usual = order_of(OrderType::limit, Side::buy);
    EXPECT_TRUE(UsualReports::are_for(accepted(), usual));
    Event cancelled = of_kind(EventKind::cancelled);
    EXPECT_TRUE(UsualReports::are_for(cancelled, usual));
    cancelled.remaining = Quantity{1};
    EXPECT_FALSE(UsualReports::are_for(cancelled, usual));
    cancelled = of_kind(EventKind::cancelled);
    cancelled.reason = Reason::self_trade;
    EXPECT_FALSE(UsualReports::are_for(cancelled, usual));
    EXPECT_FALSE(UsualReports::are_for(of_kind(EventKind::expired), usual));
    FixOrder rare = usual;
    rare.type = OrderType::stop_limit;
    EXPECT_FALSE(UsualReports::are_for(accepted(), rare));
    rare = usual;
    rare.has_fields = true;
    EXPECT_FALSE(UsualReports::are_for(accepted(), rare));
    rare = usual;
    rare.long_name = true;
    EXPECT_FALSE(UsualReports::are_for(accepted(), rare));
    rare = usual;
    rare.side_sent = '5';
    EXPECT_FALSE(UsualReports::are_for(accepted(), rare));
}

}  // namespace
}  // namespace damrak::gateway::fix::detail::reports_test
