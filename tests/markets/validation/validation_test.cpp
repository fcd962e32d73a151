// Every check passes, and each planted fault is found by the check that is there for it.
#include <damrak/validation/validation.hpp>

#include <cmath>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include <damrak/market_kernel/market.hpp>
#include <damrak/market_runs/detail/by_group.hpp>
#include <damrak/market_runs/market_file.hpp>
#include <damrak/validation/default_market.hpp>
#include <damrak/validation/facts.hpp>

namespace damrak::validation::validation_test {
namespace {

CheckResult run(std::string_view name, const Subjects& subjects) {
    for (const Check& check : checks())
        if (check.name == name) return run_check(check, subjects);
    ADD_FAILURE() << "no check " << name;
    return {};
}

std::string text_of(const CheckResult& result) {
    std::string text = result.name + " " + result.error;
    for (const Finding& f : result.findings)
        if (!f.passed())
            text += "\n  " + f.name + ": " + std::to_string(f.estimate) + " instead of " +
                    std::to_string(f.low) + " .. " + std::to_string(f.high) + ", allowed " +
                    std::to_string(f.allowed());
    return text;
}

class Checks : public ::testing::TestWithParam<std::string> {};

TEST_P(Checks, Passes) {
    const CheckResult result = run(GetParam(), real_subjects());
    EXPECT_TRUE(result.passed()) << text_of(result);
    for (const Finding& finding : result.findings) EXPECT_TRUE(finding.tested) << finding.name;
}

TEST(Check, SaysOfEachFindingWhatWasTested) {
    const CheckResult result = run("quotes", real_subjects());
    for (const Finding& finding : result.findings)
        EXPECT_EQ(finding.tested, finding.name.find("in_the_market") == std::string::npos
                                      ? Tested::formula
                                      : Tested::engine)
            << finding.name;
}

std::vector<std::string> names() {
    std::vector<std::string> all;
    for (const Check& check : checks()) all.emplace_back(check.name);
    return all;
}

INSTANTIATE_TEST_SUITE_P(All, Checks, ::testing::ValuesIn(names()), [](const auto& test) {
    std::string name = test.param;
    for (char& c : name)
        if (c == '-') c = '_';
    return name;
});

TEST(Finding, PassesWithinFourErrorsOrTheTolerance) {
    EXPECT_TRUE(equals("a", 1, 1.39, .1, 0, 9, "runs").passed());
    EXPECT_FALSE(equals("a", 1, 1.41, .1, .3, 9, "runs").passed());
    EXPECT_TRUE(equals("a", 1, 1.29, .01, .3, 9, "runs").passed());
    EXPECT_FALSE(equals("a", 1, std::nan(""), .01, .3, 9, "runs").passed());
    EXPECT_TRUE((Finding{"a", 1, 2, 1.5}).passed());
    EXPECT_FALSE((Finding{"a", 1, 2, 2.01}).passed());
    EXPECT_DOUBLE_EQ((Finding{"a", 1, 2, 0.5}).distance(), 0.5);
}

TEST(CheckResult, WithoutFindingsItHasNotPassed) {
    const Check nothing{"nothing", "", Tested::formula,
                        [](const Subjects&) { return std::vector<Finding>{}; }};
    EXPECT_FALSE(run_check(nothing, real_subjects()).passed());
    const Check broken{"broken", "", Tested::formula, [](const Subjects&) -> std::vector<Finding> {
                           throw std::runtime_error{"broken"};
                       }};
    EXPECT_EQ(run_check(broken, real_subjects()).error, "broken");
    EXPECT_FALSE(run_check(broken, real_subjects()).passed());
}

TEST(DefaultMarket, IsAnExample) {
    const auto file = market_runs::read_market_file("examples/markets/stylised_facts.toml");
    ASSERT_TRUE(file) << file.error();
    EXPECT_EQ(market_runs::describe(default_market()), market_runs::describe(*file));
}

// Of seed 1; docs/how-to/validate.md says how often other seeds are inside.
TEST(DefaultMarket, IsInsideTheBandsOfTheStylisedFacts) {
    const market_runs::MarketFile file = default_market();
    market_kernel::MarketSetup setup = market_runs::make_setup(file, 1);
    std::vector<std::string> groups;
    for (const market_kernel::Seat& seat : setup.seats) groups.push_back(seat.group);
    market_runs::MarketMeasures measures{
        setup.instruments[0].id,
        {.tick = setup.instruments[0].tick_bands[0].tick_size.value},
        groups,
        setup.exchange};
    const Timestamp end{setup.begin.value + file.duration_ns};
    market_kernel::Market market{std::move(setup), {&measures}};
    ASSERT_TRUE(market.run_until(end));
    const auto facts = stylised_facts(measures.finish(end), nullptr);
    EXPECT_EQ(facts.size(), 9U);
    for (const Fact& fact : facts)
        EXPECT_TRUE(fact.holds(fact.market)) << fact.name << ' ' << fact.market.value_or(0);
}

TEST(StylisedFacts, OfADayStandBesideThoseOfAMarket) {
    measures::Results market;
    measures::Results day;
    market.add("merged_sign_autocorrelation_1", "1", .4, 100);
    market.add("merged_sign_autocorrelation_10", "1", .2, 100);
    market.add("excess_kurtosis_1s", "1", 5, 100);
    market.add("excess_kurtosis_10s", "1", 6, 100);
    day.add("excess_kurtosis_1s", "1", -1, 100);
    for (const Fact& fact : stylised_facts(market, &day)) {
        if (fact.name == "sign_decay") {
            EXPECT_NEAR(fact.market.value_or(0), .30103, 1e-5);
            EXPECT_TRUE(fact.holds(fact.market));
            EXPECT_FALSE(fact.day);
            EXPECT_FALSE(fact.holds(fact.day)) << "what is not measured does not hold";
        } else if (fact.name == "excess_kurtosis_1s") {
            EXPECT_EQ(fact.market, 5);
            EXPECT_EQ(fact.day, -1);
            EXPECT_TRUE(fact.holds(fact.market));
            EXPECT_FALSE(fact.holds(fact.day));
        } else if (fact.name == "kurtosis_1s_less_10s") {
            EXPECT_EQ(fact.market, -1);
            EXPECT_FALSE(fact.holds(fact.market));
        } else {
            EXPECT_FALSE(fact.market) << fact.name;
        }
    }
}

TEST(PlantedFaults, ABiasedStream) {
    Subjects subjects = real_subjects();
    subjects.uniform = [](market_kernel::Draws& draws) { return std::pow(draws.uniform(), 1.01); };
    EXPECT_FALSE(run("uniform-numbers", subjects).passed());
}

TEST(PlantedFaults, AStreamThatIsShared) {
    Subjects subjects = real_subjects();
    subjects.uniform =
        [shared = std::make_shared<market_kernel::Draws>(1)](market_kernel::Draws& draws) {
            static_cast<void>(draws.next());
            if (draws.count() == 1) *shared = market_kernel::Draws{1};
            return shared->uniform();
        };
    EXPECT_FALSE(run("neighbouring-streams", subjects).passed());
}

TEST(PlantedFaults, LatencyIsIgnored) {
    Subjects subjects = real_subjects();
    subjects.connection = [](const market_kernel::Connection&) {
        return market_kernel::Connection{};
    };
    EXPECT_FALSE(run("gateway-queue", subjects).passed());
    EXPECT_FALSE(run("sniping", subjects).passed());
    EXPECT_FALSE(run("sight", subjects).passed());
}

/// Sees what another, who is next to the exchange, sees.
class Insider final : public market_kernel::Participant {
  public:
    explicit Insider(const views::PublicChange& truth) : truth_(&truth) {}
    void on_start(market_kernel::MarketAccess& access) override { access.wake_at(access.now()); }
    void on_timer(market_kernel::MarketAccess& access, std::uint64_t /*key*/) override {
        access.wake_at({access.now().value + 100'000'000});
        if (truth_->has_ask())
            access.enter(
                {.instrument = {1}, .side = Side::buy, .price = truth_->ask, .quantity = {1}});
    }

