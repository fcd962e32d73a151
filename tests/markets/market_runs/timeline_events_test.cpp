// Events of the timeline that trade, or change what participants may do: what they mean in the
// file, what they do, and that all others draw as before.
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <damrak/market_runs/run.hpp>

namespace damrak::market_runs::timeline_events_test {
namespace {

using ::testing::HasSubstr;

constexpr const char* k_market = R"(duration = "40s"
[[instrument]]
symbol = "AAA"
[[instrument]]
symbol = "BBB"
[[participants]]
kind = "noise"
count = 20
orders_per_s = 2
latency = "1ms"
[[participants]]
kind = "fixed-maker"
name = "makers"
levels = 5
)";

constexpr const char* k_all = R"(
[[timeline]]
at = "30s"
for = "2s"
event = "quote_stuffing"
instrument = "BBB"
orders_per_s = 700
ticks_away = 9
name = "stuffer"
[[timeline]]
at = "10s"
for = "10s"
event = "sell_programme"
quantity = 2_000
participation = 0.25
order_latency = "3ms"
[[timeline]]
at = "10s"
event = "sell_programme"
name = "buy programme"
side = "buy"
quantity = 500
interval = "2s"
limit_price = 101.5
[[timeline]]
at = "5s"
for = "1s"
event = "fat_finger"
instrument = "AAA"
quantity = 9_000
ticks_through = 40
[[timeline]]
at = "20s"
for = "5s"
event = "limits"
group = "noise"
order_quantity = 10
)";

MarketFile parsed(const std::string& timeline) {
    auto file = parse_market_file(k_market + timeline, "test");
    EXPECT_TRUE(file) << file.error();
    return *std::move(file);
}

std::string entry(const std::string& event, const std::string& rest) {
    return "[[timeline]]\nat = \"10s\"\nevent = \"" + event + "\"\n" + rest;
}

std::string mistake_in(const std::string& event, const std::string& rest) {
    const auto file = parse_market_file(k_market + entry(event, rest), "test");
    return file ? "no mistake" : file.error();
}

/// What each group did, by time since the beginning.
class GroupWatch final : public market_kernel::MarketWatcher {
  public:
    struct Sent {
        std::int64_t at_ns;
        std::uint32_t participant;
        CommandKind kind;
        Side side;
        std::int64_t price;
        std::int64_t quantity;
        friend bool operator==(const Sent&, const Sent&) = default;
    };
    explicit GroupWatch(const MarketFile& file) {
        for (const GroupDescription& group : file.groups)
            groups_.insert(groups_.end(), group.count, group.name);
    }
    void on_sent(ParticipantId id, const Command& command, Timestamp time) override {
        sent[groups_[id.value - 1]].push_back({time.value - k_begin_ns, id.value, command.kind,
                                               command.side, command.price.value,
                                               command.quantity.value});
    }
    void on_event(const Event& event, const CommandStamp& stamp) override {
        if (event.kind == EventKind::rejected)
            rejected[event.reason].push_back(stamp.timestamp.value - k_begin_ns);
        if (event.kind != EventKind::executed) return;
        const std::string& group = groups_[event.participant.value - 1];
        traded[group] += event.quantity.value;
        lowest.try_emplace(group, event.price.value);
        lowest[group] = std::min(lowest[group], event.price.value);
    }
    static inline const std::int64_t k_begin_ns = market_kernel::MarketSetup{}.begin.value;
    std::map<std::string, std::vector<Sent>> sent;
    std::map<std::string, std::int64_t> traded;
    std::map<Reason, std::vector<std::int64_t>> rejected;
    std::map<std::string, std::int64_t> lowest;  ///< price at which it traded

  private:
    std::vector<std::string> groups_;
};

RunResult run_watched(const MarketFile& file, GroupWatch& watch) {
    RunOptions options{.seed = 5};
    options.watchers = {&watch};
    const auto run = run_market(file, options);
    EXPECT_TRUE(run && run->is_complete && run->faults.empty());
    return *run;
}

TEST(TimelineEvents, TradeAsParticipantsThatComeAfterTheGroups) {
    const MarketFile file = parsed(k_all);
    EXPECT_EQ(file.participants(), 25U);
    std::vector<std::string> names;
    for (const GroupDescription& group : file.groups) names.push_back(group.name);
    EXPECT_THAT(names, ::testing::ElementsAre("noise", "makers", "fat_finger", "sell_programme",
                                              "buy programme", "stuffer"));
    EXPECT_EQ(file.groups[2].instruments, (std::vector<InstrumentId>{{1}}));
    EXPECT_EQ(file.groups[3].kind->name, "pov");
    EXPECT_EQ(file.groups[3].instruments.size(), 2U);
    EXPECT_EQ(file.groups[3].connection.orders.base_ns, 3'000'000);
    EXPECT_EQ(file.groups[4].kind->name, "twap");
}

