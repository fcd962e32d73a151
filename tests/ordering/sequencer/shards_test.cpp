// State that shards share, case by case: limits across instruments, pools, groups of instruments.
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <damrak/base/serialize.hpp>
#include <damrak/sequencer/partition.hpp>

#include "support/commands.hpp"
#include "support/recorded_engine.hpp"

namespace damrak::sequencer::shards_test {
namespace {

constexpr EngineConfig k_config{.maximum_instruments = 8,
                                .maximum_participants = 8,
                                .maximum_orders = 1'000,
                                .maximum_extensions = 100,
                                .maximum_accounts = 64,
                                .maximum_levels = 1'000,
                                .maximum_ladder_nodes = 1'000,
                                .maximum_events = 16};

// Every command also goes to one engine, which must give the same result.
class Shards : public ::testing::Test {
  protected:
    void apply(const Command& command) {
        recorder_.events.clear();
        engine_.apply(command);
        reported_.clear();
        partition_->apply(command, [this](const Event& event) { reported_.push_back(event); });
        EXPECT_EQ(reported_, recorder_.events);
        EXPECT_EQ(partition_->state_hash(), engine_.state_hash());
    }
    void add_instrument(std::uint32_t id, std::uint16_t group = 0, bool huge = false) {
        InstrumentDetails details = fine_stock();
        details.shard_group = group;
        if (huge) {
            details.maximum_price = Price{std::numeric_limits<std::int64_t>::max() / k_huge};
            details.maximum_quantity = Quantity{k_huge};
            details.unpublished = 1;
        }
        apply(instrument_command(id, details));
        ASSERT_EQ(reported_.back().kind, EventKind::instrument_added);
    }
    Command order(std::uint32_t instrument, Side side, std::int64_t price, std::int64_t quantity) {
        return order_command(instrument, 1, side, price, quantity);
    }
    void to_phase(CommandKind kind, Phase phase) {
        Command command{};
        command.kind = kind;
        command.instrument = InstrumentId{1};
        command.phase.phase = phase;
        apply(command);
    }
    void limit(std::int64_t open_orders, std::int64_t open_notional) {
        Command set{};
        set.kind = CommandKind::set_limits;
        set.participant = ParticipantId{1};
        set.limits = {};
        set.limits.open_orders = open_orders;
        set.limits.open_notional = open_notional;
        apply(set);
    }
    [[nodiscard]] Reason refused() const {
        return reported_.back().kind == EventKind::rejected ? reported_.back().reason
                                                            : Reason::none;
    }

