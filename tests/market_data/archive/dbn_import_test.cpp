// Files in DBN, built here byte by byte from its description: metadata of each version, every
// action, and what cannot be carried.
#include <damrak/archive/detail/dbn_import.hpp>

#include <algorithm>
#include <cstdint>
#include <expected>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <damrak/archive/day.hpp>
#include <damrak/archive/import.hpp>
#include <damrak/files/byte_sink.hpp>
#include <damrak/wire/dbn/reader.hpp>

#include "support/scratch_folder.hpp"

namespace damrak::archive::dbn_import_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr std::uint64_t k_midnight = 18'624ULL * 86'400'000'000'000;  ///< 2020-12-28
constexpr std::uint64_t k_noon = k_midnight + 43'200'000'000'000;

template <class T>
void put(std::string& to, T value) {
    for (std::size_t i = 0; i < sizeof value; ++i)
        to.push_back(static_cast<char>(static_cast<std::uint64_t>(value) >> 8U * i & 0xFFU));
}
void put_text(std::string& to, std::string_view text, std::size_t bytes) {
    to += text;
    to.append(bytes - text.size(), '\0');
}

std::string metadata(int version) {
    const std::size_t text = version == 1 ? 22 : 71;
    std::string rest;
    put_text(rest, "GLBX.MDP3", 16);
    put<std::uint16_t>(rest, 0);
    put<std::uint64_t>(rest, k_noon);
    put<std::uint64_t>(rest, ~std::uint64_t{0});
    put<std::uint64_t>(rest, 0);
    if (version == 1) put<std::uint64_t>(rest, 2);
    rest += std::string("\1\0\0", 3);
    if (version > 1) put<std::uint16_t>(rest, 71);
    rest.append(version == 1 ? 47 : 53, '\0');
    put<std::uint32_t>(rest, 0);  // definition
    put<std::uint32_t>(rest, 1);  // symbols
    put_text(rest, "ESH1", text);
    put<std::uint32_t>(rest, 0);
    put<std::uint32_t>(rest, 0);
    put<std::uint32_t>(rest, 1);  // mappings
    put_text(rest, "ESH1", text);
    put<std::uint32_t>(rest, 1);
    put<std::uint32_t>(rest, 20'201'228);
    put<std::uint32_t>(rest, 20'201'229);
    put_text(rest, "5482", text);
    if (version == 3) rest.append((8 - rest.size() % 8) % 8, '\0');
    std::string file = "DBN";
    file.push_back(static_cast<char>(version));
    put(file, static_cast<std::uint32_t>(rest.size()));
    return file + rest;
}

struct Row {
    std::uint64_t time_ns;
    std::uint64_t order;
    std::int64_t price_e9;
    std::uint32_t size;
    char action;
    char side;
    std::uint32_t instrument = 5482;
};

std::string record(const Row& row) {
    std::string bytes;
    bytes.push_back(14);
    bytes.push_back(static_cast<char>(0xA0));
    put<std::uint16_t>(bytes, 1);
    put(bytes, row.instrument);
    put(bytes, row.time_ns);
    put(bytes, row.order);
    put(bytes, row.price_e9);
    put(bytes, row.size);
    bytes += std::string("\x80\0", 2);
    bytes.push_back(row.action);
    bytes.push_back(row.side);
    put<std::uint64_t>(bytes, row.time_ns + 1);
    put<std::uint32_t>(bytes, 0);
    put<std::uint32_t>(bytes, 7);
    return bytes;
}

constexpr std::int64_t k_price = 3'722'750'000'000;
constexpr std::uint32_t k_price_e4 = 37'227'500;

class DbnDay : public ::testing::Test {
  protected:
    [[nodiscard]] std::expected<Imported, std::string> import(const std::string& content,
                                                              const char* name = "day.dbn") {
        Import wanted;
        wanted.from = folder_ / name;
        wanted.to = archive_;
        auto sink = files::ByteSink::create(wanted.from);
        EXPECT_TRUE(sink);
        sink->write(content);
        EXPECT_TRUE(sink->close());
        return import_day(wanted, [](std::uint64_t, std::uint64_t) {});
    }
    [[nodiscard]] static std::string day_of(const std::vector<Row>& rows, int version = 3) {
        std::string content = metadata(version);
        for (const Row& row : rows) content += record(row);
        return content;
    }
    [[nodiscard]] Book book_at(std::uint64_t utc_ns, std::uint16_t locate = 1) const {
        const auto day = Day::open(archive_);
        EXPECT_TRUE(day);
        auto book = day->book_at(locate, static_cast<std::int64_t>(utc_ns - k_midnight));
        EXPECT_TRUE(book) << book.error();
        return *std::move(book);
    }

    damrak::testing::ScratchFolder folder_;
    std::filesystem::path archive_ = folder_ / "day.dar";
};

}  // namespace

TEST_F(DbnDay, OfEachVersionIsRead) {
    for (const int version : {1, 2, 3})
        for (const char* const name : {"day.dbn", "day.dbn.zst"}) {
            const auto imported =
                import(day_of({{k_noon, 7, k_price, 3, 'A', 'B'}}, version), name);
            ASSERT_TRUE(imported) << imported.error();
            EXPECT_THAT(imported->notes, IsEmpty());
            EXPECT_EQ(Day::open(archive_)->instruments().front().symbol, "ESH1");
            EXPECT_THAT(book_at(k_noon).bids, ElementsAre(BookOrder{7, k_price_e4, 3}));
            EXPECT_THAT(book_at(k_noon - 1).bids, IsEmpty());
        }
}

