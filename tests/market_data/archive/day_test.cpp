// Archived days: every message comes back, the book at any nanosecond is that of a plain replay,
// and damage is reported and costs what it hit.
#include <damrak/archive/day.hpp>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <damrak/archive/columns.hpp>
#include <damrak/archive/day_writer.hpp>
#include <damrak/archive/import.hpp>
#include <damrak/base/random.hpp>
#include <damrak/generator/itch_day.hpp>
#include <damrak/wire/itch/file_reader.hpp>
#include <damrak/wire/itch/file_writer.hpp>

#include "support/day_blocks.hpp"
#include "support/itch_arbitrary.hpp"
#include "support/real_data.hpp"
#include "support/scratch_folder.hpp"

namespace damrak::archive::day_test {
namespace {

namespace itch = wire::itch;
using ::testing::Each;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// The obvious replay: orders in a list, by their arrival.
struct PlainBook {
    struct Order {
        std::uint16_t locate;
        Side side;
        BookOrder order;
    };
    std::vector<Order> orders;  ///< in the order in which they came
    std::uint64_t messages = 0;

    void on(const auto& /*other*/) { ++messages; }
    void on(const itch::AddOrder& m) { add(m, m.order_ref, m.side, m.price_e4, m.shares); }
    void on(const itch::AddOrderAttributed& m) {
        add(m, m.order_ref, m.side, m.price_e4, m.shares);
    }
    void on(const itch::OrderExecuted& m) { take(m.order_ref, m.executed_shares); }
    void on(const itch::OrderExecutedWithPrice& m) { take(m.order_ref, m.executed_shares); }
    void on(const itch::OrderCancel& m) { take(m.order_ref, m.cancelled_shares); }
    void on(const itch::OrderDelete& m) { take(m.order_ref, UINT32_MAX); }
    void on(const itch::OrderReplace& m) {
        const Side side = find(m.order_ref)->side;
        take(m.order_ref, UINT32_MAX);
        --messages;
        add(m, m.new_order_ref, side, m.price_e4, m.shares);
    }
    [[nodiscard]] std::vector<BookOrder> side(std::uint16_t locate, Side wanted) const {
        std::vector<BookOrder> found;
        for (const Order& one : orders)
            if (one.locate == locate && one.side == wanted) found.push_back(one.order);
        std::ranges::stable_sort(found, [&](const BookOrder& a, const BookOrder& b) {
            return wanted == Side::buy ? a.price_e4 > b.price_e4 : a.price_e4 < b.price_e4;
        });
        return found;
    }

  private:
    std::vector<Order>::iterator find(std::uint64_t reference) {
        return std::ranges::find(orders, reference,
                                 [](const Order& one) { return one.order.reference; });
    }
    void add(const auto& m, std::uint64_t reference, Side side, std::uint32_t price,
             std::uint32_t shares) {
        ++messages;
        orders.push_back({m.stock_locate, side, {reference, price, shares}});
    }
    void take(std::uint64_t reference, std::uint32_t shares) {
        ++messages;
        const auto order = find(reference);
        if (order->order.shares <= shares)
            orders.erase(order);
        else
            order->order.shares -= shares;
    }
};

/// Replays a file and asks the archive after some of the messages, and between them.
struct Comparing {
    const Day& day;
    RandomStream random{3};
    PlainBook plain{};
    std::int64_t last_ns = -1;
    std::uint64_t asked = 0;
    std::uint32_t one_in = 500;

