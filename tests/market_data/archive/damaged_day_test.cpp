// Every question to a day with every kind of damage: the answer is the right one, or it says that
// it is not complete and is right up to where it says.
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <damrak/archive/candles.hpp>
#include <damrak/archive/day.hpp>
#include <damrak/archive/day_json.hpp>
#include <damrak/archive/day_search.hpp>
#include <damrak/archive/day_writer.hpp>
#include <damrak/archive/export.hpp>
#include <damrak/archive/heatmap.hpp>
#include <damrak/generator/itch_day.hpp>

#include "support/day_damage.hpp"
#include "support/scratch_folder.hpp"
#include "support/test_size.hpp"

namespace damrak::archive::damaged_day_test {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr std::uint16_t k_locate = 1;

void write_day(const std::filesystem::path& path, const std::string& source, std::uint64_t seed) {
    generator::FlowOptions options;
    options.messages = 40'000;
    options.symbols = 3;
    options.live_orders = 300;
    options.seed = seed;
    auto day = generator::ItchDay::create(options);
    ASSERT_TRUE(day);
    auto writer = DayWriter::create(path, {.date = 20261123, .source = source});
    ASSERT_TRUE(writer) << writer.error();
    for (const auto* next = &day->next(); !next->empty(); next = &day->next())
        for (const wire::itch::Message& message : *next)
            std::visit([&](const auto& one) { writer->add(one); }, message);
    ASSERT_TRUE(writer->close());
}

/// What a question gives, as a text that grows with what is known.
using Question = std::function<Answer<std::string>(const Day& day)>;

Answer<std::string> messages(const Day& day) {
    std::string text;
    auto completeness = for_each_message(
        day, {.locate = k_locate}, [&](std::uint64_t sequence, const wire::itch::Message& message) {
            append_message(text, sequence, message);
        });
    return {std::move(text), std::move(completeness)};
}

Answer<std::string> all_trades(const Day& day) {
    const auto found = trades(day, k_locate, {});
    std::string text;
    for (const DayTrade& trade : found.value) append_trade(text, trade);
    return {text, found.completeness};
}

class DamagedDay : public ::testing::Test {
  protected:
    static void SetUpTestSuite() {
        folder_.emplace();
        write_day(*folder_ / "sound.dar", "day.itch", 1);
        write_day(*folder_ / "same.dar", "day.itch", 2);
        write_day(*folder_ / "other.dar", "other.itch", 3);
        whole_.emplace(*Day::open(*folder_ / "sound.dar"));
    }
    static void TearDownTestSuite() {
        whole_.reset();
        folder_.reset();
    }
    /// Calls `f(day)` for the day with each kind of damage: there are seven of a block, so that
    /// every third of all is one of each kind.
    template <class F>
    static void with_each_damage(const F& f) {
        const auto sound = *folder_ / "sound.dar";
        const auto damages =
            damrak::testing::damages_of(sound, *folder_ / "same.dar", *folder_ / "other.dar");
        ASSERT_GT(damages.size(), 30U);
        const std::string bytes = damrak::testing::bytes_of_file(sound);
        for (std::size_t i = 0; i < damages.size(); i += test_size::is_whole() ? 1U : 3U) {
            const auto& damage = damages[i];
            SCOPED_TRACE(damage.name);
            const auto path = *folder_ / "damaged.dar";
            std::filesystem::remove(path);
            std::ofstream{path, std::ios::binary} << damage.make(bytes);
            const auto day = Day::open(path);
            ASSERT_TRUE(day) << day.error();
            f(*day);
        }
    }
    /// The orders whose lives are asked for: some from each part of the day.
    static std::vector<std::uint64_t> some_orders() {
        std::vector<std::uint64_t> orders;
        std::size_t seen = 0;
        static_cast<void>(for_each_message(
            *whole_, {.locate = k_locate}, [&](std::uint64_t, const wire::itch::Message& message) {
                if (const auto* add = std::get_if<wire::itch::AddOrder>(&message))
                    if (seen++ % 1500 == 0) orders.push_back(add->order_ref);
            }));
        return orders;
    }

    static std::optional<damrak::testing::ScratchFolder> folder_;
    static std::optional<Day> whole_;
};
std::optional<damrak::testing::ScratchFolder> DamagedDay::folder_;
std::optional<Day> DamagedDay::whole_;

}  // namespace

TEST_F(DamagedDay, NeverGivesAPartOfItsMessagesForAllOfThem) {
    for (const Question& question : {Question{messages}, Question{all_trades}}) {
        const auto right = question(*whole_);
        ASSERT_TRUE(right.completeness.is_complete());
        with_each_damage([&](const Day& day) {
            const auto [text, completeness] = question(day);
            EXPECT_FALSE(completeness.is_complete());
            EXPECT_THAT(right.value, StartsWith(text));
            EXPECT_LE(completeness.known_until_ns, whole_->last_time_ns());
            ASSERT_FALSE(completeness.missing.empty());
            EXPECT_THAT(completeness.missing.front(), HasSubstr("damaged.dar"));
        });
    }
}

