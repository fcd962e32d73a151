// An exchange whose venue has a spread: it adds the instrument once, in both wirings and through a
// kill, and refuses what would not be the one of its journal.
#include <fstream>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <damrak/exchange/check.hpp>
#include <damrak/exchange/exchange.hpp>

#include "support/commands.hpp"
#include "support/scratch_folder.hpp"
#include "support/small_exchange.hpp"

namespace damrak::exchange::venue_combinations_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// The commands about instruments, and implied trades.
class Diary final : public feed::MarketObserver {
  public:
    void on_command(const Command& command, const CommandStamp& /*stamp*/) override {
        if (command.kind == CommandKind::add_instrument)
            lines.push_back("add " + std::string{command.definition.symbol.view()});
        if (command.kind == CommandKind::set_combination)
            lines.push_back("combine " + std::to_string(command.instrument.value));
        if (command.kind == CommandKind::set_price_limits)
            lines.push_back("limits " + std::to_string(command.instrument.value));
    }
    void on_event(const Event& event, const CommandStamp& /*stamp*/) override {
        if (event.kind == EventKind::rejected) lines.emplace_back(name(event.reason));
        if (event.kind == EventKind::executed && has_flag(event, EventFlags::k_implied))
            lines.push_back("traded " + std::to_string(event.instrument.value));
    }
    std::vector<std::string> lines;
};

class VenueCombinations : public ::testing::TestWithParam<Wiring> {
  protected:
    Settings settings(std::string_view spread) const {
        Settings made = testing::small_exchange(folder_.path(), GetParam());
        made.venue_name = (folder_.path() / "venue.toml").string();
        std::ofstream{made.venue_name}
            << "name = \"v\"\n[[session]]\nat = \"00:00\"\nphase = \"continuous\"\n"
            << spread;
        made.instruments.emplace();
        for (const auto& [id, symbol] : {std::pair{1U, "A"}, std::pair{2U, "B"}}) {
            InstrumentSettings one;
            one.definition.id = InstrumentId{id};
            one.definition.symbol = Symbol::of(symbol);
            one.definition.shard_group = group_of_b_ == 1 || id == 1 ? 1 : group_of_b_;
            made.instruments->push_back(one);
        }
        return made;
    }
    [[nodiscard]] std::string refusal(const Settings& settings) const {
        const auto started = Exchange::start(settings);
        EXPECT_FALSE(started);
        return started ? std::string{} : started.error();
    }

    std::string spread_ =
        "[[spread]]\nsymbol = \"A-B\"\nnear = \"A\"\nfar = \"B\"\n"
        "dynamic_corridor = { at_least = 100 }\n";
    std::uint16_t group_of_b_ = 1;
    testing::ScratchFolder folder_;
};

TEST_P(VenueCombinations, AreAddedOnceAndTradeWithTheirLegs) {
    {
        Diary diary;
        auto started = Exchange::start(settings(spread_), {&diary});
        ASSERT_TRUE(started) << started.error();
        Trading& trading = (*started)->trading();
        for (const Command& order : {order_command(1, 1, Side::sell, 100'000, 5),
                                     order_command(2, 2, Side::buy, 120'000, 5),
                                     order_command(3, 3, Side::buy, -20'000, 5)})
            EXPECT_TRUE(trading.submit(order));
        (*started)->stop();
        EXPECT_THAT(diary.lines, ElementsAre("add A", "add B", "add A-B", "combine 3", "limits 3",
                                             "traded 1", "traded 2", "traded 3"));
    }
    for (const bool is_killed : {true, false}) {
        Diary diary;
        auto started = Exchange::start(settings(spread_), {&diary});
        ASSERT_TRUE(started) << started.error();
        if (is_killed) continue;
        (*started)->stop();
        EXPECT_THAT(diary.lines, IsEmpty()) << "it is there";
    }
}

TEST_P(VenueCombinations, MayHaveAnInstrumentOfTheConfiguration) {
    Settings own = settings(spread_);
    InstrumentSettings one = own.instruments->front();
    one.definition.id = InstrumentId{9};
    one.definition.symbol = Symbol::of("A-B");
    one.definition.unpublished = true;
    one.definition.tick_bands[0] = {Price{-1'000'000}, Price{10}};
    own.instruments->push_back(one);
    Diary diary;
    auto started = Exchange::start(own, {&diary});
    ASSERT_TRUE(started) << started.error();
    (*started)->stop();
    EXPECT_THAT(diary.lines, ElementsAre("add A", "add B", "add A-B", "limits 9", "combine 9"));
}

TEST_P(VenueCombinations, AReloadBringsThem) {
    Diary diary;
    auto started = Exchange::start(settings(""), {&diary});
    ASSERT_TRUE(started) << started.error();
    Settings later = settings(spread_);
    ASSERT_FALSE(complete_settings(later));
    const auto reloaded = (*started)->reload(later);
    EXPECT_TRUE(reloaded) << reloaded.error();
    (*started)->stop();
    EXPECT_THAT(diary.lines, ElementsAre("add A", "add B", "add A-B", "combine 3", "limits 3"));
}

TEST_P(VenueCombinations, AreRefusedWithTheLineOfTheVenueFile) {
    group_of_b_ = 2;
    EXPECT_THAT(refusal(settings(spread_)),
                HasSubstr("venue.toml:5: spread \"A-B\": its legs must have one shard_group, which "
                          "is not 0: that of A is 1, that of B is 2"));
    group_of_b_ = 1;
    Settings narrow = settings(spread_);
    narrow.data = folder_.path() / "narrow";
    narrow.capacity.maximum_instruments = 2;
    EXPECT_THAT(refusal(narrow),
                HasSubstr("\"A-B\" needs an instrument more than the 2 that there is room for"));
}

TEST_P(VenueCombinations, TheLegsOfTheJournalCannotChange) {
    {
        auto started = Exchange::start(settings(spread_));
        ASSERT_TRUE(started) << started.error();
        (*started)->stop();
    }
    Settings with_c = settings("[[spread]]\nsymbol = \"A-B\"\nnear = \"A\"\nfar = \"C\"\n");
    InstrumentSettings c = with_c.instruments->front();
    c.definition.id = InstrumentId{4};
    c.definition.symbol = Symbol::of("C");
    with_c.instruments->push_back(c);
    EXPECT_THAT(refusal(with_c), HasSubstr("\"A-B\" has another kind or other legs"));
    EXPECT_THAT(refusal(settings("[[spread]]\nsymbol = \"A-B\"\nnear = \"B\"\nfar = \"A\"\n")),
                HasSubstr("\"A-B\" has another kind or other legs"));
    EXPECT_THAT(refusal(settings("[[basket]]\nsymbol = \"A-B\"\n"
                                 "legs = [{ symbol = \"A\" }, { symbol = \"B\" }]\n")),
                HasSubstr("\"A-B\" has another kind or other legs in the journal"));
    EXPECT_THAT(refusal(settings("[[spread]]\nsymbol = \"A\"\nnear = \"B\"\nfar = \"A-B\"\n")),
                HasSubstr("\"A\" is an instrument that had orders, or a leg"));
}

INSTANTIATE_TEST_SUITE_P(Wirings, VenueCombinations,
                         ::testing::Values(Wiring::one_thread, Wiring::pipelined),
                         testing::wiring_name);

}  // namespace
}  // namespace damrak::exchange::venue_combinations_test