  private:
    const views::PublicChange* truth_;
};

/// A flow that leaks its view, which is that of the market itself.
class Leak final : public market_kernel::Participant {
  public:
    Leak(std::unique_ptr<market_kernel::Participant> flow, views::PublicChange& seen)
        : flow_(std::move(flow)), seen_(&seen) {}
    void on_start(market_kernel::MarketAccess& access) override { flow_->on_start(access); }
    void on_timer(market_kernel::MarketAccess& access, std::uint64_t key) override {
        *seen_ = access.view({1});
        flow_->on_timer(access, key);
    }

  private:
    std::unique_ptr<market_kernel::Participant> flow_;
    views::PublicChange* seen_;
};

TEST(PlantedFaults, AParticipantThatSeesTheTruth) {
    Subjects subjects = real_subjects();
    views::PublicChange truth{};
    subjects.participant = [&](std::string_view kind, const participants::ParameterValues& values)
        -> std::unique_ptr<market_kernel::Participant> {
        auto real = real_subjects().participant(kind, values);
        if (kind == "zero-intelligence") {
            truth = {};
            return std::make_unique<Leak>(std::move(real), truth);
        }
        if (kind == "momentum") return std::make_unique<Insider>(truth);
        return real;
    };
    const CheckResult result = run("sight", subjects);
    std::vector<std::string> failed;
    for (const Finding& f : result.findings)
        if (!f.passed()) failed.push_back(f.name);
    EXPECT_EQ(failed, std::vector<std::string>{"momentum_reacts_after"});
}

/// With the sign of some measures changed.
measures::Results with_wrong_sign(const measures::Results& right, std::string_view wrong) {
    measures::Results results;
    for (const measures::Value& value : right.values())
        results.add(value.name, value.unit, value.name == wrong ? -value.value : value.value,
                    value.count);
    return results;
}

TEST(PlantedFaults, TheWrongSignOfAMeasure) {
    for (const auto& [check, name] : std::vector<std::pair<std::string, std::string>>{
             {"measures-of-spread", "price_impact_10s"},
             {"measures-of-spread", "kyle_lambda"},
             {"measures-of-spread", "effective_spread"},
             {"measures-of-paths", "excess_kurtosis_1s"},
             {"measures-of-signs", "sign_autocorrelation_2"}}) {
        Subjects subjects = real_subjects();
        subjects.measure = [&, real = real_subjects().measure](auto day, const auto& settings) {
            return with_wrong_sign(real(day, settings), name);
        };
        EXPECT_FALSE(run(check, subjects).passed()) << name;
    }
    // The sign of the aggressor, in every trade.
    Subjects subjects = real_subjects();
    subjects.measure = [real = real_subjects().measure](auto day, const auto& settings) {
        std::vector<views::PublicChange> turned(day.begin(), day.end());
        for (views::PublicChange& change : turned) change.side = opposite(change.side);
        return real(turned, settings);
    };
    EXPECT_FALSE(run("measures-of-spread", subjects).passed());
}

TEST(PlantedFaults, FlowThatTradesTooOften) {
    Subjects subjects = real_subjects();
    subjects.participant = [](std::string_view kind, participants::ParameterValues values) {
        if (kind == "queue-reactive") values["market_per_s"].numbers = {0, 0.7};
        return real_subjects().participant(kind, values);
    };
    EXPECT_FALSE(run("queue-reactive", subjects).passed());
}

}  // namespace
}  // namespace damrak::validation::validation_test