// Behind damage a later checkpoint may give the book.
TEST_F(DamagedDay, HasTheRightBookOrThatOfAnEarlierMoment) {
    std::vector<std::int64_t> times;
    for (const auto& block : damrak::testing::message_blocks_of(*whole_))
        for (const std::int64_t at : {block.first_time_ns, block.last_time_ns}) times.push_back(at);
    times.push_back(INT64_MAX);
    std::size_t incomplete = 0;
    with_each_damage([&](const Day& day) {
        for (const std::int64_t at : times) {
            const auto [book, completeness] = day.book_known_at(k_locate, at);
            const Book right = completeness.is_complete() ? *whole_->book_at(k_locate, at)
                               : book.sequence == 0       ? Book{}
                                                    : *whole_->book_after(k_locate, book.sequence);
            EXPECT_EQ(book.sequence, right.sequence) << at;
            EXPECT_EQ(book.bids, right.bids) << at;
            EXPECT_EQ(book.asks, right.asks) << at;
            EXPECT_EQ(day.book_at(k_locate, at).has_value(), completeness.is_complete());
            if (!completeness.is_complete()) ++incomplete;
        }
        if (!day.is_complete()) {
            EXPECT_FALSE(day.book_known_at(k_locate, INT64_MAX).completeness.is_complete());
        }
    });
    EXPECT_GT(incomplete, 30U);
}

TEST_F(DamagedDay, HasTheRightLivesOfOrdersOrTheirBeginnings) {
    const auto text_of = [](const OrderLife& life) {
        std::string text;
        for (const OrderStep& step : life.steps) append_step(text, step);
        return text;
    };
    const auto orders = some_orders();
    ASSERT_GT(orders.size(), 2U);
    std::size_t incomplete = 0;
    with_each_damage([&](const Day& day) {
        for (const std::uint64_t order : orders) {
            const std::string right = text_of(order_life(*whole_, order).value);
            const auto [life, completeness] = order_life(day, order);
            if (completeness.is_complete())
                EXPECT_EQ(text_of(life), right) << order;
            else
                EXPECT_THAT(right, StartsWith(text_of(life))) << order;
            if (!completeness.is_complete()) ++incomplete;
        }
    });
    EXPECT_GT(incomplete, 30U);
}

TEST_F(DamagedDay, IsExportedInPartOnlyOnRequest) {
    Export wanted{.form = ExportForm::itch, .to = *folder_ / "whole.itch", .symbol = {}};
    ASSERT_TRUE(export_day(*whole_, wanted, [](std::uint64_t) {}));
    const std::string right = damrak::testing::bytes_of_file(wanted.to);
    wanted.to = *folder_ / "part.itch";
    with_each_damage([&](const Day& day) {
        std::filesystem::remove(wanted.to);
        wanted.takes_a_part = false;
        EXPECT_FALSE(export_day(day, wanted, [](std::uint64_t) {}));
        EXPECT_FALSE(std::filesystem::exists(wanted.to));
        wanted.takes_a_part = true;
        const auto part = export_day(day, wanted, [](std::uint64_t) {});
        ASSERT_TRUE(part) << part.error();
        EXPECT_FALSE(part->completeness.is_complete());
        EXPECT_TRUE(right.starts_with(damrak::testing::bytes_of_file(wanted.to)));
    });
}

TEST_F(DamagedDay, IsSaidToBeDamagedByItsPictureAndItsCheck) {
    EXPECT_TRUE(whole_->verify([] {}).is_complete());
    EXPECT_TRUE(whole_->completeness().is_complete());
    with_each_damage([](const Day& day) {
        EXPECT_FALSE(day.verify([] {}).is_complete());
        EXPECT_FALSE(
            candles(day, k_locate, {.interval_ns = 1'000'000'000}).completeness.is_complete());
        if (day.blocks() > 0) {
            EXPECT_FALSE(heatmap(day, k_locate, {.columns = 50, .rows = 50}).damage.empty());
        }
    });
}

// The part before the damage is an answer that misses nothing.
TEST_F(DamagedDay, AnswersWhatComesBeforeTheDamage) {
    const auto path = *folder_ / "late.dar";
    const auto sound = *folder_ / "sound.dar";
    const auto blocks = damrak::testing::message_blocks_of(*whole_);
    ASSERT_GE(blocks.size(), 3U);
    std::string bytes = damrak::testing::bytes_of_file(sound);
    const auto last = damrak::testing::blocks_of(sound).back();
    bytes.resize(last.offset - 100);
    std::ofstream{path, std::ios::binary} << bytes;
    const auto day = Day::open(path);
    ASSERT_TRUE(day);
    const std::int64_t before_ns = blocks[1].first_time_ns;
    EXPECT_TRUE(day->book_at(k_locate, before_ns));
    EXPECT_TRUE(trades(*day, k_locate, {.to_ns = before_ns}).completeness.is_complete());
    EXPECT_TRUE(for_each_message(*day, {.until_ns = before_ns},
                                 [](std::uint64_t, const wire::itch::Message&) {})
                    .is_complete());
}

TEST_F(DamagedDay, ThatIsBeingWrittenIsCompleteUpToItsLastMessage) {
    const auto path = *folder_ / "growing.dar";
    auto writer = DayWriter::create(path, {.source = "growing"});
    ASSERT_TRUE(writer);
    writer->show();
    writer->add(wire::itch::SystemEvent{.timestamp_ns = 7, .event_code = 'O'});
    writer->flush();
    const auto asked = [&] {
        return for_each_message(*Day::open(path), {},
                                [](std::uint64_t, const wire::itch::Message&) {});
    };
    const Completeness growing = asked();
    EXPECT_TRUE(growing.is_complete());
    EXPECT_TRUE(growing.is_being_written);
    EXPECT_EQ(growing.known_until_ns, 7);
    {
        const auto abandoned = std::move(*writer);
    }
    EXPECT_FALSE(asked().is_complete()) << "nobody writes it any more";
    auto resumed = DayWriter::resume(path);
    ASSERT_TRUE(resumed) << resumed.error();
    EXPECT_TRUE(asked().is_being_written);
    ASSERT_TRUE(resumed->close());
    EXPECT_TRUE(asked().is_complete());
    EXPECT_FALSE(asked().is_being_written);
}

}  // namespace damrak::archive::damaged_day_test
