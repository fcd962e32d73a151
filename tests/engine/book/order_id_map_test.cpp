// The id table compared with std::unordered_map at full capacity, for ids of every pattern that a
// day, a file or an adversary may bring; and its speed after a long day.

#include <damrak/book/order_id_map.hpp>

#include <cstdint>
#include <functional>
#include <iterator>
#include <string>
#include <unordered_map>
#include <vector>

#include <gtest/gtest.h>

#include <damrak/base/random.hpp>

namespace damrak::order_id_map_test {
namespace {

struct Name {
    InstrumentId instrument;
    OrderId id;
    friend bool operator==(const Name&, const Name&) = default;
};

struct NameHash {
    std::size_t operator()(const Name& name) const {
        return mix_bits(name.id.value * 31 + name.instrument.value);
    }
};

// A map and its model. Index i is the order with the name names_[i].
class CheckedMap {
  public:
    explicit CheckedMap(std::uint32_t capacity) : map_(capacity), names_(capacity + 1U) {
        for (std::uint32_t i = capacity; i > 0; --i) free_.push_back(i);
    }

    [[nodiscard]] bool full() const { return free_.empty(); }
    [[nodiscard]] bool contains(Name name) const { return model_.contains(name); }
    [[nodiscard]] std::size_t size() const { return model_.size(); }

    void insert(Name name) {
        const std::uint32_t index = free_.back();
        free_.pop_back();
        names_[index] = name;
        model_[name] = index;
        map_.insert(key(name), index);
    }
    void erase(Name name) {
        const std::uint32_t index = model_.at(name);
        map_.erase(key(name), index);
        model_.erase(name);
        free_.push_back(index);
    }
    void check(Name name) {
        const auto at = model_.find(name);
        ASSERT_EQ(find(name), at == model_.end() ? 0 : at->second);
    }
    void check_all() {
        for (const auto& [name, index] : model_) ASSERT_EQ(find(name), index);
    }
    [[nodiscard]] std::uint32_t find(Name name) {
        return map_.find(key(name), [&](std::uint32_t i) {
            ++compared_;
            return names_[i] == name;
        });
    }
    [[nodiscard]] OrderIdMap::Key key(Name name) const {
        return map_.key_of(name.instrument, name.id);
    }
    [[nodiscard]] std::uint64_t compared() const { return compared_; }
    [[nodiscard]] const OrderIdMap& map() const { return map_; }

