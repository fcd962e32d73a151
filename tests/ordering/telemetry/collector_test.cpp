// From the ring of a probe into latencies, logs and one row per second; and full logs and full
// disks.

#include <damrak/telemetry/collector.hpp>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/scratch_folder.hpp"

namespace damrak::telemetry::collector_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

constexpr std::int64_t k_second_ns = 1'000'000'000;
constexpr std::int64_t k_begin_ns = 1'700'000'000 * k_second_ns;

// Ten ticks a microsecond, so that counts in the classic logs are easy to compute.
const CycleClock k_clock{{.source = CycleClock::Source::monotonic_clock,
                          .ns_per_tick = 100.0,
                          .base = {.ticks = 5'000},
                          .base_utc_ns = k_begin_ns}};

std::vector<std::string> lines_of(const std::filesystem::path& path) {
    std::ifstream file{path};
    std::vector<std::string> lines;
    for (std::string line; std::getline(file, line);) lines.push_back(line);
    return lines;
}

Timestamp at_us(std::int64_t microseconds) { return {k_begin_ns + microseconds * 1'000}; }

class CollectorTest : public ::testing::Test {
  protected:
    void collect(CollectorConfig config = {}, std::size_t ring_records = 1'024) {
        config.folder = folder_ / "";
        probe_.start({.sample_every = 1, .log_events = true, .ring_records = ring_records},
                     k_clock);
        collector_ = std::make_unique<Collector>(config, probe_, k_clock);
    }
    [[nodiscard]] std::vector<std::string> lines(const std::string& name) const {
        return lines_of(folder_ / name);
    }

    testing::ScratchFolder folder_;
    Probe probe_;
    Unwritten unwritten_;
    std::unique_ptr<Collector> collector_;
};

// Session 1 rests a bid of 100; session 2 sells 25, then session 1 reduces the bid and cancels it.
void trade_a_little(Probe& probe, Unwritten& unwritten) {
    const auto origin = [](std::uint64_t session, std::uint64_t sequence) {
        return Origin{.session = {session}, .inbound_sequence = sequence};
    };
    const auto stamp = [](std::int64_t us) { return CommandStamp{.timestamp = at_us(us)}; };
    Event bid{.kind = EventKind::accepted,
              .side = Side::buy,
              .time_in_force = TimeInForce::gtc,
              .flags = EventFlags::k_on_book,
              .instrument = {1},
              .participant = {4},
              .order_id = {1},
              .price = Price{1'012'300},
              .quantity = Quantity{100},
              .remaining = Quantity{100}};
    Event offer = bid;
    offer.side = Side::sell;
    offer.flags = 0;
    offer.participant = {5};
    offer.order_id = {2};
    offer.quantity = offer.remaining = Quantity{25};
    probe.on_opened({1}, {.descriptor = 8, .port = 40'001, .address = {127, 0, 0, 1}}, at_us(0));
    probe.on_handled({1}, RequestKind::new_order, 10, 2, at_us(1), unwritten);
    probe.on_event(bid, origin(1, 2), stamp(1));
    probe.on_event(offer, origin(2, 2), stamp(2));
    bid.kind = offer.kind = EventKind::executed;
    bid.reference = offer.reference = 1;
    bid.quantity = Quantity{25};
    bid.remaining = Quantity{75};
    offer.remaining = {};
    offer.flags = EventFlags::k_aggressor;
    offer.price = bid.price;
    probe.on_event(bid, origin(2, 2), stamp(2));
    probe.on_event(offer, origin(2, 2), stamp(2));
    bid.kind = EventKind::replaced;
    bid.reference = 3;
    bid.price = Price{1'012'000};
    bid.remaining = Quantity{60};
    probe.on_event(bid, origin(1, 3), stamp(3));
    bid.kind = EventKind::cancelled;
    bid.order_id = {3};
    bid.flags = 0;
    bid.reference = 0;
    bid.quantity = Quantity{60};
    bid.remaining = {};
    probe.on_event(bid, origin(1, 4), stamp(4));
    probe.on_written({1}, 11, 2, 64, at_us(5), unwritten);
    probe.on_closed({1}, "timed_out", at_us(6), unwritten);
}

TEST_F(CollectorTest, WritesAFileForEachKindOfRecord) {
    collect({.event_log = true});
    trade_a_little(probe_, unwritten_);
    collector_->close(k_begin_ns);
    EXPECT_THAT(lines("events/connections_opened.csv"),
                ElementsAre("time_ns,session,descriptor,port,ip0,ip1,ip2,ip3",
                            "1700000000000000000,1,8,40001,127,0,0,1"));
    EXPECT_THAT(lines("events/connections_closed.csv"),
                ElementsAre("time_ns,session,reason", "1700000000000006000,1,timed_out"));
    EXPECT_THAT(lines("events/requests.csv"),
                ElementsAre("time_ns,session,request,wire_type,sequence",
                            "1700000000000001000,1,new_order,10,2"));
    EXPECT_THAT(lines("events/writes.csv"), ElementsAre("time_ns,session,wire_type,sequence,bytes",
                                                        "1700000000000005000,1,11,2,64"));
    EXPECT_THAT(lines("events/trades.csv"),
                ElementsAre("time_ns,session,instrument,trade,buyer_order,seller_order,buyer,"
                            "seller,price_units,quantity,aggressor,buyer_done,seller_done",
                            "1700000000000002000,2,1,1,1,2,4,5,1012300,25,sell,0,1"));
    const auto orders = lines("events/orders.csv");
    ASSERT_THAT(orders, SizeIs(5));
    EXPECT_EQ(
        orders[0],
        "time_ns,event,command,session,sequence,participant,instrument,order,reference,side,type,"
        "time_in_force,price_units,quantity,remaining,reason,flags");
    EXPECT_EQ(orders[1],
              "1700000000000001000,accepted,none,1,2,4,1,1,0,buy,limit,gtc,1012300,100,100,"
              "none,1");
    EXPECT_FALSE(std::filesystem::exists(folder_ / "classic"));
}

TEST_F(CollectorTest, WritesTheClassicFilesColumnByColumn) {
    collect({.classic_logs = true});
    trade_a_little(probe_, unwritten_);
    collector_->close(k_begin_ns);
    EXPECT_THAT(lines("classic/new_connections.csv"),
                ElementsAre("ts,fd,port,ip0,ip1,ip2,ip3", "5000,8,40001,127,0,0,1"));
    EXPECT_THAT(lines("classic/recv_messages.csv"),
                ElementsAre("ts,fd,clientID,type,ref", "5010,8,1,10,2"));
    EXPECT_THAT(lines("classic/sent_messages.csv"),
                ElementsAre("ts,fd,clientID,type,ref", "5050,8,1,11,2"));
    EXPECT_THAT(lines("classic/added_to_book.csv"),
                ElementsAre("ts,orderID,clientID,side,qty,price,tif,goodTill,instrumentID,ref",
                            "5010,1,1,0,100,10123,0,18446744073709551615,1,2",
                            "5030,3,1,0,60,10120,0,18446744073709551615,1,3"));
    EXPECT_THAT(lines("classic/removed_from_book.csv"),
                ElementsAre("ts,orderID", "5030,1", "5040,3"));
    EXPECT_THAT(lines("classic/cancelled_orders.csv"),
                ElementsAre("ts,clientID,orderID", "5040,1,3"));
    EXPECT_THAT(lines("classic/modified_orders.csv"),
                ElementsAre("ts,serverClientID,oldOrderID,newOrderID,newQty,newPrice,status,"
                            "instrumentID",
                            "5030,1,1,3,60,10120,1,1"));
    EXPECT_THAT(lines("classic/trades.csv"),
                ElementsAre("ts,tradeID,buyerOrderID,sellerOrderID,buyerID,sellerID,qty,price,"
                            "timestamp,instrumentID",
                            "5020,1,1,2,1,2,25,10123,1700000000000002,1"));
    EXPECT_THAT(lines("classic/disconnects.csv"), ElementsAre("ts,fd", "5060,8"));
    EXPECT_THAT(lines("classic/timings.csv"),
                ElementsAre("messageType,tReceived,tDeserialized,tBuffered"));
}

TEST_F(CollectorTest, WritesEachClassicRowWithItsOwnTimeOnRequest) {
    CollectorConfig config{.folder = folder_ / "", .classic_logs = true};
    probe_.start({.sample_every = 1, .log_events = true, .stamp_records = true}, k_clock);
    collector_ = std::make_unique<Collector>(config, probe_, k_clock);
    probe_.on_read(100);
    for (std::uint32_t sequence = 1; sequence <= 3; ++sequence) {
        probe_.on_message({1}, RequestKind::new_order, 10, sequence);
        probe_.on_handled({1}, RequestKind::new_order, 10, sequence, at_us(1), unwritten_);
    }
    probe_.on_written({1}, 11, 1, 64, at_us(1), unwritten_);
    collector_->close(k_begin_ns);
    const auto stamps = [this](const std::string& name, std::size_t column) {
        std::vector<std::uint64_t> all;
        for (const auto& line : lines("classic/" + name)) {
            std::istringstream cells{line};
            std::string cell;
            for (std::size_t i = 0; i <= column; ++i) std::getline(cells, cell, ',');
            if (cell.find_first_not_of("0123456789") == std::string::npos)
                all.push_back(std::stoull(cell));
        }
        return all;
    };
    const auto received = stamps("recv_messages.csv", 0);
    ASSERT_THAT(received, SizeIs(3));
    EXPECT_LT(received[0], received[1]);
    EXPECT_LT(received[1], received[2]);
    const auto begun = stamps("timings.csv", 1);
    const auto decoded = stamps("timings.csv", 2);
    ASSERT_THAT(begun, SizeIs(3));
    for (std::size_t i = 0; i < begun.size(); ++i) {
        EXPECT_GE(begun[i], received[i]);
        EXPECT_LE(begun[i], decoded[i]);
    }
    EXPECT_GT(stamps("sent_messages.csv", 0).at(0), received[2]);
}

// An order with a date that is modified and filled, and modifies that are rejected: by the engine,
// and by the session, which emits no event.
void date_and_refuse(Probe& probe) {
    const auto origin = [](std::uint32_t sequence) {
        return Origin{.session = {1}, .inbound_sequence = sequence};
    };
    const auto stamp = [](std::int64_t us) { return CommandStamp{.timestamp = at_us(us)}; };
    Event order{.kind = EventKind::accepted,
                .command = CommandKind::new_order,
                .side = Side::sell,
                .time_in_force = TimeInForce::gtd,
                .flags = EventFlags::k_on_book,
                .instrument = {1},
                .participant = {4},
                .order_id = {1},
                .price = Price{1'012'300},
                .quantity = Quantity{100},
                .remaining = Quantity{100}};
    probe.on_good_till({.sequence = 1, .time = at_us(0), .session = {1}, .date = 4'711});
    probe.on_event({.kind = EventKind::rejected, .command = CommandKind::new_order}, origin(1),
                   stamp(0));
    probe.on_good_till({.sequence = 2, .time = at_us(1), .session = {1}, .date = 4'712});
    probe.on_event(order, origin(2), stamp(1));
    probe.on_good_till(
        {.sequence = 3, .time = at_us(2), .session = {1}, .date = GoodTill::k_never});
    order.order_id = {2};
    order.time_in_force = TimeInForce::gtc;
    probe.on_event(order, origin(3), stamp(2));
    order.kind = EventKind::replaced;
    order.command = CommandKind::replace_order;
    order.order_id = {1};
    order.reference = 3;
    probe.on_event(order, origin(4), stamp(3));
    order.kind = EventKind::rejected;
    order.reason = Reason::unknown_order;
    order.order_id = {99};
    order.reference = 0;
    order.quantity = Quantity{5};
    probe.on_event(order, origin(5), stamp(4));
    order.command = CommandKind::cancel_order;
    probe.on_event(order, origin(6), stamp(5));
    for (const RequestKind request : {RequestKind::cancel, RequestKind::modify})
        probe.on_refused({.request = request,
                          .wire_type = 14,
                          .wire_status = 5,
                          .sequence = 7,
                          .time = at_us(6),
                          .session = {1},
                          .order = {3},
                          .quantity = request == RequestKind::modify ? 8U : 0U,
                          .price_e2 = 10'001,
                          .instrument = {1}});
}

TEST_F(CollectorTest, WritesDatesAndRejectedModifiesIntoTheClassicFiles) {
    collect({.classic_logs = true});
    date_and_refuse(probe_);
    collector_->close(k_begin_ns);
    EXPECT_THAT(lines("classic/added_to_book.csv"),
                ElementsAre("ts,orderID,clientID,side,qty,price,tif,goodTill,instrumentID,ref",
                            "5010,1,1,1,100,10123,3,4712,1,2",
                            "5020,2,1,1,100,10123,0,18446744073709551615,1,3",
                            "5030,3,1,1,100,10123,0,4712,1,4"));
    EXPECT_THAT(lines("classic/modified_orders.csv"),
                ElementsAre("ts,serverClientID,oldOrderID,newOrderID,newQty,newPrice,status,"
                            "instrumentID",
                            "5030,1,1,3,100,10123,1,1", "5040,1,99,0,5,10123,3,1",
                            "5060,1,3,0,8,10001,5,1"));
}

TEST_F(CollectorTest, RemovesFilledOrdersFromTheClassicBook) {
    collect({.classic_logs = true});
    Event bid{.kind = EventKind::accepted,
              .side = Side::buy,
              .flags = EventFlags::k_on_book,
              .instrument = {1},
              .participant = {4},
              .order_id = {1},
              .price = Price{1'000'000},
              .quantity = Quantity{10},
              .remaining = Quantity{10}};
    probe_.on_event(bid, {.session = {1}}, {.timestamp = at_us(1)});
    bid.kind = EventKind::executed;
    bid.reference = 1;
    bid.remaining = {};
    probe_.on_event(bid, {.session = {2}}, {.timestamp = at_us(2)});
    Event sell = bid;
    sell.side = Side::sell;
    sell.order_id = {2};
    sell.flags = EventFlags::k_aggressor;
    probe_.on_event(sell, {.session = {2}}, {.timestamp = at_us(2)});
    collector_->close(k_begin_ns);
    EXPECT_THAT(lines("classic/removed_from_book.csv"), ElementsAre("ts,orderID", "5020,1"))
        << "the other order never rested";
}

TEST_F(CollectorTest, WritesDatesAndRejectsIntoTheEventLog) {
    collect({.event_log = true});
    date_and_refuse(probe_);
    collector_->close(k_begin_ns);
    EXPECT_THAT(lines("events/good_till.csv"),
                ElementsAre("time_ns,session,sequence,date", "1700000000000000000,1,1,4711",
                            "1700000000000001000,1,2,4712"));
    EXPECT_THAT(lines("events/requests_refused.csv"),
                ElementsAre("time_ns,session,sequence,request,wire_type,wire_status,instrument,"
                            "order,quantity,price_e2",
                            "1700000000000006000,1,7,cancel,14,5,1,3,0,10001",
                            "1700000000000006000,1,7,modify,14,5,1,3,8,10001"));
}

TEST_F(CollectorTest, StoresTheLatenciesOfTimedMessages) {
    collect();
    probe_.on_read(24);
    probe_.on_message({1}, RequestKind::heartbeat, 3, 1);
    probe_.on_handled({1}, RequestKind::heartbeat, 3, 1, {}, unwritten_);
    probe_.on_closed({1}, {}, {}, unwritten_);
    EXPECT_GT(collector_->do_work(k_begin_ns), 0U);
    EXPECT_EQ(collector_->do_work(k_begin_ns), 0U);
    const auto rows = collector_->timing_rows();
    ASSERT_THAT(rows, SizeIs(k_spans - 2)) << "nothing was written to it";
    EXPECT_EQ(rows[0].request, "heartbeat");
    EXPECT_EQ(rows[0].count, 1U);
}

TEST_F(CollectorTest, WritesOneRowPerSecond) {
    collect();
    collector_->do_work(k_begin_ns);
    probe_.on_read(56);
    probe_.on_handled({1}, RequestKind::new_order, 10, 1, {}, unwritten_);
    probe_.publish();
    collector_->do_work(k_begin_ns + k_second_ns / 2);
    collector_->do_work(k_begin_ns + k_second_ns);
    collector_->do_work(k_begin_ns + 2 * k_second_ns);
    const auto rows = lines("throughput.csv");
    ASSERT_THAT(rows, SizeIs(3));
    EXPECT_THAT(rows[0], HasSubstr("time_ns,interval_ns,messages,new_orders,"));
    EXPECT_EQ(rows[1], "1700000001000000000,1000000000,1,1,0,0,0,0,1,0,56,0,0");
    EXPECT_EQ(rows[2], "1700000002000000000,1000000000,0,0,0,0,0,0,0,0,0,0,0");
}

TEST_F(CollectorTest, ReportsLossesOfAFullRing) {
    collect({.event_log = true}, 2);
    trade_a_little(probe_, unwritten_);
    probe_.publish();
    collector_->close(k_begin_ns);
    EXPECT_EQ(collector_->losses().ring_records, 7U);
    EXPECT_TRUE(collector_->losses().any());
    EXPECT_THAT(lines("events/connections_opened.csv"), SizeIs(2));
    EXPECT_THAT(lines("events/trades.csv"), SizeIs(1));
}

TEST_F(CollectorTest, StopsALogAtItsMaximumSizeAndCountsTheRest) {
    collect({.event_log = true, .maximum_log_bytes = 1'000});
    std::int64_t second = 0;
    for (int i = 0; i < 4; ++i) {
        trade_a_little(probe_, unwritten_);
        collector_->do_work(k_begin_ns + k_second_ns * ++second);
    }
    EXPECT_GT(collector_->losses().log_rows, 0U);
    EXPECT_EQ(collector_->losses().ring_records, 0U);
    EXPECT_THAT(lines("events/orders.csv"), SizeIs(::testing::Lt(1 + 4 * 4)));
}

TEST_F(CollectorTest, CountsWhatIsLostWhereItsFilesCannotBeCreated) {
    std::ofstream{folder_ / "events"} << "in the way";
    collect({.event_log = true});
    trade_a_little(probe_, unwritten_);
    collector_->close(k_begin_ns);
    EXPECT_THAT(collector_->losses().error, HasSubstr("events/"));
    EXPECT_GT(collector_->losses().unwritten_rows, 0U);
    EXPECT_EQ(collector_->losses().log_rows, 0U);
}

// A link in place of one file: that disk is always full.
TEST_F(CollectorTest, CountsTheRowsOfAFullDisk) {
    std::filesystem::create_directories(folder_ / "events");
    std::filesystem::create_symlink("/dev/full", folder_ / "events/orders.csv");
    collect({.event_log = true});
    for (std::uint64_t rounds = 1; rounds <= 2; ++rounds) {
        trade_a_little(probe_, unwritten_);
        collector_->close(k_begin_ns);
        EXPECT_EQ(collector_->losses().unwritten_rows, 4 * rounds);
    }
    EXPECT_THAT(collector_->losses().error,
                HasSubstr("events/orders.csv: cannot be written, dropping rows: No space"));
    EXPECT_THAT(lines("events/trades.csv"), SizeIs(::testing::Gt(1U)));
}

}  // namespace
}  // namespace damrak::telemetry::collector_test
