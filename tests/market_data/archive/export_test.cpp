// A day in the forms that others read, read back: by the importer where there is one, and
// otherwise by a reader that knows the form from its description alone.
#include <damrak/archive/export.hpp>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <damrak/archive/day.hpp>
#include <damrak/archive/day_search.hpp>
#include <damrak/archive/import.hpp>
#include <damrak/files/byte_source.hpp>
#include <damrak/generator/itch_day.hpp>
#include <damrak/wire/itch/file_writer.hpp>

#include "support/real_data.hpp"
#include "support/scratch_folder.hpp"

namespace damrak::archive::export_test {
namespace {

namespace itch = wire::itch;
using ::testing::HasSubstr;

std::string content(const std::filesystem::path& path) {
    std::ifstream stream{path, std::ios::binary};
    return {std::istreambuf_iterator<char>{stream}, {}};
}

template <class T>
T number_at(const std::string& bytes, std::size_t at) {
    T value{};
    std::memcpy(&value, bytes.data() + at, sizeof value);
    return value;
}

std::vector<std::string> lines_of(const std::filesystem::path& path) {
    std::istringstream stream{content(path)};
    std::vector<std::string> lines;
    for (std::string line; std::getline(stream, line);) lines.push_back(line);
    return lines;
}

class ExportedDay : public ::testing::Test {
  protected:
    void SetUp() override {
        generator::FlowOptions options;
        options.messages = 40'000;
        options.live_orders = 300;
        options.symbols = 3;
        auto day = generator::ItchDay::create(options);
        ASSERT_TRUE(day);
        auto writer = itch::FileWriter::create(itch_);
        ASSERT_TRUE(writer);
        for (const auto* next = &day->next(); !next->empty(); next = &day->next())
            for (const itch::Message& message : *next) writer->write(message);
        ASSERT_TRUE(writer->close());
        import(itch_, archive_);
    }
    static void import(const std::filesystem::path& from, const std::filesystem::path& to) {
        Import wanted;
        wanted.from = from;
        wanted.to = to;
        if (from.extension() == ".itch") wanted.date = 20'261'123;  // others tell it
        wanted.symbol = "AAPL";
        const auto imported = import_day(wanted, [](std::uint64_t, std::uint64_t) {});
        ASSERT_TRUE(imported) << imported.error();
    }
    [[nodiscard]] Day day() const {
        auto opened = Day::open(archive_);
        EXPECT_TRUE(opened) << opened.error();
        return *std::move(opened);
    }
    Exported export_as(ExportForm form, const std::filesystem::path& to, Export wanted = {}) {
        wanted.form = form;
        wanted.to = to;
        const auto exported = export_day(day(), wanted, [](std::uint64_t) {});
        EXPECT_TRUE(exported) << exported.error();
        return exported ? *exported : Exported{};
    }