TEST_F(DbnDay, KeepsAndLosesPlacesAsItsEventsSay) {
    const auto imported = import(day_of({{k_noon + 1, 1, k_price, 5, 'A', 'A'},
                                         {k_noon + 2, 2, k_price, 5, 'A', 'A'},
                                         {k_noon + 3, 3, k_price, 5, 'A', 'A'},
                                         {k_noon + 4, 1, k_price, 4, 'M', 'A'},  // smaller
                                         {k_noon + 5, 2, k_price, 6, 'M', 'A'},  // larger
                                         {k_noon + 6, 3, k_price, 1, 'C', 'A'},
                                         {k_noon + 7, 9, k_price, 8, 'M', 'A'},  // unknown
                                         {k_noon + 8, 3, k_price + 250'000'000, 4, 'M', 'A'},
                                         {k_noon + 9, 0, 0, 0, 'R', 'N'}}));
    ASSERT_TRUE(imported) << imported.error();
    EXPECT_EQ(imported->totals.anomalies, 0U);
    constexpr std::uint32_t p = k_price_e4;
    EXPECT_THAT(book_at(k_noon + 4).asks,
                ElementsAre(BookOrder{1, p, 4}, BookOrder{2, p, 5}, BookOrder{3, p, 5}));
    EXPECT_THAT(book_at(k_noon + 6).asks,
                ElementsAre(BookOrder{1, p, 4}, BookOrder{3, p, 4}, BookOrder{2, p, 6}));
    EXPECT_THAT(book_at(k_noon + 8).asks,
                ElementsAre(BookOrder{1, p, 4}, BookOrder{2, p, 6}, BookOrder{9, p, 8},
                            BookOrder{3, p + 2'500, 4}));
    EXPECT_THAT(book_at(k_noon + 9).asks, IsEmpty());
}

TEST_F(DbnDay, TakesFillsOffWithTheCancelBehindThem) {
    const auto imported = import(day_of({{k_noon + 1, 1, k_price, 5, 'A', 'B'},
                                         {k_noon + 2, 0, k_price, 2, 'T', 'A'},
                                         {k_noon + 2, 1, k_price, 2, 'F', 'B'},
                                         {k_noon + 3, 1, k_price, 2, 'C', 'B'},
                                         {k_noon + 4, 1, k_price, 3, 'F', 'B'},
                                         {k_noon + 5, 1, k_price, 3, 'C', 'B'}}));
    ASSERT_TRUE(imported) << imported.error();
    EXPECT_EQ(imported->totals.messages, 4U) << "directory, an add and two executions";
    EXPECT_THAT(book_at(k_noon + 2).bids, ElementsAre(BookOrder{1, k_price_e4, 5}));
    EXPECT_THAT(book_at(k_noon + 4).bids, ElementsAre(BookOrder{1, k_price_e4, 3}));
    EXPECT_THAT(book_at(k_noon + 5).bids, IsEmpty());
}

TEST_F(DbnDay, KeepsInstrumentsApartAlsoWithTheSameOrderNumbers) {
    const auto imported = import(day_of({{k_noon + 1, 1, k_price, 5, 'A', 'B'},
                                         {k_noon + 2, 1, k_price, 6, 'A', 'B', 77},
                                         {k_noon + 3, 1, k_price, 4, 'M', 'B', 77},
                                         {k_noon + 4, 1, k_price, 5, 'C', 'B'}}));
    ASSERT_TRUE(imported) << imported.error();
    EXPECT_EQ(Day::open(archive_)->instruments()[1].symbol, "77");
    EXPECT_EQ(book_at(k_noon + 3, 1).bids.front().shares, 5U);
    EXPECT_EQ(book_at(k_noon + 3, 2).bids.front().shares, 4U);
    EXPECT_THAT(book_at(k_noon + 4, 1).bids, IsEmpty());
    EXPECT_EQ(book_at(k_noon + 4, 2).bids.front().shares, 4U);
}

TEST_F(DbnDay, CountsWhatItchCannotHave) {
    const auto imported = import(day_of({{k_noon, 1, -k_price, 5, 'A', 'B'},
                                         {k_noon, 2, k_price + 1, 5, 'A', 'B'},
                                         {k_noon, 3, INT64_MAX, 5, 'A', 'B'},
                                         {k_noon, 4, k_price, 5, 'A', 'B'}}));
    ASSERT_TRUE(imported) << imported.error();
    EXPECT_THAT(imported->notes, ElementsAre(HasSubstr("3 orders are left out")));
    EXPECT_THAT(book_at(k_noon).bids, ElementsAre(BookOrder{4, k_price_e4, 5}));
}

TEST_F(DbnDay, ThatIsCutAnywhereIsReadUpToThere) {
    const std::string whole =
        day_of({{k_noon, 1, k_price, 5, 'A', 'B'}, {k_noon + 1, 2, k_price, 5, 'A', 'B'}});
    const std::size_t first = whole.size() - std::size_t{2} * 56;
    for (std::size_t length = 0; length < whole.size(); ++length) {
        const auto imported = import(whole.substr(0, length));
        if (length < first + 56 && length != first) {
            EXPECT_FALSE(imported) << length;
            continue;
        }
        ASSERT_TRUE(imported) << length << imported.error();
        EXPECT_EQ(imported->notes.size(), length == first || length == first + 56 ? 0U : 1U);
    }
    EXPECT_THAT(import("DBN\4" + whole.substr(4)).error(), HasSubstr("unknown DBN version 4"));
}

}  // namespace damrak::archive::dbn_import_test