    /// The peg of a participant with a limit follows another participant's bid, in another shard.
    void move_a_peg(bool after_restart) {
        for (const std::uint32_t id : {1U, 2U}) add_instrument(id);
        const auto bid = [&](std::int64_t price) {
            Command command = order(1, Side::buy, price, 1);
            command.participant = ParticipantId{2};
            apply(command);
        };
        bid(10);
        limit(LimitDetails::k_unlimited, 1'000);
        Command pegged = order(1, Side::buy, 0, 10);
        pegged.order_type = OrderType::market;
        pegged.flags = CommandFlags::k_pegged | CommandFlags::k_hidden;
        pegged.order.peg = PegReference::primary;
        apply(pegged);
        if (after_restart) {
            partition_ = std::make_unique<Partition>(k_config, 3);
            partition_->take_over(saved_bytes(
                [&](auto& archive) { Engine::transfer(std::as_const(engine_), archive); }));
        }
        apply(order(2, Side::buy, 10, 10));
        EXPECT_EQ(refused(), Reason::none);
        bid(80);
        apply(order(2, Side::buy, 10, 11));
        EXPECT_EQ(refused(), Reason::limit_open_notional) << "900 are open";
        apply(order(2, Side::buy, 10, 10));
        EXPECT_EQ(refused(), Reason::none);
    }

    static constexpr std::int64_t k_huge = k_largest_maximum_quantity.value;
    EventRecorder recorder_;
    EngineInto<EventRecorder> engine_{k_config, recorder_};
    std::unique_ptr<Partition> partition_ = std::make_unique<Partition>(k_config, 3);
    std::vector<Event> reported_;
};

TEST_F(Shards, OpenValueIsLimitedAcrossShards) {
    for (const std::uint32_t id : {1U, 2U, 3U}) add_instrument(id);
    limit(LimitDetails::k_unlimited, 1'000);
    apply(order(1, Side::buy, 10, 40));
    apply(order(2, Side::buy, 10, 40));
    apply(order(3, Side::buy, 10, 21));
    EXPECT_EQ(refused(), Reason::limit_open_notional);
    apply(order(3, Side::buy, 10, 20));
    EXPECT_EQ(refused(), Reason::none) << "exactly up to the limit";
    Command cancel{};
    cancel.kind = CommandKind::cancel_order;
    cancel.instrument = InstrumentId{1};
    cancel.participant = ParticipantId{1};
    cancel.order_id = OrderId{allocated_id(InstrumentId{1}, 1)};
    apply(cancel);
    apply(order(2, Side::buy, 10, 40));
    EXPECT_EQ(refused(), Reason::none) << "a new reading finds released value";
}

TEST_F(Shards, OpenOrdersAreLimitedAcrossShards) {
    for (const std::uint32_t id : {1U, 2U, 3U}) add_instrument(id);
    limit(2, LimitDetails::k_unlimited);
    for (const std::uint32_t id : {1U, 2U}) apply(order(id, Side::buy, 10, 1));
    EXPECT_EQ(refused(), Reason::none);
    apply(order(3, Side::buy, 10, 1));
    EXPECT_EQ(refused(), Reason::limit_open_orders);
}

TEST_F(Shards, AQuoteIsTwoOrders) {
    for (const std::uint32_t id : {1U, 2U}) add_instrument(id);
    limit(2, LimitDetails::k_unlimited);
    apply(order(1, Side::buy, 10, 1));
    Command quote = order(2, Side::buy, 10, 1);
    quote.kind = CommandKind::quote;
    quote.quote = {Price{20}, Quantity{1}};
    apply(quote);
    EXPECT_EQ(refused(), Reason::limit_open_orders);
}

TEST_F(Shards, ARepricedOrderCountsAtItsNewPrice) {
    for (const std::uint32_t id : {1U, 2U}) add_instrument(id);
    Command bid = order(2, Side::buy, 500, 1);
    bid.participant = ParticipantId{2};
    apply(bid);
    limit(LimitDetails::k_unlimited, 1'000);
    apply(order(1, Side::buy, 10, 50));
    // It would count 1 at the requested price, but counts 501 at its new price.
    Command sell = order(2, Side::sell, 1, 1);
    sell.flags = CommandFlags::k_post_only_reprice;
    apply(sell);
    EXPECT_EQ(refused(), Reason::limit_open_notional);
}

TEST_F(Shards, AnOrderAtTheEdgeOfABandCountsAtIt) {
    for (const std::uint32_t id : {1U, 2U}) add_instrument(id);
    limit(LimitDetails::k_unlimited, 1'000);
    Command band{};
    band.kind = CommandKind::set_price_band;
    band.instrument = InstrumentId{1};
    band.price_band = {.lower = Price{50}, .upper = Price{200}};
    apply(band);
    apply(order(1, Side::sell, 10, 10));
    EXPECT_EQ(refused(), Reason::none);
    apply(order(2, Side::buy, 10, 60));
    EXPECT_EQ(refused(), Reason::limit_open_notional) << "500 are open";
}

TEST_F(Shards, AMarketOrderCountsAtTheLastPrice) {
    for (const std::uint32_t id : {1U, 2U}) add_instrument(id);
    for (const Side side : {Side::buy, Side::sell}) {
        Command trade = order(2, side, 500, 1);
        trade.participant = ParticipantId{2};
        apply(trade);
    }
    limit(LimitDetails::k_unlimited, 1'000);
    apply(order(1, Side::buy, 10, 60));
    Command market = order(2, Side::sell, 0, 1);
    market.order_type = OrderType::market;
    apply(market);
    EXPECT_EQ(refused(), Reason::limit_open_notional);
}

TEST_F(Shards, AnOpenValueBeyond64BitsIsRejectedAcrossShards) {
    for (const std::uint32_t id : {1U, 2U}) add_instrument(id, 0, true);
    apply(order(1, Side::buy, 80'000'000, k_huge));
    EXPECT_EQ(refused(), Reason::none);
    apply(order(2, Side::buy, 80'000'000, k_huge));
    EXPECT_EQ(refused(), Reason::limit_open_notional);
    apply(order(2, Side::buy, 40'000'000, k_huge));
    EXPECT_EQ(refused(), Reason::none);
}

TEST_F(Shards, APeggedOrderThatMovesCountsAtItsNewPrice) { move_a_peg(false); }

TEST_F(Shards, APeggedOrderFromBeforeARestartCountsAtItsNewPrice) { move_a_peg(true); }

TEST_F(Shards, ATrailingStopThatMovesCountsAtItsNewPrice) {
    for (const std::uint32_t id : {1U, 2U}) add_instrument(id);
    const auto trade = [&](std::int64_t price) {
        for (const Side side : {Side::buy, Side::sell}) {
            Command command = order(1, side, price, 1);
            command.participant = ParticipantId{2};
            apply(command);
        }
    };
    trade(20);
    limit(LimitDetails::k_unlimited, 1'000);
    Command trailing = order(1, Side::sell, 0, 10);
    trailing.order_type = OrderType::stop;
    trailing.flags = CommandFlags::k_trailing;
    trailing.order.offset = Price{10};
    apply(trailing);
    EXPECT_EQ(refused(), Reason::none);
    apply(order(2, Side::buy, 1, 1));
    trade(90);
    apply(order(2, Side::buy, 10, 20));
    EXPECT_EQ(refused(), Reason::limit_open_notional) << "801 are open";
}

TEST_F(Shards, AnOrderAtTheLastAuctionPriceCountsAtIt) {
    for (const std::uint32_t id : {1U, 2U}) add_instrument(id);
    to_phase(CommandKind::set_phase, Phase::call);
    for (const Side side : {Side::buy, Side::sell}) {
        Command command = order(1, side, 90, 1);
        command.participant = ParticipantId{2};
        apply(command);
    }
    to_phase(CommandKind::uncross, Phase::at_last);
    limit(LimitDetails::k_unlimited, 1'000);
    apply(order(1, Side::sell, 10, 10));
    apply(order(2, Side::buy, 10, 11));
    EXPECT_EQ(refused(), Reason::limit_open_notional) << "900 are open";
}

TEST_F(Shards, AnOrderThatMovesMayTakeTheOpenValueBeyond64Bits) {
    constexpr std::int64_t k_quantity = std::int64_t{1} << 32U;  // the most in auctions
    constexpr std::int64_t k_highest = std::numeric_limits<std::int64_t>::max() / k_quantity;
    InstrumentDetails details = fine_stock();
    details.maximum_price = Price{k_highest};
    details.maximum_quantity = Quantity{k_quantity};
    details.unpublished = 1;
    apply(instrument_command(1, details));
    add_instrument(2, 0, true);
    // The last auction price is the highest that there is.
    to_phase(CommandKind::set_phase, Phase::call);
    for (const Side side : {Side::buy, Side::sell}) {
        Command command = order(1, side, k_highest, 1);
        command.participant = ParticipantId{2};
        apply(command);
    }
    to_phase(CommandKind::uncross, Phase::at_last);
    apply(order(2, Side::buy, 80'000'000, k_huge));
    apply(order(1, Side::sell, 10, k_quantity));
    EXPECT_EQ(refused(), Reason::none) << "it rests at the last auction price";
    apply(order(2, Side::buy, 1, 1));
    EXPECT_EQ(refused(), Reason::limit_open_notional);
    Command cancel{};
    cancel.kind = CommandKind::mass_cancel;
    cancel.instrument = InstrumentId{1};
    cancel.flags = CommandFlags::k_both_sides;
    apply(cancel);
    apply(order(2, Side::buy, 1, 1));
    EXPECT_EQ(refused(), Reason::none);
}

TEST_F(Shards, TheLastFreeOrderSlotIsSharedByAllShards) {
    for (const std::uint32_t id : {1U, 2U, 3U}) add_instrument(id);
    for (std::uint32_t i = 0; i < k_config.maximum_orders; ++i)
        apply(order(1 + i % 3, Side::buy, 10, 1));
    EXPECT_EQ(refused(), Reason::none);
    apply(order(1, Side::buy, 10, 1));
    EXPECT_EQ(refused(), Reason::orders_full);
}

TEST_F(Shards, InstrumentsOfAGroupShareAShardAndOthersAreDistributed) {
    add_instrument(1, 7);
    add_instrument(2);
    add_instrument(3);
    add_instrument(4, 7);
    add_instrument(5);
    EXPECT_EQ(partition_->shard_of(InstrumentId{1}), 7 % 3U);
    EXPECT_EQ(partition_->shard_of(InstrumentId{4}), 7 % 3U);
    EXPECT_EQ(partition_->shard_of(InstrumentId{2}), 1U);
    EXPECT_EQ(partition_->shard_of(InstrumentId{3}), 2U);
    EXPECT_EQ(partition_->shard_of(InstrumentId{5}), 1U);
}

TEST_F(Shards, AnInstrumentKeepsItsShardWhenAddedAgain) {
    add_instrument(1);
    Command again{};
    again.kind = CommandKind::add_instrument;
    again.instrument = InstrumentId{1};
    again.definition = {.tick_size = Price{1}, .shard_group = 2};
    apply(again);
    EXPECT_EQ(refused(), Reason::duplicate_instrument);
    EXPECT_EQ(partition_->shard_of(InstrumentId{1}), 0U);
    again.instrument = InstrumentId{9};
    apply(again);
    EXPECT_EQ(refused(), Reason::invalid_instrument);
}

TEST_F(Shards, ACommandIsIndependentWhileSharedLimitsCannotBind) {
    for (const std::uint32_t id : {1U, 2U}) add_instrument(id);
    EXPECT_TRUE(partition_->is_independent(order(1, Side::buy, 10, 1)));
    limit(1, LimitDetails::k_unlimited);
    EXPECT_TRUE(partition_->is_independent(order(1, Side::buy, 10, 1)));
    EXPECT_FALSE(partition_->is_independent(order(2, Side::buy, 10, 1)))
        << "the first may have used the remaining budget";
    EXPECT_TRUE(partition_->is_independent_after_look(order(2, Side::buy, 10, 1)))
        << "it did not, as it was never applied";
    Command all{};
    all.kind = CommandKind::mass_cancel;
    EXPECT_FALSE(partition_->is_independent_after_look(all));
}

}  // namespace
}  // namespace damrak::sequencer::shards_test
