// ITCH files as days: the rows of their archives, files that need one, and files that change.
#include <damrak/tables/itch_day.hpp>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <damrak/archive/day_writer.hpp>
#include <damrak/wire/itch/file_writer.hpp>

#include "market_data/tables/lines.hpp"
#include "market_data/tables/random_day.hpp"
#include "support/scratch_folder.hpp"

namespace damrak::tables::itch_day_test {
namespace {

namespace itch = wire::itch;
using ::testing::HasSubstr;
using Messages = std::vector<itch::Message>;

constexpr std::int64_t k_second_ns = 1'000'000'000;
constexpr std::int32_t k_date = 20'261'123;

Messages random_day(std::uint64_t seed, std::size_t count) {
    return testing::RandomDay{seed, false}.make(count);
}

class ItchDays : public ::testing::Test {
  protected:
    archive::Day archived(const Messages& messages) {
        auto writer =
            *archive::DayWriter::create(folder_ / "day.dar", {.date = k_date, .source = "test"});
        for (const itch::Message& message : messages)
            std::visit([&](const auto& m) { writer.add(m); }, message);
        EXPECT_TRUE(writer.close());
        return *archive::Day::open(folder_ / "day.dar");
    }
    std::unique_ptr<ItchDay> open(const Messages& messages, std::string_view behind = {}) {
        const std::filesystem::path path = folder_ / "day.itch";
        {
            auto file = itch::FileWriter::create(path);
            for (const itch::Message& message : messages) file->write(message);
            EXPECT_TRUE(file->close());
        }
        std::ofstream{path, std::ios::app | std::ios::binary} << behind;
        return ItchDay::open(path, k_date, [](std::uint64_t) {});
    }

    testing::ScratchFolder folder_;
};

}  // namespace

TEST_F(ItchDays, HaveTheRowsOfTheirArchive) {
    const Messages messages = random_day(9, 40'000);  // more than a block
    const archive::Day archive = archived(messages);
    const auto day = open(messages);
    ASSERT_NE(day, nullptr);
    const std::vector<TableQuery> all = testing::all_tables();
    EXPECT_EQ(day->messages(), archive.messages());
    EXPECT_EQ(day->first_time_ns(), archive.first_time_ns());
    EXPECT_EQ(day->last_time_ns(), archive.last_time_ns());
    for (const DayWindow& window :
         {DayWindow{}, DayWindow{.locate = 1,
                                 .from_ns = day->first_time_ns() + 20 * k_second_ns,
                                 .until_ns = day->first_time_ns() + 30 * k_second_ns}}) {
        const auto rows = testing::lines_of(*day, all, window);
        for (std::size_t i = 0; i < all.size(); ++i) {
            EXPECT_GT(rows[i].size(), 0U) << name_of(all[i].table);
            EXPECT_EQ(rows[i], testing::lines_of(ArchivedDay{archive}, {all[i]}, window).front())
                << name_of(all[i].table);
        }
    }
}

// The import says what is wrong with them, and repairs what it can.
TEST_F(ItchDays, TakeWhatNeedsNoRepair) {
    const Messages sound = random_day(10, 500);
    EXPECT_NE(open(sound), nullptr);
    EXPECT_NE(open(sound, std::string(2, '\0')), nullptr) << "a mark of the end";
    const auto changed = [&](const auto& change) {
        Messages messages = sound;
        change(messages);
        return open(messages);
    };
    EXPECT_EQ(changed([](Messages& all) { all.clear(); }), nullptr) << "nothing";
    EXPECT_EQ(changed([](Messages& all) { std::swap(all[50], all[490]); }), nullptr) << "back";
    EXPECT_EQ(changed([](Messages& all) { all.erase(all.begin() + 1); }), nullptr) << "undeclared";
    EXPECT_EQ(changed([](Messages& all) { all.push_back(all.back()); }), nullptr) << "two ends";
    EXPECT_EQ(changed([](Messages& all) { all.insert(all.begin(), all.front()); }), nullptr)
        << "two sessions";
    EXPECT_EQ(changed([](Messages& all) {
                  all.front() =
                      itch::SystemEvent{.tracking_number = itch::k_made_by_view, .event_code = 'O'};
              }),
              nullptr)
        << "a view";
    EXPECT_EQ(open(sound, std::string("\0\x24", 2)), nullptr) << "a cut message";
    EXPECT_EQ(open(sound, std::string("\0\0\0", 3)), nullptr) << "something behind";
    EXPECT_EQ(ItchDay::open(folder_ / "nothing", 0, [](std::uint64_t) {}), nullptr);
}

// Another program may write the file meanwhile.
TEST_F(ItchDays, SayWhereAFileBecameShorter) {
    const auto day = open(random_day(11, 40'000));
    ASSERT_NE(day, nullptr);
    std::filesystem::resize_file(folder_ / "day.itch", 400'000);
    auto reader = *TableReader::open(*day, {{.table = Table::messages}}, {});
    auto chunks = reader.new_chunks();
    while (reader.append(chunks)) {
    }
    ASSERT_FALSE(reader.completeness().is_complete());
    EXPECT_THAT(reader.completeness().missing.front(), HasSubstr("shorter"));
    EXPECT_GT(chunks[0][0].rows(), 1'000U);
    EXPECT_EQ(chunks[0][0].rows(), reader.completeness().last_message);
    EXPECT_EQ(chunks[0][0].values<std::int64_t>().back() - reader.epoch_ns(),
              reader.completeness().known_until_ns);
}

}  // namespace damrak::tables::itch_day_test
