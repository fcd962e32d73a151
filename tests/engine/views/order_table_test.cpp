// Orders by the exchange's id.
#include <damrak/views/order_table.hpp>

#include <cstdint>
#include <iterator>
#include <map>
#include <random>
#include <utility>

#include <gtest/gtest.h>

#include <damrak/base/serialize.hpp>

namespace damrak::views::order_table_test {

namespace {

struct TestOrder {
    OrderId id{};
    std::uint64_t content = 0;
};
using Table = OrderTable<TestOrder>;

std::uint32_t add(Table& table, std::uint64_t id) {
    const std::uint32_t index = table.take();
    table[index] = {.id = {id}, .content = id * 10};
    table.file(index);
    return index;
}

}  // namespace

TEST(OrderTable, FindsAnOrderByItsId) {
    Table table{100};
    EXPECT_EQ(table.find({7}), 0U);
    const std::uint32_t index = add(table, 7);
    EXPECT_EQ(table.find({7}), index);
    EXPECT_EQ(table[index].content, 70U);
    EXPECT_EQ(table.index_of(table[index]), index);
    EXPECT_EQ(table.find({8}), 0U);
}

TEST(OrderTable, FollowsAChangeOfTheId) {
    Table table{100};
    const std::uint32_t index = add(table, 7);
    table.change_id(index, {8});
    EXPECT_EQ(table.find({7}), 0U);
    EXPECT_EQ(table.find({8}), index);
    table.change_id(index, {8});
    EXPECT_EQ(table.find({8}), index);
}

TEST(OrderTable, DoesNotFindAnOrderThatIsNotFiled) {
    Table table{1};
    const std::uint32_t index = table.take();
    table[index].id = {7};
    EXPECT_EQ(table.find({7}), 0U);
    EXPECT_TRUE(table.full());
    table.give_back(index);
    EXPECT_FALSE(table.full());
}

TEST(OrderTable, AgreesWithAMapAfterManyCalls) {
    Table table{500};
    std::map<std::uint64_t, std::uint32_t> model;
    std::mt19937_64 random{1};
    for (std::uint64_t id = 1; id < 20'000; ++id) {
        if (!table.full() && random() % 2 == 0) {
            model[id] = add(table, id);
        } else if (!model.empty()) {
            const auto one =
                std::next(model.begin(), static_cast<std::ptrdiff_t>(random() % model.size()));
            table.unfile(one->second);
            table.give_back(one->second);
            EXPECT_EQ(table.find({one->first}), 0U);
            model.erase(one);
        }
        ASSERT_EQ(table.used(), model.size());
    }
    for (const auto& [id, index] : model) EXPECT_EQ(table.find({id}), index);
}

TEST(OrderTable, CanBeSavedAndLoaded) {
    Table table{100};
    for (std::uint64_t id = 1; id <= 50; ++id) add(table, id);
    table.unfile(3);
    table.give_back(3);
    const auto transfer = [](auto& self, auto& archive) {
        Table::transfer_orders(self, archive);
        Table::transfer_ids(self, archive);
    };
    const auto bytes = saved_bytes([&](auto& archive) { transfer(std::as_const(table), archive); });
    Table loaded{200};
    LoadArchive archive{bytes};
    transfer(loaded, archive);
    ASSERT_TRUE(archive.complete());
    for (std::uint64_t id = 1; id <= 50; ++id) EXPECT_EQ(loaded.find({id}), table.find({id}));
    EXPECT_EQ(loaded.take(), 3U);
}

}  // namespace damrak::views::order_table_test
