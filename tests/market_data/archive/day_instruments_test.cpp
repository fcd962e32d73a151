// Which instruments an archived day names.
#include <cstdint>
#include <span>

#include <gtest/gtest.h>

#include <damrak/archive/day.hpp>
#include <damrak/archive/day_writer.hpp>
#include <damrak/wire/itch/messages.hpp>

#include "support/scratch_folder.hpp"

namespace damrak::archive::day_instruments_test {

namespace itch = wire::itch;

// Neither the first block nor a checkpoint names it.
TEST(InstrumentsOfADay, HasThoseThatWereListedLate) {
    const damrak::testing::ScratchFolder folder;
    const auto path = folder / "late.dar";
    auto writer = DayWriter::create(path, {.source = "test"});
    ASSERT_TRUE(writer);
    for (const std::uint16_t locate : {std::uint16_t{1}, std::uint16_t{2}}) {
        itch::StockDirectory listed;
        listed.stock_locate = locate;
        listed.stock = *itch::Stock::from(locate == 1 ? "EARLY" : "LATE");
        writer->add(listed);
        writer->flush();
    }
    ASSERT_TRUE(writer->close());
    const auto day = Day::open(path);
    ASSERT_TRUE(day);
    const auto found = day->instruments();
    ASSERT_EQ(found.size(), 2U);
    EXPECT_EQ(found.back().symbol, "LATE");
    EXPECT_EQ(day->instruments(std::span{found}.first(1), 1).size(), 2U);
    EXPECT_EQ(day->instruments(std::span{found}.first(1), 2).size(), 1U);
}

}  // namespace damrak::archive::day_instruments_test