TEST(TimelineEvents, TheirDescriptionIsTheSameMarket) {
    const MarketFile file = parsed(k_all);
    const std::string text = describe(file);
    const auto again = parse_market_file(text, "described");
    ASSERT_TRUE(again) << again.error() << '\n' << text;
    EXPECT_EQ(describe(*again), text);
    EXPECT_EQ(identity_of(*again), identity_of(file));
    EXPECT_EQ(run_market(*again, {.seed = 2})->hash, run_market(file, {.seed = 2})->hash);
    EXPECT_NE(run_market(file, {.seed = 2})->hash, run_market(file, {.seed = 3})->hash);
}

TEST(TimelineEvents, TheSameSeedGivesTheSameMarketOnEveryMachine) {
    const auto run = run_market(parsed(k_all), {.seed = 2});
    ASSERT_TRUE(run) << run.error();
    EXPECT_EQ(run->hash, 0x98b1510d2134dbf1U);
    EXPECT_EQ(run_market(parsed(k_all), {.seed = 2})->hash, run->hash);
}

TEST(TimelineEvents, AllOthersDrawAsBefore) {
    const MarketFile plain = parsed("");
    GroupWatch without{plain};
    run_watched(plain, without);
    const MarketFile eventful = parsed(k_all);
    GroupWatch with{eventful};
    run_watched(eventful, with);
    // Until the first event nothing differs; later noise answers to other prices, but at the same
    // times and on the same sides.
    const auto entries = [](const GroupWatch& watch, const char* group, std::int64_t until_ns) {
        std::vector<GroupWatch::Sent> all;
        for (const auto& one : watch.sent.at(group))
            if (one.at_ns < until_ns) all.push_back(one);
        return all;
    };
    constexpr std::int64_t k_first_event = 5 * k_second_ns;
    EXPECT_EQ(entries(with, "noise", k_first_event), entries(without, "noise", k_first_event));
    EXPECT_EQ(entries(with, "makers", k_first_event), entries(without, "makers", k_first_event));
    EXPECT_GT(entries(with, "noise", k_first_event).size(), 100U);
    const auto times = [](const GroupWatch& watch) {
        std::vector<std::pair<std::int64_t, Side>> all;
        for (const auto& one : watch.sent.at("noise"))
            if (one.kind == CommandKind::new_order) all.emplace_back(one.at_ns, one.side);
        return all;
    };
    EXPECT_EQ(times(with), times(without));
    EXPECT_GT(times(with).size(), 1'000U);
}

TEST(TimelineEvents, AnEventAfterTheEndChangesNothingButTheHash) {
    const MarketFile plain = parsed("");
    MarketFile shorter = parsed(k_all);
    shorter.duration_ns = 4 * k_second_ns;
    MarketFile plain_shorter = plain;
    plain_shorter.duration_ns = 4 * k_second_ns;
    GroupWatch without{plain};
    GroupWatch with{shorter};
    const RunResult a = run_watched(plain_shorter, without);
    const RunResult b = run_watched(shorter, with);
    EXPECT_EQ(with.sent, without.sent);
    EXPECT_EQ(a.counts.events, b.counts.events);
}

TEST(TimelineEvents, AProgrammeSellsItsShareOfTheVolumeOfOthers) {
    const MarketFile file = parsed(
        entry("sell_programme", "quantity = 1_000_000\nparticipation = 0.2\ninstrument = \"AAA\""));
    GroupWatch watch{file};
    const RunResult run = run_watched(file, watch);
    const std::int64_t sold = watch.traded["sell_programme"];
    EXPECT_GT(sold, 100);
    EXPECT_LT(sold, 1'000'000);
    const auto& groups = run.instruments[0].groups;
    ASSERT_EQ(groups.size(), 3U);
    EXPECT_EQ(groups[2].group, "sell_programme");
    EXPECT_EQ(groups[2].position, -sold);
    EXPECT_EQ(run.instruments[1].groups[2].position, 0) << "not in BBB";
    for (const auto& one : watch.sent["sell_programme"]) EXPECT_GE(one.at_ns, 10 * k_second_ns);
}

TEST(TimelineEvents, AProgrammeWithoutAShareSellsEvenlyOverItsTime) {
    const MarketFile file =
        parsed(entry("sell_programme", "for = \"10s\"\nquantity = 500\ninterval = \"1s\""));
    GroupWatch watch{file};
    const RunResult run = run_watched(file, watch);
    EXPECT_EQ(watch.traded["sell_programme"], 1'000) << "500 in each instrument";
    EXPECT_EQ(run.instruments[1].groups[2].position, -500);
    for (const auto& one : watch.sent["sell_programme"]) {
        EXPECT_GE(one.at_ns, 10 * k_second_ns);
        EXPECT_LE(one.at_ns, 20 * k_second_ns);
    }
}

TEST(TimelineEvents, AFatFingerTradesDownToItsLimit) {
    const MarketFile file =
        parsed(entry("fat_finger",
                     "instrument = \"AAA\"\nquantity = 100_000\nticks_through = 30\nfor = \"1s\""));
    GroupWatch watch{file};
    run_watched(file, watch);
    const auto& sent = watch.sent["fat_finger"];
    ASSERT_EQ(sent.size(), 2U) << "the order and its cancel";
    EXPECT_EQ(sent[0].at_ns, 10 * k_second_ns);
    EXPECT_EQ(sent[1].at_ns, 11 * k_second_ns);
    EXPECT_GT(watch.traded["fat_finger"], 500);
    EXPECT_GE(watch.lowest["fat_finger"], sent[0].price);
    EXPECT_LT(watch.lowest["fat_finger"], sent[0].price + 25 * 100) << "deep in the book";
}

TEST(TimelineEvents, QuoteStuffingSendsAtItsRateAndNeverTrades) {
    const MarketFile file =
        parsed(entry("quote_stuffing", "for = \"2s\"\norders_per_s = 500\nticks_away = 8"));
    GroupWatch watch{file};
    run_watched(file, watch);
    const auto& sent = watch.sent["quote_stuffing"];
    EXPECT_EQ(sent.size(), 2 * 2 * 500U) << "an order and a cancel each time";
    EXPECT_EQ(sent.front().at_ns, 10 * k_second_ns);
    EXPECT_EQ(sent.back().at_ns, 12 * k_second_ns - 2'000'000);
    EXPECT_EQ(watch.traded["quote_stuffing"], 0);
}

TEST(TimelineEvents, LimitsHoldForTheirGroupAndTheirTime) {
    const MarketFile file =
        parsed(entry("limits", "for = \"5s\"\ngroup = \"noise\"\norder_quantity = 1"));
    GroupWatch watch{file};
    run_watched(file, watch);
    const auto& rejects = watch.rejected[Reason::limit_order_quantity];
    ASSERT_GT(rejects.size(), 50U);
    EXPECT_GE(rejects.front(), 10 * k_second_ns);
    EXPECT_LE(rejects.back(), 15 * k_second_ns);
    const MarketFile of_all = parsed(entry("limits", "open_orders = 0"));
    GroupWatch none{of_all};
    run_watched(of_all, none);
    EXPECT_GT(none.rejected[Reason::limit_open_orders].size(), 100U);
}

TEST(TimelineEvents, MistakesSayWhatIsWrong) {
    EXPECT_THAT(mistake_in("sell_programme", ""),
                HasSubstr("the event sell_programme needs a quantity"));
    EXPECT_THAT(mistake_in("fat_finger", "ticks_through = 3"),
                HasSubstr("the event fat_finger needs a quantity"));
    EXPECT_THAT(mistake_in("fat_finger", "quantity = 0"), HasSubstr("quantity must be a whole"));
    EXPECT_THAT(mistake_in("fat_finger", "quantity = 9\nside = \"long\""),
                HasSubstr("side must be one of \"buy\", \"sell\""));
    EXPECT_THAT(mistake_in("fat_finger", "quantity = 9\nparticipation = 0.1"),
                HasSubstr("unknown key 'participation'"));
    EXPECT_THAT(mistake_in("sell_programme", "quantity = 9\nparticipation = 0"),
                HasSubstr("participation must be a number from"));
    EXPECT_THAT(mistake_in("sell_programme", "quantity = 9\nstart = \"1s\""),
                HasSubstr("unknown key 'start'"));
    EXPECT_THAT(mistake_in("sell_programme", "quantity = 9\ninstrument = \"CCC\""),
                HasSubstr("there is no instrument \"CCC\""));
    EXPECT_THAT(mistake_in("sell_programme", "quantity = 9\nname = \"makers\""),
                HasSubstr("there is a group of the name \"makers\": give the event another"));
    EXPECT_THAT(
        mistake_in("sell_programme", "quantity = 9\n" + entry("sell_programme", "quantity = 9")),
        HasSubstr("there is a group of the name \"sell_programme\""));
    EXPECT_THAT(mistake_in("sell_programme", "quantity = 9\ngroup = \"makers\""),
                HasSubstr("unknown key 'group'"));
    EXPECT_THAT(mistake_in("quote_stuffing", "orders_per_s = 0"),
                HasSubstr("orders_per_s must be a number from 1 to"));
    EXPECT_THAT(mistake_in("limits", "group = \"makers\""),
                HasSubstr("needs order_quantity, open_orders or position"));
    EXPECT_THAT(mistake_in("limits", "position = -1"), HasSubstr("position must be a whole"));
    EXPECT_THAT(mistake_in("limits", "position = 1\ngroup = \"nobody\""),
                HasSubstr("there is no group \"nobody\""));
    EXPECT_THAT(mistake_in("tick_size", ""), HasSubstr("event must be one of"));
}

}  // namespace
}  // namespace damrak::market_runs::timeline_events_test
