// Tables in memory leave by the Arrow interfaces, and live as long as anything of them is held.
#include <damrak/tables/arrow.hpp>

#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gmock/gmock.h>

#include <damrak/tables/csv.hpp>

namespace damrak::tables::arrow_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsNull;

/// Two rows: a price and a letter are null in the second one.
std::shared_ptr<const MemoryTable> two_rows(std::string zone = "UTC", bool has_date = true) {
    auto table = std::make_shared<MemoryTable>();
    const auto add = [&](std::string name, Type type, bool can_be_null) -> Column& {
        table->columns.push_back({std::move(name), type, can_be_null, "", ""});
        return table->rows.emplace_back(type);
    };
    table->rows.reserve(8);
    table->symbols = {"AAPL", "MSFT"};
    table->zone = std::move(zone);
    table->has_date = has_date;
    Column& time = add("ts_event", Type::time, false);
    time.push(std::int64_t{5});
    time.push(std::int64_t{6});
    Column& symbol = add("symbol", Type::symbol, false);
    symbol.push(std::uint32_t{1});
    symbol.push(std::uint32_t{0});
    Column& price = add("price", Type::price, true);
    price.push(1.25);
    price.push_null();
    Column& exact = add("exact", Type::exact_price, true);
    exact.push(std::int64_t{1'250'000'000});
    exact.push_null();
    Column& side = add("side", Type::letter, true);
    side.push('B');
    side.push_null();
    Column& printable = add("printable", Type::boolean, false);
    printable.push(std::uint8_t{0});
    printable.push(std::uint8_t{1});
    Column& number = add("number", Type::number, true);
    number.push(1e-9);
    number.push_null();
    return table;
}

/// What a consumer holds of a table that nobody else has any more.
struct Taken {
    explicit Taken(const std::shared_ptr<const MemoryTable>& table) {
        ArrowArrayStream stream;
        ArrowTable{table}.make_stream(&stream);
        EXPECT_EQ(stream.get_schema(&stream, &schema), 0);
        EXPECT_EQ(stream.get_next(&stream, &batch), 0);
        ArrowArray end;
        EXPECT_EQ(stream.get_next(&stream, &end), 0);
        EXPECT_THAT(end.release, IsNull()) << "one batch";
        stream.release(&stream);
        EXPECT_THAT(stream.release, IsNull());
    }
    Taken(const Taken&) = delete;
    Taken& operator=(const Taken&) = delete;
    ~Taken() {
        if (schema.release != nullptr) schema.release(&schema);
        if (batch.release != nullptr) batch.release(&batch);
    }
    template <class T>
    [[nodiscard]] const T* values(std::size_t column) const {
        return static_cast<const T*>(batch.children[column]->buffers[1]);
    }
    [[nodiscard]] std::string_view text(std::size_t column, std::size_t row) const {
        const ArrowArray& texts = *batch.children[column]->dictionary;
        const std::uint32_t key = values<std::uint32_t>(column)[row];
        const auto* const offsets = static_cast<const std::int32_t*>(texts.buffers[1]);
        const auto* const bytes = static_cast<const char*>(texts.buffers[2]);
        return {bytes + offsets[key], bytes + offsets[key + 1]};
    }

    ArrowSchema schema{};
    ArrowArray batch{};
};

TEST(Arrow, ASchemaHasNamesAndFormats) {
    const Taken taken{two_rows("America/New_York")};
    std::vector<std::string> columns;
    for (std::int64_t i = 0; i < taken.schema.n_children; ++i)
        columns.push_back(std::string{taken.schema.children[i]->name} + " " +
                          taken.schema.children[i]->format);
    EXPECT_THAT(columns, ElementsAre("ts_event tsn:America/New_York", "symbol I", "price g",
                                     "exact l", "side I", "printable b", "number g"));
    EXPECT_STREQ(taken.schema.format, "+s");
    EXPECT_STREQ(taken.schema.children[4]->dictionary->format, "u");
    EXPECT_EQ(taken.schema.children[2]->flags & 2, 2) << "can be null";
    EXPECT_EQ(taken.schema.children[0]->flags & 2, 0);
}

TEST(Arrow, TimesWithoutADateAreSinceMidnightAndOfAnUnknownZoneLocal) {
    EXPECT_STREQ(Taken{two_rows("", false)}.schema.children[0]->format, "ttn");
    EXPECT_STREQ(Taken{two_rows("", true)}.schema.children[0]->format, "tsn:");
}

TEST(Arrow, ABatchHasTheValuesAlsoWhenTheTableIsGone) {
    const Taken taken{two_rows()};
    EXPECT_EQ(taken.batch.length, 2);
    EXPECT_EQ(taken.values<std::int64_t>(0)[1], 6);
    EXPECT_EQ(taken.text(1, 0), "MSFT");
    EXPECT_EQ(taken.text(1, 1), "AAPL");
    EXPECT_EQ(taken.values<double>(2)[0], 1.25);
    EXPECT_EQ(taken.batch.children[2]->null_count, 1);
    EXPECT_EQ(*static_cast<const std::uint8_t*>(taken.batch.children[2]->buffers[0]) & 3, 1);
    EXPECT_EQ(taken.values<std::int64_t>(3)[1], k_no_exact_price);
    EXPECT_EQ(taken.text(4, 0), "B");
    EXPECT_EQ(taken.batch.children[4]->null_count, 1);
    EXPECT_EQ(taken.values<std::uint8_t>(5)[0] & 3, 2) << "bits of false, true";
    EXPECT_EQ(taken.values<double>(6)[0], 1e-9);
    EXPECT_TRUE(std::isnan(taken.values<double>(6)[1]));
    EXPECT_EQ(taken.batch.children[6]->null_count, 1);
    EXPECT_THAT(taken.batch.children[0]->buffers[0], IsNull()) << "no nulls";
}

TEST(Arrow, NumbersAreThoseOfTheTableItself) {
    const auto table = two_rows();
    const Taken taken{table};
    EXPECT_EQ(taken.values<double>(2), table->rows[2].values<double>().data());
    EXPECT_EQ(taken.values<std::int64_t>(0), table->rows[0].values<std::int64_t>().data());
}

TEST(Arrow, ANumberKeepsItsDigitsInCsv) {
    const auto table = two_rows();
    std::string csv;
    append_rows(csv, table->rows, table->symbols);
    EXPECT_THAT(csv, HasSubstr(",1.2500,1.2500,B,false,1e-09\n"));
}

TEST(Arrow, AChildThatWasMovedOutOutlivesItsBatch) {
    Taken taken{two_rows()};
    ArrowArray price = *taken.batch.children[2];
    taken.batch.children[2]->release = nullptr;  // as a consumer says that it took it
    taken.batch.release(&taken.batch);
    EXPECT_EQ(static_cast<const double*>(price.buffers[1])[0], 1.25);
    price.release(&price);
    EXPECT_THAT(price.release, IsNull());
}

TEST(Arrow, AnEmptyTableIsABatchWithoutRows) {
    auto table = std::make_shared<MemoryTable>();
    table->columns = {{"side", Type::letter, false, "", ""}, {"b", Type::boolean, false, "", ""}};
    table->rows.emplace_back(Type::letter);
    table->rows.emplace_back(Type::boolean);
    const Taken taken{table};
    EXPECT_EQ(taken.batch.length, 0);
    EXPECT_EQ(taken.batch.children[0]->dictionary->length, 0);
}

}  // namespace
}  // namespace damrak::tables::arrow_test