    void on(const auto& message) {
        if (message.timestamp_ns > last_ns && last_ns >= 0 && random.below(one_in) == 0)
            compare(random.coin() ? last_ns : message.timestamp_ns - 1);
        last_ns = message.timestamp_ns;
        plain.on(message);
        if (message.stock_locate != 0) locate = message.stock_locate;
    }
    void compare(std::int64_t time_ns) {
        ++asked;
        const auto book = day.book_at(locate, time_ns);
        ASSERT_TRUE(book) << book.error();
        ASSERT_EQ(book->sequence, plain.messages) << time_ns;
        ASSERT_EQ(book->bids, plain.side(locate, Side::buy)) << time_ns;
        ASSERT_EQ(book->asks, plain.side(locate, Side::sell)) << time_ns;
    }
    std::uint16_t locate = 1;
};

struct Framed {
    std::vector<std::byte>& bytes;
    void on(const auto& message) {
        using M = std::remove_cvref_t<decltype(message)>;
        const std::size_t at = bytes.size();
        bytes.resize(at + itch::k_frame_length<M>);
        itch::encode_frame(message,
                           std::span{bytes}.subspan(at).template first<itch::k_frame_length<M>>());
    }
};

class ArchivedDay : public ::testing::Test {
  protected:
    [[nodiscard]] std::filesystem::path generated(std::uint64_t messages) {
        const std::filesystem::path file = folder_ / "day.itch";
        generator::FlowOptions options;
        options.messages = messages;
        options.live_orders = 500;
        auto day = generator::ItchDay::create(options);
        EXPECT_TRUE(day);
        auto writer = itch::FileWriter::create(file);
        EXPECT_TRUE(writer);
        for (const auto* next = &day->next(); !next->empty(); next = &day->next())
            for (const itch::Message& message : *next) writer->write(message);
        EXPECT_TRUE(writer->close());
        return file;
    }
    Imported import(const std::filesystem::path& from) {
        Import wanted;
        wanted.from = from;
        wanted.to = archive_;
        wanted.symbol = "AAPL";
        wanted.trust_messages = true;
        auto imported = import_day(wanted, [](std::uint64_t, std::uint64_t) {});
        EXPECT_TRUE(imported) << imported.error();
        return imported ? *imported : Imported{};
    }
    [[nodiscard]] std::string content() const {
        std::ifstream stream{archive_, std::ios::binary};
        return {std::istreambuf_iterator<char>{stream}, {}};
    }
    void damage(std::uint64_t offset, std::size_t bytes) const {
        std::fstream file{archive_, std::ios::in | std::ios::out | std::ios::binary};
        file.seekp(static_cast<std::streamoff>(offset));
        file << std::string(bytes, '\x5A');
    }