    damrak::testing::ScratchFolder folder_;
    std::filesystem::path itch_ = folder_ / "day.itch";
    std::filesystem::path archive_ = folder_ / "day.dar";
};

}  // namespace

TEST_F(ExportedDay, AsItchIsTheFileThatWasImported) {
    const Exported exported = export_as(ExportForm::itch, folder_ / "again.itch");
    EXPECT_EQ(exported.rows, exported.messages);
    EXPECT_TRUE(content(folder_ / "again.itch") == content(itch_));
}

TEST_F(ExportedDay, AsItchOfOneInstrumentHasTheSameBooksOfIt) {
    Export wanted;
    wanted.symbol = "SIM2";
    export_as(ExportForm::itch, folder_ / "one.itch.zst", wanted);
    import(folder_ / "one.itch.zst", folder_ / "one.dar");
    const auto one = Day::open(folder_ / "one.dar");
    ASSERT_TRUE(one);
    EXPECT_LT(one->messages(), day().messages());
    ASSERT_EQ(one->instruments().size(), 1U);
    const std::int64_t last = day().last_time_ns();
    for (std::int64_t time = last / 2; time < last; time += last / 40) {
        const auto whole = day().book_at(2, time);
        const auto part = one->book_at(2, time);
        ASSERT_TRUE(whole && part);
        ASSERT_EQ(part->bids, whole->bids);
        ASSERT_EQ(part->asks, whole->asks);
    }
}

TEST_F(ExportedDay, AsDbnComesBackWithTheSameBooks) {
    const Exported exported = export_as(ExportForm::dbn, folder_ / "day.dbn.zst");
    EXPECT_GT(exported.rows, 40'000U);
    import(folder_ / "day.dbn.zst", folder_ / "back.dar");
    const auto back = Day::open(folder_ / "back.dar");
    ASSERT_TRUE(back) << back.error();
    EXPECT_EQ(back->date(), 20'261'123);
    ASSERT_EQ(back->instruments().size(), 3U);
    const Day original = day();
    const std::int64_t last = original.last_time_ns();
    std::size_t orders = 0;
    for (const Instrument& instrument : back->instruments()) {
        const auto all = original.instruments();
        const auto same = std::ranges::find(all, instrument.symbol, &Instrument::symbol);
        ASSERT_NE(same, all.end());
        for (std::int64_t time = original.first_time_ns(); time < last; time += last / 60) {
            const auto one = original.book_at(same->locate, time);
            const auto other = back->book_at(instrument.locate, time);
            ASSERT_TRUE(one && other);
            ASSERT_EQ(other->bids, one->bids) << instrument.symbol << " " << time;
            ASSERT_EQ(other->asks, one->asks);
            orders += one->bids.size();
        }
    }
    EXPECT_GT(orders, 1'000U);
}

TEST_F(ExportedDay, AsMbp10EndsWithTheLevelsOfTheBook) {
    Export wanted;
    wanted.schema = wire::dbn::Schema::mbp_10;
    wanted.symbol = "SIM1";
    wanted.until_ns = 13 * std::int64_t{3'600'000'000'000};
    const Exported exported = export_as(ExportForm::dbn, folder_ / "day.dbn", wanted);
    ASSERT_GT(exported.rows, 100U);
    const std::string bytes = content(folder_ / "day.dbn");
    const auto metadata = number_at<std::uint32_t>(bytes, 4);
    ASSERT_EQ(bytes.size(), 8 + metadata + exported.rows * 368);
    const std::size_t at = bytes.size() - 368;
    EXPECT_EQ(number_at<std::uint8_t>(bytes, at), 368 / 4);
    EXPECT_EQ(number_at<std::uint8_t>(bytes, at + 1), 10);
    const auto book = day().book_at(1, wanted.until_ns);
    ASSERT_TRUE(book);
    const auto bids = Book::levels(book->bids);
    const auto asks = Book::levels(book->asks);
    for (std::size_t i = 0; i < 10; ++i) {
        const std::size_t level = at + 48 + i * 32;
        if (i < bids.size()) {
            EXPECT_EQ(number_at<std::int64_t>(bytes, level), bids[i].price_e4 * 100'000LL);
            EXPECT_EQ(number_at<std::uint32_t>(bytes, level + 16), bids[i].shares);
            EXPECT_EQ(number_at<std::uint32_t>(bytes, level + 24), bids[i].orders);
        } else {
            EXPECT_EQ(number_at<std::int64_t>(bytes, level), INT64_MAX);
        }
        if (i < asks.size()) {
            EXPECT_EQ(number_at<std::int64_t>(bytes, level + 8), asks[i].price_e4 * 100'000LL);
            EXPECT_EQ(number_at<std::uint32_t>(bytes, level + 20), asks[i].shares);
        }
    }
}

// Written from the description of pcap and MoldUDP64 alone.
TEST_F(ExportedDay, AsCaptureHasEveryMessageInItsPackets) {
    const Exported exported = export_as(ExportForm::pcap, folder_ / "day.pcap");
    const std::string bytes = content(folder_ / "day.pcap");
    ASSERT_EQ(number_at<std::uint32_t>(bytes, 0), 0xA1B23C4D);
    const auto big = [&](std::size_t at, std::size_t length) {
        std::uint64_t value = 0;
        for (std::size_t i = 0; i < length; ++i)
            value = value * 256 + static_cast<std::uint8_t>(bytes[at + i]);
        return value;
    };
    std::string messages;
    std::uint64_t next = 1;
    std::uint64_t packets = 0;
    bool ended = false;
    for (std::size_t at = 24; at < bytes.size(); ++packets) {
        const auto length = number_at<std::uint32_t>(bytes, at + 8);
        const std::size_t mold = at + 16 + 14 + 20 + 8;
        ASSERT_LE(length, 14U + 20 + 8 + 1'400);
        EXPECT_EQ(big(at + 16 + 14 + 2, 2), length - 14) << "total length of IP";
        EXPECT_EQ(bytes.substr(mold, 10), "2026112300");
        EXPECT_EQ(big(mold + 10, 8), next);
        const std::uint64_t count = big(mold + 18, 2);
        ended = count == 0xFFFF;
        if (!ended) {
            messages += bytes.substr(mold + 20, at + 16 + length - mold - 20);
            next += count;
        }
        at += 16 + length;
    }
    EXPECT_TRUE(ended);
    EXPECT_EQ(packets, exported.rows);
    EXPECT_TRUE(messages == content(itch_));
}

struct RecordedPair {
    const char* messages;
    const char* book;
    std::size_t levels;
};

// Through the archive and back: each message, and each level after it.
TEST_F(ExportedDay, APairThatWasImportedIsThePairAgain) {
    DAMRAK_REAL_DATA_OR_SKIP(first, "lobster/AAPL_2012-06-21_34200000_57600000_message_10.csv");
    const auto data = first.parent_path();
    for (const auto& [messages, book, levels] :
         {RecordedPair{"AAPL_2012-06-21_34200000_57600000_message_10.csv",
                       "AAPL_2012-06-21_34200000_57600000_orderbook_10.csv", 10},
          RecordedPair{"cut/AAPL_2012-06-21_34200000_57600000_message_5.csv",
                       "cut/AAPL_2012-06-21_34200000_57600000_orderbook_5.csv", 5},
          RecordedPair{"GOOG_2012-06-21_34200000_57600000_message_1.csv",
                       "GOOG_2012-06-21_34200000_57600000_orderbook_1.csv", 1}}) {
        const auto imported = import_day({.from = data / messages, .to = archive_},
                                         [](std::uint64_t, std::uint64_t) {});
        ASSERT_TRUE(imported) << imported.error();
        EXPECT_EQ(imported->days.front().totals.anomalies, 0U);
        EXPECT_EQ(day().depth().depth, levels);
        Export as_lobster;
        as_lobster.depth = levels;
        const Exported exported =
            export_as(ExportForm::lobster, folder_ / "message.csv", as_lobster);
        ASSERT_EQ(exported.files.size(), 2U);
        EXPECT_TRUE(lines_of(exported.files[0]) == lines_of(data / messages)) << messages;
        EXPECT_TRUE(lines_of(exported.files[1]) == lines_of(data / book)) << book;
    }
}

TEST_F(ExportedDay, ShowsNoLevelThatTheDayDoesNotKnow) {
    const auto messages = folder_.write("A_2026-01-02_34200000_57600000_message_1.csv",
                                        "34200,1,1,100,1000000,1\n34201,1,2,50,1010000,-1\n");
    folder_.write("A_2026-01-02_34200000_57600000_orderbook_1.csv",
                  "9999999999,0,1000000,100\n1010000,50,1000000,100\n");
    ASSERT_TRUE(import_day({.from = messages, .to = archive_}, [](auto, auto) {}));
    Export wanted{.form = ExportForm::lobster, .to = folder_ / "out.csv", .depth = 2};
    const auto refused = export_day(day(), wanted, [](auto) {});
    ASSERT_FALSE(refused);
    EXPECT_THAT(refused.error(), HasSubstr("2 levels are wanted, and of this day 1 are known"));
    wanted = {
        .form = ExportForm::dbn, .to = folder_ / "out.dbn", .schema = wire::dbn::Schema::mbp_10};
    EXPECT_THAT(export_day(day(), wanted, [](auto) {}).error(), HasSubstr("10 levels"));
    wanted = {.form = ExportForm::lobster, .to = folder_ / "out.csv", .depth = 1};
    EXPECT_TRUE(export_day(day(), wanted, [](auto) {}));
}

// From a checkpoint on they are the same as from the begin, with the prices of older orders.
TEST_F(ExportedDay, HasTheSameTradesInEveryWindow) {
    const Day whole = day();
    ASSERT_GT(whole.checkpoints(), 1U);
    for (const Instrument& one : whole.instruments()) {
        const auto all = trades(whole, one.locate, {}).value;
        ASSERT_GT(all.size(), 50U);
        for (std::size_t from = 0; from < all.size(); from += all.size() / 7) {
            const auto some =
                trades(whole, one.locate, {.after = all[from].sequence, .limit = 40}).value;
            ASSERT_EQ(some.size(), std::min<std::size_t>(40, all.size() - from - 1));
            for (std::size_t i = 0; i < some.size(); ++i) {
                EXPECT_EQ(some[i].sequence, all[from + 1 + i].sequence);
                EXPECT_EQ(some[i].price_e4, all[from + 1 + i].price_e4);
                EXPECT_EQ(some[i].resting, all[from + 1 + i].resting);
            }
        }
    }
}

TEST_F(ExportedDay, SaysWhichInstrumentThereIsNot) {
    Export wanted;
    wanted.form = ExportForm::itch;
    wanted.to = folder_ / "day.csv";
    wanted.symbol = "NOPE";
    const auto exported = export_day(day(), wanted, [](std::uint64_t) {});
    ASSERT_FALSE(exported);
    EXPECT_THAT(exported.error(), HasSubstr("no instrument NOPE"));
    EXPECT_FALSE(std::filesystem::exists(wanted.to));
}

TEST_F(ExportedDay, ThatLacksItsLastBlockIsRefused) {
    const std::string whole = content(archive_);
    const std::size_t last = whole.rfind(std::string{"ABLK\x01\0\0\0", 8});
    const std::size_t end = whole.rfind(std::string{"ABLK\x03\0\0\0", 8});
    ASSERT_TRUE(last != std::string::npos && end != std::string::npos);
    std::ofstream{archive_, std::ios::binary} << whole.substr(0, last) << whole.substr(end);
    Export wanted;
    wanted.form = ExportForm::itch;
    wanted.to = folder_ / "short.itch";
    const auto exported = export_day(day(), wanted, [](std::uint64_t) {});
    ASSERT_FALSE(exported);
    EXPECT_THAT(exported.error(), HasSubstr("before it are missing"));
    EXPECT_FALSE(std::filesystem::exists(wanted.to));
}

TEST_F(ExportedDay, ThatIsDamagedIsRefusedAndLeavesTheFileThatWasThere) {
    {
        std::fstream damage{archive_, std::ios::in | std::ios::out | std::ios::binary};
        damage.seekp(5'000);
        damage << "damage";
    }
    std::ofstream{folder_ / "day.csv"} << "earlier";
    Export wanted;
    wanted.form = ExportForm::itch;
    wanted.to = folder_ / "day.csv";
    const auto exported = export_day(day(), wanted, [](std::uint64_t) {});
    ASSERT_FALSE(exported);
    EXPECT_THAT(exported.error(), HasSubstr("day.dar: at offset "));
    EXPECT_EQ(content(folder_ / "day.csv"), "earlier");
}

}  // namespace damrak::archive::export_test