  private:
    OrderIdMap map_;
    std::vector<Name> names_;
    std::vector<std::uint32_t> free_;
    std::unordered_map<Name, std::uint32_t, NameHash> model_;
    std::uint64_t compared_ = 0;
};

struct Shape {
    std::string label;
    std::function<Name(RandomStream&, std::uint64_t)> name;  ///< of the n-th order
};

std::vector<Shape> shapes() {
    const InstrumentId one{1};
    return {
        {"Sequential", [=](auto&, std::uint64_t n) { return Name{one, {n + 1}}; }},
        {"Random64Bit", [=](auto& random, std::uint64_t) { return Name{one, {random.next()}}; }},
        {"Strided", [=](auto&, std::uint64_t n) { return Name{one, {(n + 1) << 20U}}; }},
        {"HighBitsOnly", [=](auto&, std::uint64_t n) { return Name{one, {(n + 1) << 45U}}; }},
        {"SameIdInManyInstruments",
         [](auto&, std::uint64_t n) {
             return Name{{static_cast<std::uint32_t>(n % 1'000 + 1)}, {n / 1'000 + 1}};
         }},
        {"AllocatedInManyInstruments",
         [](auto&, std::uint64_t n) {
             const InstrumentId instrument{static_cast<std::uint32_t>(n % 300 + 1)};
             return Name{instrument, {allocated_id(instrument, n / 300 + 1)}};
         }},
        {"Clustered",
         [=](auto& random, std::uint64_t n) {
             return Name{one, {(n / 50) * 1'000'003 + random.below(400) + 1}};
         }},
        {"LargestIds", [=](auto&, std::uint64_t n) { return Name{one, {~std::uint64_t{0} - n}}; }},
    };
}

class OrderIdMapShapes : public ::testing::TestWithParam<Shape> {};

TEST_P(OrderIdMapShapes, FindsEveryLiveIdAndNoOther) {
    constexpr std::uint32_t k_capacity = 5'000;
    RandomStream random(3);
    CheckedMap map(k_capacity);
    std::vector<Name> live;
    std::uint64_t n = 0;
    for (int step = 0; step < 200'000; ++step) {
        // Filled completely first, then kept nearly full.
        const bool insert = live.size() < k_capacity / 2 || step < 20'000 || random.coin();
        if (insert && !map.full()) {
            const Name name = GetParam().name(random, n++);
            map.check(name);
            if (map.contains(name)) continue;
            map.insert(name);
            live.push_back(name);
        } else {
            const std::uint32_t at = random.below(static_cast<std::uint32_t>(live.size()));
            map.erase(live[at]);
            map.check(live[at]);
            live[at] = live.back();
            live.pop_back();
        }
        map.check(live[random.below(static_cast<std::uint32_t>(live.size()))]);
        if (step % 20'000 == 0) map.check_all();
        if (HasFatalFailure()) return;
    }
    map.check_all();
}

INSTANTIATE_TEST_SUITE_P(Ids, OrderIdMapShapes, ::testing::ValuesIn(shapes()),
                         [](const auto& shape) { return shape.param.label; });

TEST(OrderIdMap, FindsNothingWhenItIsEmpty) {
    CheckedMap map(10);
    EXPECT_EQ(map.find({{1}, {1}}), 0U);
    EXPECT_EQ(map.map().hint(map.key({{1}, {1}})), 0U);
}

TEST(OrderIdMap, KeepsTheSameIdOfTwoInstrumentsApart) {
    CheckedMap map(10);
    map.insert({{1}, {42}});
    map.insert({{2}, {42}});
    map.check({{1}, {42}});
    map.check({{2}, {42}});
    map.check({{3}, {42}});
    map.erase({{1}, {42}});
    map.check({{1}, {42}});
    map.check({{2}, {42}});
}

TEST(OrderIdMap, HintsAtTheEntryThatIsFound) {
    CheckedMap map(1'000);
    for (std::uint64_t n = 1; n <= 1'000; ++n) map.insert({{1}, {n}});
    int right = 0;
    for (std::uint64_t n = 1; n <= 1'000; ++n) {
        const Name name{{1}, {n}};
        right += map.map().hint(map.key(name)) == map.find(name) ? 1 : 0;
    }
    EXPECT_GT(right, 990) << "wrong only for the few that overflowed";
}

TEST(OrderIdMap, ComparesAboutOneOrderForEachLookUp) {
    for (const Shape& shape : shapes()) {
        RandomStream random(5);
        CheckedMap map(20'000);
        std::vector<Name> live;
        for (std::uint64_t n = 0; !map.full(); ++n) {
            const Name name = shape.name(random, n);
            if (map.contains(name)) continue;
            map.insert(name);
            live.push_back(name);
        }
        const std::uint64_t before = map.compared();
        for (const Name& name : live) (void)map.find(name);
        const double per_look_up =
            static_cast<double>(map.compared() - before) / static_cast<double>(live.size());
        // Ids that agree in their low half have equal tags: at most one bucket of them is compared.
        EXPECT_LE(per_look_up, shape.label == "HighBitsOnly" ? 4.0 : 1.05) << shape.label;
    }
}

// The overflow counts determine the cost of a look-up. After any number of inserts and erases an
// empty map has none left, so a later look-up compares nothing.
TEST(OrderIdMap, IsAsGoodAsNewAfterALongDay) {
    RandomStream random(9);
    CheckedMap map(1'000);
    std::vector<Name> live;
    for (int step = 0; step < 300'000; ++step) {
        if (live.empty() || (!map.full() && random.below(100) < 60)) {
            const Name name{{1}, {random.next()}};
            map.insert(name);
            live.push_back(name);
        } else {
            map.erase(live.back());
            live.pop_back();
        }
    }
    while (!live.empty()) {
        map.erase(live.back());
        live.pop_back();
    }
    const std::uint64_t before = map.compared();
    for (int i = 0; i < 10'000; ++i) EXPECT_EQ(map.find({{1}, {random.next()}}), 0U);
    EXPECT_LT(map.compared() - before, 100U) << "erased entries are still compared";
}

// Ids that all belong in one bucket, as only someone who knows the hash could send them.
std::vector<Name> ids_of_bucket(const CheckedMap& map, std::size_t bucket, std::size_t count) {
    std::vector<Name> names;
    for (std::uint64_t id = 2; names.size() < count; id += 2)
        if (map.key({{1}, {id}}).bucket == bucket) names.push_back({{1}, {id}});
    return names;
}

TEST(OrderIdMap, StaysRightWhenEveryIdBelongsInOneBucket) {
    constexpr std::uint32_t k_capacity = 200;
    CheckedMap map(k_capacity);
    const std::vector<Name> names = ids_of_bucket(map, 3, k_capacity + 10);
    for (std::uint32_t i = 0; i < k_capacity; ++i) map.insert(names[i]);
    map.check_all();
    for (std::uint32_t i = 0; i < 10; ++i) map.check(names[k_capacity + i]);
    for (std::uint32_t i = 0; i < k_capacity; i += 2) map.erase(names[i]);
    map.check_all();
    for (std::uint32_t i = 0; i < k_capacity; ++i) map.check(names[i]);
}

// A search continues past its home bucket only while an entry that overflowed from there exists.
TEST(OrderIdMap, SearchesOnlyTheHomeBucketOnceOverflowIsGone) {
    constexpr std::uint32_t k_capacity = 200;
    constexpr std::uint64_t k_entries_of_a_bucket = 7;
    CheckedMap map(k_capacity);
    const std::vector<Name> names = ids_of_bucket(map, 3, k_capacity);
    for (const Name& name : names) map.insert(name);
    for (const Name& name : names) map.erase(name);
    const std::uint64_t before = map.compared();
    for (const Name& name : names) EXPECT_EQ(map.find(name), 0U);
    EXPECT_LE(map.compared() - before, k_entries_of_a_bucket) << "searched empty buckets";
}

// Entries far from home may outlive the entries that displaced them. Every bucket may then say
// "continue", but the search for a missing id must still end.
TEST(OrderIdMap, EndsASearchWhenEveryBucketHasOverflowed) {
    constexpr std::uint32_t k_capacity = 200;
    CheckedMap map(k_capacity);
    const std::size_t buckets = map.map().bytes() / 64;
    for (std::size_t home = 0; home < buckets; home += k_capacity / 7 - 1) {
        const std::vector<Name> names = ids_of_bucket(map, home, k_capacity - map.size());
        for (const Name& name : names) map.insert(name);
        // All but the entry that lies farthest from home.
        for (std::size_t i = 0; i + 1 < names.size(); ++i) map.erase(names[i]);
    }
    EXPECT_LT(map.size(), 10U);
    EXPECT_EQ(map.find({{2}, {1}}), 0U);
    map.check_all();
}

}  // namespace
}  // namespace damrak::order_id_map_test
