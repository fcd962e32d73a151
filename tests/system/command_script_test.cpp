// What `damrak replay --format commands` prints beside the fields of the events: bands and limits,
// stop prices, and the indicative values of a call.
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/run_program.hpp"
#include "support/scratch_folder.hpp"

namespace damrak::command_script_output_test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

std::string told(const std::string& script) {
    const testing::ScratchFolder folder;
    const testing::ProgramRun run = testing::run_program(
        {"replay", folder.write("script", script), "--format", "commands", "--json"});
    EXPECT_EQ(run.exit_code, 0) << run.err;
    return run.out;
}

TEST(CommandScriptOutput, HasBandsAndLimits) {
    EXPECT_THAT(told("set_price_band lower=9.5 upper=10.5\n"
                     "set_price_limits dynamic_corridor=2.5%/0.1 on_breach=cancel\n"
                     "set_limits participant=1 open_orders=3\n"),
                AllOf(HasSubstr(R"("lower":9.5,"upper":10.5,"reference":null)"),
                      HasSubstr(R"("dynamic_corridor":"2.5%/0.1","static_corridor":null)"),
                      HasSubstr(R"("on_breach":"cancel")"),
                      HasSubstr(R"("open_orders":3,"open_notional":null)")));
}

TEST(CommandScriptOutput, HasStopPricesWhereTheyStand) {
    EXPECT_THAT(
        told("new buy quantity=5 stop=11\n"
             "new sell quantity=5 trail=1 stop=8\n"
             "new sell quantity=1 price=10\nnew buy quantity=1 price=10\nquery id=2\n"),
        AllOf(HasSubstr(R"("stop":11.0)"), HasSubstr(R"("stop":8.0)"), HasSubstr(R"("stop":9.0)")));
}

TEST(CommandScriptOutput, HasTheIndicativePriceOfACall) {
    EXPECT_THAT(
        told("set_phase phase=call\nnew buy quantity=5 price=10\nnew sell quantity=3 price=10\n"
             "book\n"),
        HasSubstr(R"("indicative_price":10.0,"indicative_quantity":3,"surplus":2,)"
                  R"("surplus_side":"buy")"));
}

}  // namespace
}  // namespace damrak::command_script_output_test
