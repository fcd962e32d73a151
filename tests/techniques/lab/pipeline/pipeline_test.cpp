// The pipeline loses nothing and matches as the engine alone does, in either wiring, with or
// without a journal, however many orders are taken together.

#include <damrak/lab/pipeline/pipeline.hpp>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <span>

#include <gtest/gtest.h>
#include <support/scratch_folder.hpp>

#include <damrak/base/affinity.hpp>
#include <damrak/lab/ladder/rungs.hpp>
#include <damrak/lab/pipeline/experiment.hpp>
#include <damrak/lab/pipeline/gateway_agent.hpp>
#include <damrak/lab/pipeline/market_update.hpp>
#include <damrak/wire/binary/decode.hpp>

namespace damrak::lab::pipeline::pipeline_test {
namespace {

Workload small_workload() { return make_workload({.orders = 30'000}); }

TEST(PipelineWorkload, HasTheMixAndTheReachOfTheStudy) {
    namespace binary = wire::binary;
    const Workload workload = small_workload();
    std::uint32_t orders = 0;
    std::uint32_t cancels = 0;
    std::uint32_t market = 0;
    std::uint32_t aggressive = 0;
    std::span<const std::byte> rest{workload.frames};
    while (!rest.empty()) {
        const binary::Scan found = binary::scan(rest);
        ASSERT_TRUE(found.complete);
        const auto message = binary::decode(
            found.header, rest.subspan(binary::k_header_length, found.header.payload_length));
        ASSERT_TRUE(message.has_value());
        rest = rest.subspan(found.frame_length());
        ++orders;
        if (std::holds_alternative<binary::CancelOrder>(*message)) ++cancels;
        const auto* order = std::get_if<binary::NewOrder>(&*message);
        if (order == nullptr) continue;
        ASSERT_LE(order->instrument.value, 50U);
        if (order->order_type == 1) {
            ++market;
            continue;
        }
        const auto away = static_cast<std::int64_t>(order->price_e2) - Workload::k_middle_ticks;
        ASSERT_LE(std::abs(away), Workload::k_reach_ticks);
        if ((order->side == 0) == (away > 0)) ++aggressive;
    }
    EXPECT_EQ(orders, workload.orders);
    const auto percent = [&](std::uint32_t count) { return 100.0 * count / orders; };
    EXPECT_NEAR(percent(cancels), 10, 1);
    EXPECT_NEAR(percent(market), 20, 1);
    EXPECT_NEAR(percent(aggressive), 30, 1);
}

TEST(PipelineWorkload, IsTheSameForTheSameSeed) {
    EXPECT_EQ(make_workload({.orders = 1'000}).frames, make_workload({.orders = 1'000}).frames);
    EXPECT_NE(make_workload({.orders = 1'000}).frames,
              make_workload({.orders = 1'000, .seed = 43}).frames);
}

TEST(Pipeline, BothWiringsComeToTheSameState) {
    const Workload workload = small_workload();
    const PipelineResult by_one = run_pipeline(workload, {.turn = 1});
    for (const Wiring wiring : {Wiring::in_line, Wiring::threaded}) {
        for (const std::size_t turn : {std::size_t{1}, std::size_t{16}, std::size_t{100}}) {
            const PipelineResult result = run_pipeline(workload, {.wiring = wiring, .turn = turn});
            EXPECT_EQ(result.state_hash, by_one.state_hash) << name(wiring) << " " << turn;
            EXPECT_EQ(result.orders, workload.orders);
            EXPECT_EQ(result.latency_ns.count(), workload.orders);
            EXPECT_EQ(result.executions, workload.trades);
            EXPECT_EQ(result.messages, by_one.messages);
            EXPECT_EQ(result.bytes, by_one.bytes);
            EXPECT_EQ(result.refused, 0U);
        }
    }
}

TEST(Pipeline, KeepsEveryOrderInTheJournalIfAsked) {
    const testing::ScratchFolder folder;
    const Workload workload = small_workload();
    const PipelineResult without = run_pipeline(workload, {});
    for (const Wiring wiring : {Wiring::in_line, Wiring::threaded}) {
        const PipelineResult result =
            run_pipeline(workload, {.wiring = wiring, .journal = folder / "journal"});
        EXPECT_EQ(result.state_hash, without.state_hash);
        EXPECT_EQ(result.orders, workload.orders);
        EXPECT_FALSE(std::filesystem::exists(folder / "journal")) << "it goes with the run";
    }
}

TEST(Pipeline, EveryRungTradesAsTheEngineDoes) {
    const Workload workload = small_workload();
    for (std::size_t rung = 0; rung < ladder::k_rungs; ++rung) {
        const PipelineResult result = run_rung_pipeline(rung, workload, {.turn = 4});
        EXPECT_EQ(result.orders, workload.orders) << rung;
        EXPECT_EQ(result.executions, workload.trades) << rung;
        EXPECT_EQ(result.refused, 0U) << rung;
    }
}

TEST(PipelineGateway, RefusesWhatIsNoOrder) {
    Workload workload = make_workload({.orders = 3});
    const RunClock clock;
    CommandRing commands{8};
    // The second frame names a client that there is not.
    const std::size_t second = wire::binary::scan(workload.frames).frame_length();
    workload.frames[second + wire::binary::k_header_length] = std::byte{0xFF};
    GatewayAgent gateway{workload, clock, {&commands}, nullptr, 4};
    EXPECT_EQ(gateway.do_work(0), 3U);
    EXPECT_EQ(gateway.refused(), 1U);
    EXPECT_EQ(commands.front().size(), 2U);
    EXPECT_EQ(gateway.do_work(0), 0U);
}

// Each run compares its state with that of the first, and asserts it.
TEST(PipelineExperiment, RunsBothWiringsWithAndWithoutTheJournal) {
    const auto trials = experiment().trials({.size = Effort::Size::counting});
    ASSERT_EQ(trials.size(), 1U);
    EXPECT_EQ(trials.front().variants.size(), allowed_cores().size() > 1 ? 4U : 2U);
    for (const Variant& variant : trials.front().variants) {
        const Sample sample = variant.run();
        EXPECT_GT(sample.elapsed_ns, 0) << variant.name;
        ASSERT_TRUE(sample.latency_ns.has_value()) << variant.name;
        EXPECT_EQ(sample.latency_ns->count(), static_cast<std::uint64_t>(sample.operations));
    }
}

TEST(PipelineGateway, GivesEachInstrumentToItsShard) {
    const Workload workload = make_workload({.orders = 100});
    const RunClock clock;
    CommandRing even{128};
    CommandRing odd{128};
    GatewayAgent gateway{workload, clock, {&even, &odd}, nullptr, 128};
    EXPECT_EQ(gateway.do_work(0), 100U);
    EXPECT_EQ(even.front().size() + odd.front().size(), 100U);
    for (const Command& command : even.front()) EXPECT_EQ(command.instrument.value % 2, 0U);
    for (const Command& command : odd.front()) EXPECT_EQ(command.instrument.value % 2, 1U);
}

TEST(PipelineGateway, StopsWhereNothingCanBeFramed) {
    Workload workload = make_workload({.orders = 3});
    const RunClock clock;
    CommandRing commands{8};
    workload.frames.resize(workload.frames.size() - 1);
    GatewayAgent gateway{workload, clock, {&commands}, nullptr, 4};
    EXPECT_EQ(gateway.do_work(0), 3U);
    EXPECT_EQ(gateway.refused(), 1U);
    EXPECT_EQ(commands.front().size(), 2U);
}

TEST(PipelineGateway, WaitsWhereTheRingIsFull) {
    const Workload workload = make_workload({.orders = 6});
    const RunClock clock;
    CommandRing commands{4};
    GatewayAgent gateway{workload, clock, {&commands}, nullptr, 4};
    EXPECT_EQ(gateway.do_work(0), 4U);
    EXPECT_EQ(gateway.do_work(0), 0U);
    ASSERT_EQ(commands.front().size(), 4U);
    commands.release(3);
    EXPECT_EQ(gateway.do_work(0), 0U) << "there must be room for a whole turn";
    commands.release(1);
    EXPECT_EQ(gateway.do_work(0), 2U);
}

TEST(PipelineUpdates, TheLastOneOfAnOrderSaysSo) {
    UpdateRing ring{8};
    UpdateWriter writer{ring};
    writer.write({.kind = UpdateKind::executed, .order_ref = 1});
    writer.write({.kind = UpdateKind::added, .order_ref = 2});
    writer.end_order(77);
    writer.end_order(88);
    EXPECT_TRUE(ring.front().empty()) << "not before all of them are published";
    writer.publish();
    const auto updates = ring.front();
    ASSERT_EQ(updates.size(), 3U);
    EXPECT_FALSE(updates[0].last);
    EXPECT_TRUE(updates[1].last);
    EXPECT_EQ(updates[1].taken_ns, 77);
    EXPECT_EQ(updates[2].kind, UpdateKind::nothing);
    EXPECT_EQ(updates[2].taken_ns, 88);
}

}  // namespace
}  // namespace damrak::lab::pipeline::pipeline_test
