// The probe of a polling thread: its counters, the messages that it times and their stages, its
// records, and a full ring, which loses records and has no other effect.

#include <damrak/telemetry/probe.hpp>

#include <string>
#include <type_traits>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace damrak::telemetry::probe_test {
namespace {

using ::testing::ElementsAre;

constexpr SessionId k_alice{7};
constexpr std::uint8_t k_new_order = 10;

const CycleClock& system_clock() {
    static const CycleClock clock{{.source = CycleClock::Source::monotonic_clock}};
    return clock;
}

template <class Record>
std::vector<Record> taken(Probe& probe) {
    std::vector<Record> found;
    for (auto batch = probe.ring()->front(); !batch.empty(); batch = probe.ring()->front()) {
        for (const Slot& slot : batch)
            slot.visit([&](const auto& record) {
                if constexpr (std::is_same_v<std::decay_t<decltype(record)>, Record>)
                    found.push_back(record);
            });
        probe.ring()->release(batch.size());
    }
    return found;
}

Origin origin_of(std::uint32_t sequence) {
    return {.session = k_alice, .inbound_sequence = sequence};
}

// A message as the gateway of an inline exchange handles it.
void handle(Probe& probe, std::uint32_t sequence, Unwritten& unwritten, bool with_command = true) {
    probe.on_message(k_alice, RequestKind::new_order, k_new_order, sequence);
    if (with_command) {
        const Origin origin = origin_of(sequence);
        probe.on_submit();
        probe.on_durable();
        probe.on_event({.kind = EventKind::accepted}, origin, {});
        probe.on_reported(origin);
        probe.on_command_end(origin);
        probe.on_answered(origin, unwritten);
    }
    probe.on_handled(k_alice, RequestKind::new_order, k_new_order, sequence, {}, unwritten);
}

void write(Probe& probe, Unwritten& unwritten) {
    probe.on_written(k_alice, 0, 0, 64, {}, unwritten);
}

TEST(Probe, CountsWithoutBeingStarted) {
    Probe probe;
    Unwritten unwritten;
    probe.on_opened(k_alice, {}, {});
    probe.on_read(56);
    handle(probe, 1, unwritten);
    write(probe, unwritten);
    probe.on_closed(k_alice, "slow_reader", {}, unwritten);
    const Counters& counters = probe.counters();
    EXPECT_EQ(counters.count_of(RequestKind::new_order), 1U);
    EXPECT_EQ(counters.count_of(EventKind::accepted), 1U);
    EXPECT_EQ(counters.received_bytes, 56U);
    EXPECT_EQ(counters.sent_bytes, 64U);
    EXPECT_EQ(counters.accepted_connections, 1U);
    EXPECT_EQ(counters.closed_connections, 1U);
    EXPECT_EQ(counters.ended_by_exchange, 1U);
    EXPECT_EQ(counters.timed_messages, 0U);
    EXPECT_EQ(probe.ring(), nullptr);
}

TEST(Probe, CountsATradeOnceForItsTwoEvents) {
    Probe probe;
    probe.on_event({.kind = EventKind::executed, .quantity = Quantity{25}}, {}, {});
    probe.on_event(
        {.kind = EventKind::executed, .flags = EventFlags::k_aggressor, .quantity = Quantity{25}},
        {}, {});
    EXPECT_EQ(probe.counters().trades(), 1U);
    EXPECT_EQ(probe.counters().traded_quantity, 25U);
}

TEST(Probe, TimesEveryNthMessage) {
    Probe probe;
    probe.start({.sample_every = 4}, system_clock());
    Unwritten unwritten;
    for (std::uint32_t i = 1; i <= 12; ++i) handle(probe, i, unwritten);
    write(probe, unwritten);
    EXPECT_EQ(taken<Timing>(probe).size(), 3U);
    EXPECT_EQ(probe.counters().timed_messages, 3U);
}

TEST(Probe, AMessageMayGetItsKindAfterDecoding) {
    Probe probe;
    probe.start({.sample_every = 1}, system_clock());
    Unwritten unwritten;
    const auto handle_late = [&](std::uint32_t sequence) {
        probe.on_message(k_alice, RequestKind::other, 0, 0);
        probe.on_recognised(RequestKind::cancel, 'F', sequence);
        probe.on_submit();
        probe.on_durable();
        probe.on_command_end(origin_of(7));
        probe.on_answered(origin_of(7), unwritten);
    };
    handle_late(7);
    write(probe, unwritten);
    const auto timings = taken<Timing>(probe);
    ASSERT_EQ(timings.size(), 1U);
    EXPECT_EQ(timings[0].request, RequestKind::cancel);
    EXPECT_EQ(timings[0].wire_type, 'F');
    // Not a message whose command is still in progress.
    handle_late(8);
    probe.on_recognised(RequestKind::modify, 'G', 7);
    probe.on_answered(origin_of(7), unwritten);
    EXPECT_EQ(probe.counters().timed_messages, 1U);
}

TEST(Probe, AttributesTheTimeOfAMessageToItsStages) {
    Probe probe;
    probe.start({.sample_every = 1}, system_clock());
    Unwritten unwritten;
    const std::uint64_t before = system_clock().now_ticks();
    probe.on_read(56);
    handle(probe, 1, unwritten);
    EXPECT_TRUE(taken<Timing>(probe).empty()) << "its answer is not written yet";
    write(probe, unwritten);
    const std::uint64_t after = system_clock().now_ticks();
    const auto timings = taken<Timing>(probe);
    ASSERT_EQ(timings.size(), 1U);
    EXPECT_EQ(timings[0].request, RequestKind::new_order);
    EXPECT_EQ(timings[0].wire_type, k_new_order);
    EXPECT_EQ(timings[0].written, 1U);
    const StageTimes& times = timings[0].times;
    EXPECT_GE(times.read_ticks, before);
    EXPECT_GT(times.through(Stage::write), 0U);
    EXPECT_LE(times.read_ticks + times.through(Stage::write), after);
}

// Between two points at least a certain time passes. The time of a stage must be no less than that,
// and no more than the time between the clock readings around it.
TEST(Probe, MeasuresEachStageWithinItsBounds) {
    Probe probe;
    probe.start({.sample_every = 1}, system_clock());
    Unwritten unwritten;
    const Origin origin = origin_of(1);
    std::uint64_t before = 0;
    std::vector<std::uint64_t> least;
    std::vector<std::uint64_t> most;
    const auto spend = [&](std::uint64_t ticks, auto&& point) {
        const std::uint64_t start = system_clock().now_ticks();
        while (system_clock().now_ticks() - start < ticks) continue;
        point();
        const std::uint64_t after = system_clock().now_ticks();
        least.push_back(ticks);
        most.push_back(after - before);
        before = start + ticks;  // the next stage begins after that
    };
    before = system_clock().now_ticks();
    probe.on_read(56);
    constexpr std::uint64_t k_unit = 2'000;
    const RequestKind request = RequestKind::new_order;
    spend(1 * k_unit, [&] { probe.on_message(k_alice, request, k_new_order, 1); });
    spend(2 * k_unit, [&] { probe.on_submit(); });
    spend(4 * k_unit, [&] { probe.on_durable(); });
    spend(8 * k_unit, [&] { probe.on_event({.kind = EventKind::accepted}, origin, {}); });
    spend(16 * k_unit, [&] {
        probe.on_reported(origin);
        probe.on_command_end(origin);
        probe.on_answered(origin, unwritten);
        probe.on_handled(k_alice, request, k_new_order, 1, {}, unwritten);
    });
    spend(32 * k_unit, [&] { write(probe, unwritten); });
    const auto timings = taken<Timing>(probe);
    ASSERT_EQ(timings.size(), 1U);
    for (std::size_t stage = 0; stage < k_stages; ++stage) {
        EXPECT_GE(timings[0].times.spent_ticks[stage], least[stage]) << k_stage_names[stage];
        EXPECT_LE(timings[0].times.spent_ticks[stage], most[stage]) << k_stage_names[stage];
    }
}

TEST(Probe, AttributesEventsToTheirOwnMessageOfASession) {
    Probe probe;
    probe.start({.sample_every = 1}, system_clock());
    Unwritten unwritten;
    probe.on_read(56);
    probe.on_message(k_alice, RequestKind::new_order, k_new_order, 5);
    probe.on_submit();
    probe.on_answered(origin_of(4), unwritten);
    EXPECT_EQ(unwritten.first, 0U) << "that answer belongs to another message";
    probe.on_answered(origin_of(5), unwritten);
    EXPECT_NE(unwritten.first, 0U);
    write(probe, unwritten);
    EXPECT_EQ(taken<Timing>(probe).size(), 1U);
}

TEST(Probe, TimesAMessageThatIsRejectedWithoutACommand) {
    Probe probe;
    probe.start({.sample_every = 1}, system_clock());
    Unwritten unwritten;
    probe.on_read(56);
    handle(probe, 1, unwritten, false);
    write(probe, unwritten);
    const auto timings = taken<Timing>(probe);
    ASSERT_EQ(timings.size(), 1U);
    EXPECT_EQ(timings[0].times.spent(Stage::keep), 0U);
    EXPECT_EQ(timings[0].times.spent(Stage::match), 0U);
}

TEST(Probe, DropsAMessageThatHasToWait) {
    Probe probe;
    probe.start({.sample_every = 1}, system_clock());
    Unwritten unwritten;
    probe.on_message(k_alice, RequestKind::cancel, 12, 1);
    probe.on_postponed();
    handle(probe, 1, unwritten);
    write(probe, unwritten);
    const auto timings = taken<Timing>(probe);
    ASSERT_EQ(timings.size(), 1U) << "only when it was received again";
    EXPECT_EQ(timings[0].request, RequestKind::new_order);
}

TEST(Probe, ReportsMessagesWhoseAnswerWasNeverWritten) {
    Probe probe;
    probe.start({.sample_every = 1}, system_clock());
    Unwritten unwritten;
    handle(probe, 1, unwritten);
    handle(probe, 2, unwritten);
    probe.on_closed(k_alice, {}, {}, unwritten);
    const auto timings = taken<Timing>(probe);
    ASSERT_EQ(timings.size(), 2U);
    EXPECT_EQ(timings[0].written + timings[1].written, 0);
    EXPECT_EQ(unwritten.first, 0U);
    EXPECT_EQ(probe.counters().ended_by_exchange, 0U);
}

// In the pipelined wiring the answers to a message come after later messages were read.
TEST(Probe, TimesOneMessageAtATimeIfAnswersComeLater) {
    Probe probe;
    probe.start({.sample_every = 1}, system_clock());
    Unwritten unwritten;
    for (std::uint32_t i = 1; i <= 3; ++i) {
        probe.on_message(k_alice, RequestKind::new_order, k_new_order, i);
        probe.on_submit();
        probe.on_handled(k_alice, RequestKind::new_order, k_new_order, i, {}, unwritten);
    }
    for (std::uint32_t i = 1; i <= 3; ++i) {
        probe.on_event({.kind = EventKind::accepted}, origin_of(i), {});
        probe.on_reported(origin_of(i));
        probe.on_command_end(origin_of(i));
        probe.on_answered(origin_of(i), unwritten);
    }
    write(probe, unwritten);
    EXPECT_EQ(taken<Timing>(probe).size(), 1U);
    EXPECT_EQ(probe.counters().timed_messages, 1U);
    EXPECT_EQ(probe.counters().untimed_messages, 2U);
}

TEST(Probe, StopsTimingWhenItIsFullAndResumesLater) {
    Probe probe;
    probe.start({.sample_every = 1}, system_clock());
    Unwritten unwritten;
    constexpr std::uint32_t k_messages = 20'000;
    for (std::uint32_t i = 1; i <= k_messages; ++i) handle(probe, i, unwritten);
    EXPECT_GT(probe.counters().untimed_messages, 0U);
    EXPECT_EQ(probe.counters().timed_messages + probe.counters().untimed_messages, k_messages);
    write(probe, unwritten);
    EXPECT_EQ(taken<Timing>(probe).size(), probe.counters().timed_messages);
    const std::uint64_t so_far = probe.counters().timed_messages;
    handle(probe, 1, unwritten);
    EXPECT_EQ(probe.counters().timed_messages, so_far + 1);
}

TEST(Probe, RecordsOrderEvents) {
    Probe probe;
    probe.start({.log_events = true}, system_clock());
    probe.on_event({.kind = EventKind::accepted,
                    .side = Side::sell,
                    .time_in_force = TimeInForce::gtc,
                    .flags = EventFlags::k_on_book,
                    .instrument = {2},
                    .participant = {3},
                    .order_id = {11},
                    .price = Price{101'200},
                    .quantity = Quantity{25},
                    .remaining = Quantity{25}},
                   origin_of(5), {.timestamp = {1'000}});
    const auto orders = taken<OrderFate>(probe);
    ASSERT_EQ(orders.size(), 1U);
    EXPECT_EQ(orders[0].event, EventKind::accepted);
    EXPECT_EQ(orders[0].session, k_alice);
    EXPECT_EQ(orders[0].sequence, 5U);
    EXPECT_EQ(orders[0].time, Timestamp{1'000});
    EXPECT_EQ(orders[0].order, OrderId{11});
    EXPECT_EQ(orders[0].price, Price{101'200});
    EXPECT_EQ(orders[0].remaining, Quantity{25});
    EXPECT_EQ(orders[0].participant, ParticipantId{3});
}

TEST(Probe, JoinsTheTwoSidesOfATrade) {
    Probe probe;
    probe.start({.log_events = true}, system_clock());
    Event resting{.kind = EventKind::executed,
                  .side = Side::buy,
                  .instrument = {1},
                  .participant = {1},
                  .order_id = {10},
                  .reference = 4,
                  .price = Price{500},
                  .quantity = Quantity{30},
                  .remaining = Quantity{70}};
    Event incoming = resting;
    incoming.side = Side::sell;
    incoming.flags = EventFlags::k_aggressor;
    incoming.participant = {2};
    incoming.order_id = {20};
    incoming.remaining = {};
    probe.on_event(resting, origin_of(1), {});
    probe.on_event(incoming, origin_of(1), {});
    const auto trades = taken<Trade>(probe);
    ASSERT_EQ(trades.size(), 1U);
    EXPECT_EQ(trades[0].trade, TradeId{4});
    EXPECT_EQ(trades[0].buyer_order, OrderId{10});
    EXPECT_EQ(trades[0].seller_order, OrderId{20});
    EXPECT_EQ(trades[0].buyer, ParticipantId{1});
    EXPECT_EQ(trades[0].seller, ParticipantId{2});
    EXPECT_EQ(trades[0].aggressor, Side::sell);
    EXPECT_EQ(trades[0].buyer_done, 0U);
    EXPECT_EQ(trades[0].seller_done, 1U);
}

TEST(Probe, RecordsConnectionsRequestsAndWrites) {
    Probe probe;
    probe.start({.log_events = true}, system_clock());
    Unwritten unwritten;
    probe.on_opened(k_alice, {.descriptor = 9, .port = 40'000, .address = {127, 0, 0, 1}}, {1});
    handle(probe, 3, unwritten);
    probe.on_written(k_alice, 11, 3, 64, {2}, unwritten);
    probe.on_closed(k_alice, "a reason that is longer than there is room for", {4}, unwritten);
    std::vector<std::string> seen;
    for (const Slot& slot : probe.ring()->front())
        slot.visit([&](const auto& record) {
            seen.emplace_back(std::decay_t<decltype(record)>::k_name);
            if constexpr (std::is_same_v<std::decay_t<decltype(record)>, Closed>) {
                EXPECT_EQ(record.reason(), "a reason that is longer");
            }
        });
    EXPECT_THAT(seen, ElementsAre("connections_opened", "orders", "requests", "writes",
                                  "connections_closed"));
}

TEST(Probe, CountsLossesOfAFullRing) {
    Probe probe;
    probe.start({.log_events = true, .ring_records = 4}, system_clock());
    for (int i = 0; i < 10; ++i) probe.on_opened({1}, {}, {});
    EXPECT_EQ(probe.counters().lost_records, 6U);
    EXPECT_EQ(taken<Opened>(probe).size(), 4U);
    probe.on_opened({1}, {}, {});
    EXPECT_EQ(taken<Opened>(probe).size(), 1U);
    EXPECT_EQ(probe.counters().lost_records, 6U);
    EXPECT_EQ(probe.counters().accepted_connections, 11U);
}

TEST(Probe, PublishesItsCountersWhenIdle) {
    Probe probe;
    Unwritten unwritten;
    handle(probe, 1, unwritten);
    EXPECT_EQ(probe.published().messages(), 0U);
    probe.on_turn(true);
    probe.on_turn(false);
    EXPECT_EQ(probe.published().messages(), 1U);
    handle(probe, 2, unwritten);
    for (int i = 0; i < 300; ++i) probe.on_turn(true);
    EXPECT_EQ(probe.published().messages(), 2U) << "periodically under load, too";
}

}  // namespace
}  // namespace damrak::telemetry::probe_test
