// The flow of the ingest study, and one short run of its first and last step over virtual cards.
#include <algorithm>
#include <array>
#include <cstdint>
#include <expected>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <damrak/lab/ingest/flow.hpp>
#include <damrak/lab/ingest/study.hpp>
#include <damrak/lab/ladder/rungs.hpp>
#include <damrak/net/network_namespace.hpp>

namespace damrak::lab::ingest::ingest_test {
namespace {

/// Counts what an engine answers.
struct Count {
    std::uint64_t trades = 0;
    std::uint64_t refused_orders = 0;
    bool cancels = false;

    template <class Trade>
    void trade(const Trade&) {
        ++trades;
    }
    template <class Reason>
    void refused(const Reason&) {
        if (!cancels) ++refused_orders;
    }
};

template <std::size_t k_rung>
Count apply_twice(const std::vector<ladder::Request>& flow) {
    ladder::Rung<k_rung> engine{setup()};
    Count count;
    for (int round = 0; round < 2; ++round) {
        for (const ladder::Request& request : flow) {
            count.cancels = request.op == ladder::Op::cancel;
            engine.apply(request, count);
        }
    }
    return count;
}

TEST(IngestFlow, MayBeginAgainWhenItHasEnded) {
    const auto flow = make_flow(42);
    const Count maps = apply_twice<0>(flow);
    EXPECT_EQ(maps.refused_orders, 0U) << "an id was still open";
    EXPECT_GT(maps.trades, flow.size() / 10);
    EXPECT_EQ(maps.trades % 2, 0U) << "both rounds trade the same";
    const Count product = apply_twice<10>(flow);
    EXPECT_EQ(product.refused_orders, 0U);
    EXPECT_EQ(product.trades, maps.trades);
}

TEST(IngestFlow, ThePublishedOneHasBurstsOfLimitOrdersWithinTenTicks) {
    const auto flow = make_published_flow(42);
    ASSERT_EQ(flow.size(), std::size_t{k_burst_orders} * k_bursts);
    std::set<std::int32_t> prices;
    std::set<std::uint32_t> quantities;
    for (std::size_t i = 0; i < flow.size(); ++i) {
        EXPECT_EQ(flow[i].op, ladder::Op::limit);
        EXPECT_EQ(flow[i].id, i + 1);
        prices.insert(flow[i].price_ticks);
        quantities.insert(flow[i].quantity);
    }
    EXPECT_EQ(prices.size(), 10U);
    EXPECT_EQ(*prices.rbegin() - *prices.begin(), 9);
    EXPECT_EQ(quantities.size(), 100U);
    EXPECT_EQ(*quantities.rbegin(), 100U);
    std::vector<ladder::Request> round = flow;
    for (const auto& order : flow) round.push_back(cancel_of(order));
    const Count product = apply_twice<10>(round);
    EXPECT_EQ(product.refused_orders, 0U) << "an id was still open, or there was no room";
    EXPECT_GT(product.trades, flow.size() / 2);
}

TEST(IngestFlow, IsDrawnFromTheSeed) {
    const auto price = [](const ladder::Request& request) { return request.price_ticks; };
    const auto one = make_flow(1);
    const auto same = make_flow(1);
    const auto other = make_flow(2);
    ASSERT_EQ(one.size(), same.size());
    bool differs = one.size() != other.size();
    for (std::size_t i = 0; i < one.size(); ++i) {
        EXPECT_EQ(price(one[i]), price(same[i]));
        differs = differs || price(one[i]) != price(other[i]);
    }
    EXPECT_TRUE(differs);
}

TEST(IngestFlow, EachSenderHasIdsOfItsOwn) {
    std::set<std::uint64_t> ids;
    std::size_t expected = 0;
    for (const auto& flow : {make_flow(42), make_flow_of(1, 42), make_flow_of(2, 42)}) {
        std::set<std::uint64_t> own;
        for (const ladder::Request& request : flow) own.insert(request.id);
        EXPECT_GT(*own.begin(), 0U);
        EXPECT_LE(*own.rbegin(), setup(3).orders);
        expected += own.size();
        ids.merge(own);
    }
    EXPECT_EQ(ids.size(), expected);
    EXPECT_GT(*ids.rbegin(), k_pairs_from + 2 * k_pairs) << "beside those of the round trips";
}

TEST(IngestStudy, TheStepsAreNamedApartAndLeadToTheProduct) {
    std::set<std::string_view> names;
    for (const Step& step : steps()) names.insert(step.name);
    EXPECT_EQ(names.size(), steps().size());
    const Step& product = steps()[product_step()];
    const Step& three = steps()[product_step() + 1];
    const Step& generic = steps().back();
    EXPECT_EQ(product.rung, 10U);
    EXPECT_EQ(product.threads, Threads::one);
    EXPECT_EQ(three.threads, Threads::three);
    for (const Step* step : {&three, &generic}) EXPECT_EQ(step->rung, product.rung);
    EXPECT_EQ(product.mode, net::XdpMode::native);
    EXPECT_EQ(three.mode, net::XdpMode::native);
    EXPECT_EQ(generic.mode, net::XdpMode::generic);
}

bool has_measured(const std::expected<Run, std::string>& run) {
    if (!run || run->round_trip_ns.count() == 0 || run->recorded_per_s.empty()) return false;
    return std::ranges::all_of(std::array{&run->bursts, &run->paced, &run->flood},
                               [](const Load* load) { return load->from_later_ns.count() > 0; });
}

/// On a busy machine a short run may miss all of a load: twice as long each time.
std::expected<Run, std::string> run_until_measured(const Step& step) {
    constexpr double k_longest_s = 4;
    std::expected<Run, std::string> run;
    for (double seconds = 0.05; seconds < k_longest_s; seconds *= 2) {
        run = run_step(step, {.seconds = seconds, .round_trips = 50, .senders = 2});
        if (has_measured(run)) break;
    }
    return run;
}

TEST(IngestStudy, AStepMeasuresOrdersTradesAndRoundTrips) {
    if (const auto pair = net::VethPair::make(); !pair) GTEST_SKIP() << pair.error();
    const Step& three_threads = steps()[product_step() + 1];
    for (const Step* step : {&steps().front(), &three_threads, &steps().back()}) {
        const auto run = run_until_measured(*step);
        ASSERT_TRUE(run) << run.error();
        for (const Load* load : {&run->bursts, &run->paced, &run->flood}) {
            EXPECT_GT(load->sent, 0U) << step->name;
            EXPECT_GT(load->received, 0U) << step->name;
            EXPECT_LE(load->received, load->sent) << step->name;
            EXPECT_GE(load->lost(), 0.0);
            EXPECT_LT(load->lost(), 1.0);
            EXPECT_GT(load->from_later_ns.count(), 0U) << step->name;
            EXPECT_EQ(load->from_later_ns.count(), load->from_earlier_ns.count());
            EXPECT_LE(load->from_later_ns.percentile(50), load->from_earlier_ns.percentile(50));
        }
        EXPECT_GT(run->round_trip_ns.count(), 0U) << step->name;
        EXPECT_EQ(run->orders_per_s.size(), run->trades_per_s.size());
        EXPECT_FALSE(run->recorded_per_s.empty()) << step->name;
        EXPECT_EQ(run->path.find("publisher") != std::string::npos, step == &three_threads)
            << run->path;
    }
}

}  // namespace
}  // namespace damrak::lab::ingest::ingest_test