    damrak::testing::ScratchFolder folder_;
    std::filesystem::path archive_ = folder_ / "day.dar";
};

}  // namespace

RC_GTEST_PROP(ArchiveColumns, GiveTheSameBytesBack, ()) {
    std::vector<std::byte> frames;
    Framed framed{frames};
    const int count = *rc::gen::inRange(0, 50);
    for (int i = 0; i < count; ++i)
        std::visit([&](const auto& message) { framed.on(message); },
                   damrak::testing::arbitrary_itch_message());
    RC_ASSERT(from_columns(to_columns(frames))->frames == frames);
}

RC_GTEST_PROP(ArchiveColumns, AreCheckedWhateverTheyAre, ()) {
    const auto bytes =
        *rc::gen::container<std::vector<std::uint8_t>>(rc::gen::arbitrary<std::uint8_t>());
    static_cast<void>(from_columns(std::as_bytes(std::span{bytes})));
    std::vector<std::byte> frames;
    Framed{frames}.on(itch::AddOrder{.timestamp_ns = 5, .order_ref = 7});
    auto columns = to_columns(frames);
    columns.resize(*rc::gen::inRange<std::size_t>(0, columns.size()));
    RC_ASSERT(!from_columns(columns));
}

TEST_F(ArchivedDay, HasEveryMessageAsItWas) {
    const auto file = generated(60'000);
    const Imported imported = import(file);
    EXPECT_EQ(imported.days.front().totals.anomalies, 0U);
    EXPECT_LT(imported.days.front().totals.archive_bytes,
              12 * imported.days.front().totals.messages);
    const auto day = Day::open(archive_);
    ASSERT_TRUE(day) << day.error();
    EXPECT_TRUE(day->is_complete());
    EXPECT_GT(day->blocks(), 2U);
    EXPECT_GT(day->checkpoints(), 1U);
    const std::vector<std::byte> all = damrak::testing::frames_of(*day);
    std::ifstream stream{file, std::ios::binary};
    const std::string content{std::istreambuf_iterator<char>{stream}, {}};
    EXPECT_TRUE(std::ranges::equal(std::as_bytes(std::span{content}), all));
    EXPECT_THAT(day->verify([] {}).missing, IsEmpty());
    EXPECT_EQ(day->source(), "day.itch");
}

TEST_F(ArchivedDay, HasTheBookOfAnyNanosecond) {
    const auto file = generated(60'000);
    import(file);
    const auto day = Day::open(archive_);
    ASSERT_TRUE(day);
    Comparing comparing{*day};
    auto reader = itch::FileReader::open(file);
    ASSERT_TRUE(reader);
    ASSERT_TRUE(reader->read_all(comparing));
    EXPECT_GT(comparing.asked, 50U);
    comparing.compare(INT64_MAX);
    EXPECT_EQ(day->book_at(1, -1)->sequence, 0U);
}

TEST_F(ArchivedDay, OfAaplHasTheBookOfAnyNanosecond) {
    DAMRAK_REAL_DATA_OR_SKIP(file, "lobster/AAPL_2012-06-21_34200000_37800000_message_50.csv");
    const Imported imported = import(file);
    EXPECT_LT(imported.days.front().totals.archive_bytes,
              12 * imported.days.front().totals.messages);
    const auto day = Day::open(archive_);
    ASSERT_TRUE(day);
    EXPECT_EQ(day->instruments().front().symbol, "AAPL");
    // Its messages as they lie in the archive, which the import has made of the file.
    Comparing comparing{*day};
    static_cast<void>(itch::walk(damrak::testing::frames_of(*day), comparing));
    EXPECT_GT(comparing.asked, 50U);
}

TEST_F(ArchivedDay, NamesTheBlockThatIsDamagedAndReadsTheOthers) {
    import(generated(60'000));
    const std::uint64_t blocks = Day::open(archive_)->blocks();
    const auto [first, header] = damrak::testing::blocks_of(archive_).front();
    damage(first + 5'000, 8);
    const auto day = Day::open(archive_);
    ASSERT_TRUE(day);
    EXPECT_EQ(day->blocks(), blocks);
    const auto found = day->verify([] {}).missing;
    ASSERT_EQ(found.size(), 1U);
    EXPECT_THAT(found.front(),
                HasSubstr(fmt::format("day.dar: at offset {}: the block of messages 1 to", first)));
    EXPECT_FALSE(day->book_at(1, header.last_time_ns));
    EXPECT_TRUE(day->book_at(1, day->last_time_ns())) << "from a later checkpoint";
}

TEST_F(ArchivedDay, GoesOnBehindAHeaderThatIsDamaged) {
    import(generated(60'000));
    const std::uint64_t blocks = Day::open(archive_)->blocks();
    damage(damrak::testing::blocks_of(archive_).front().offset + 6, 4);
    const auto day = Day::open(archive_);
    ASSERT_TRUE(day);
    EXPECT_EQ(day->blocks(), blocks - 1);
    EXPECT_THAT(day->damage(), Each(HasSubstr("the first sound block after damage")));
    EXPECT_THAT(day->damage(), ::testing::SizeIs(1));
}

TEST_F(ArchivedDay, GivesNoBookThatLacksLostMessages) {
    import(generated(60'000));
    const auto headers = damrak::testing::message_blocks_of(*Day::open(archive_));
    ASSERT_GE(headers.size(), 3U);
    damage(damrak::testing::blocks_of(archive_).front().offset + 6, 4);
    const auto day = Day::open(archive_);
    ASSERT_TRUE(day);
    EXPECT_THAT(day->book_at(1, headers[0].last_time_ns).error(),
                HasSubstr("messages 1 to 16384 before it are missing"));
    EXPECT_FALSE(day->book_at(1, headers[0].first_time_ns));
    const auto later = day->book_at(1, headers[1].last_time_ns);
    ASSERT_TRUE(later) << "from the checkpoint before it: " << later.error();
    EXPECT_EQ(later->sequence, headers[1].first_message + headers[1].messages - 1);
    EXPECT_FALSE(day->instruments().empty());
}

TEST_F(ArchivedDay, NoticesThatItsLastBlockIsLost) {
    import(generated(60'000));
    BlockHeader last;
    std::uint64_t offset = 0;
    for (const auto& block : damrak::testing::blocks_of(archive_)) {
        if (block.header.kind != BlockKind::messages) continue;
        last = block.header;
        offset = block.offset;
    }
    damage(offset, 4);
    const auto day = Day::open(archive_);
    ASSERT_TRUE(day);
    EXPECT_LT(day->last_time_ns(), last.last_time_ns);
    EXPECT_FALSE(day->damage().empty());
    const auto book = day->book_at(1, last.last_time_ns);
    ASSERT_FALSE(book);
    EXPECT_THAT(book.error(), HasSubstr("before it are missing"));
    EXPECT_TRUE(day->book_at(1, day->last_time_ns() - 1));
}

TEST_F(ArchivedDay, TakesAnEarlierCheckpointForADamagedOne) {
    const auto file = generated(60'000);
    import(file);
    // The last header of a checkpoint, by its magic and kind; its payload is hit.
    const auto header = content().rfind(std::string{"ABLK\x02\0\0\0", 8});
    ASSERT_NE(header, std::string::npos);
    damage(header + sizeof(BlockHeader) + 20, 4);
    const auto day = Day::open(archive_);
    ASSERT_TRUE(day);
    EXPECT_EQ(day->verify([] {}).missing.size(), 1U);
    Comparing comparing{*day};
    comparing.one_in = 2'000;
    auto reader = itch::FileReader::open(file);
    ASSERT_TRUE(reader);
    ASSERT_TRUE(reader->read_all(comparing));
    comparing.compare(INT64_MAX);
}

TEST_F(ArchivedDay, KnowsInstrumentsThatOnlyTheirOrdersName) {
    auto writer = DayWriter::create(archive_, {.source = "orders"});
    ASSERT_TRUE(writer);
    constexpr std::uint64_t k_orders = 40'000;
    PlainBook plain;
    const auto put = [&](const auto& message) {
        writer->add(message);
        plain.on(message);
    };
    for (std::uint64_t i = 1; i <= k_orders; ++i) {
        const auto time_ns = static_cast<std::int64_t>(i);
        const auto locate = static_cast<std::uint16_t>(1 + i % 3);
        put(itch::AddOrder{.stock_locate = locate,
                           .timestamp_ns = time_ns,
                           .order_ref = i,
                           .side = Side::buy,
                           .shares = 100,
                           .stock = *itch::Stock::from("ONE"),
                           .price_e4 = 10'000});
        if (i > 10)
            put(itch::OrderDelete{.stock_locate = static_cast<std::uint16_t>(1 + (i - 10) % 3),
                                  .timestamp_ns = time_ns,
                                  .order_ref = i - 10});
    }
    ASSERT_TRUE(writer->close());
    const auto day = Day::open(archive_);
    ASSERT_TRUE(day);
    EXPECT_GT(day->checkpoints(), 0U);
    EXPECT_EQ(day->instruments().size(), 3U);
    Comparing{.day = *day, .plain = plain}.compare(k_orders);
}

TEST_F(ArchivedDay, ThatWasCutIsReadUpToItsEnd) {
    import(generated(60'000));
    const auto size = std::filesystem::file_size(archive_);
    const std::uint64_t blocks = Day::open(archive_)->blocks();
    std::filesystem::resize_file(archive_, size - sizeof(BlockHeader) - sizeof(DepthRecord) - 10);
    const auto day = Day::open(archive_);
    ASSERT_TRUE(day);
    EXPECT_FALSE(day->is_complete());
    EXPECT_GE(day->blocks() + 1, blocks);
    EXPECT_THAT(day->damage(), Each(HasSubstr("damaged from here to the end")));
    EXPECT_TRUE(day->book_at(1, day->last_time_ns() - 1));
    EXPECT_THAT(day->book_at(1, day->last_time_ns()).error(),
                HasSubstr("it was not written to its end"));
    const auto last = day->book_known_at(1, INT64_MAX);
    EXPECT_EQ(last.value.sequence, day->messages());
    EXPECT_EQ(last.value.time_ns, day->last_time_ns());
    EXPECT_TRUE(last.completeness.lacks_only_the_end);
}

TEST_F(ArchivedDay, RefusesWhatIsNoArchivedDay) {
    EXPECT_THAT(Day::open(folder_ / "none.dar").error(), HasSubstr("none.dar"));
    folder_.write("empty.dar", "");
    EXPECT_THAT(Day::open(folder_ / "empty.dar").error(), HasSubstr("the file is empty"));
    folder_.write("text.dar", std::string(100, 'x'));
    EXPECT_THAT(Day::open(folder_ / "text.dar").error(), HasSubstr("damrak archive import"));
    import(generated(1'000));
    std::string old = content();
    old[sizeof k_day_magic] = 1;
    folder_.write("old.dar", old);
    EXPECT_THAT(Day::open(folder_ / "old.dar").error(),
                HasSubstr("version 1, which this release does not read: import the day again"));
    damage(20, 1);
    EXPECT_THAT(Day::open(archive_).error(), HasSubstr("the header is damaged"));
}

}  // namespace damrak::archive::day_test
