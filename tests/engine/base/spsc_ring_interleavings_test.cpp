// Every interleaving of the ring's index protocol, for small rings: a model of base/spsc_ring.hpp
// in which each read and write of a shared word is a step, searched exhaustively.
//
// The model is weaker than sequential consistency, as C++ is. A load may return any value of a word
// that is not older than what its thread saw before. Earlier writes of the storing thread are
// visible only if the store is a release and the load an acquire. A slot may be read only after its
// write is visible in this way, and written again only after its read is. The search fails on an
// item that is lost, duplicated or out of order, and on a deadlock. Faulty variants of the protocol
// must fail.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace damrak::spsc_ring_interleavings_test {
namespace {

using Count = std::uint8_t;
constexpr Count k_capacity_max = 4;

/// The protocol, and its possible faults.
struct Protocol {
    Count capacity = 2;
    Count items = 5;
    Count publish_max = 1;  ///< largest number of items that are published together
    bool publishes_before_writing = false;
    bool releases_before_reading = false;
    bool publish_is_release = true;
    bool release_is_release = true;
    bool loads_acquire = true;
    bool takes_one_too_many = false;  ///< the producer, when it checks for room
    bool trusts_old_index = false;    ///< the consumer reads one item beyond what it has seen
};

/// A store to an index.
struct Store {
    Count value = 0;
    Count epoch = 0;  ///< of the storing thread; all its earlier actions have smaller epochs
    bool release = true;
    auto operator<=>(const Store&) const = default;
};

struct Slot {
    Count item = 0;         ///< counted from 1
    Count write_epoch = 0;  ///< of the producer
    Count read_epoch = 0;   ///< of the consumer
    auto operator<=>(const Slot&) const = default;
};

/// One side, with its cached copy of the other side's index.
struct Side {
    Count step = 0;
    Count next = 0;
    Count other_seen = 0;
    Count newest = 0;  ///< position of the newest store of the other side that it has seen
    Count knows = 0;   ///< epoch of the other side up to which all its actions are visible
    Count epoch = 1;   ///< its own epoch
    Count batch = 0;   ///< items of the current publication or release
    Count done = 0;    ///< how many of these are done
    auto operator<=>(const Side&) const = default;
};

struct State {
    Side producer;
    Side consumer;
    std::array<Slot, k_capacity_max> slots{};
    std::vector<Store> written{Store{}};
    std::vector<Store> read{Store{}};
    auto operator<=>(const State&) const = default;
};

class Search {
  public:
    explicit Search(const Protocol& protocol) : protocol_(protocol) { visit(State{}); }

    /// The first fault found in any interleaving; empty if there is none.
    [[nodiscard]] const std::string& fault() const { return fault_; }
    [[nodiscard]] std::size_t states() const { return seen_.size(); }

  private:
    enum ProducerStep : Count { k_look_for_room, k_load_read, k_write, k_publish };
    enum ConsumerStep : Count { k_look_for_items, k_load_written, k_read, k_release };

    void visit(const State& start) {
        std::vector<State> open{start};
        while (!open.empty() && fault_.empty()) {
            const State state = open.back();
            open.pop_back();
            if (!seen_.insert(state).second) continue;
            next_.clear();
            if (state.producer.next < protocol_.items) produce(state);
            if (state.consumer.next < protocol_.items) consume(state);
            const bool done = state.consumer.next == protocol_.items;
            const bool stuck =
                std::ranges::all_of(next_, [&](const State& s) { return s == state; });
            if (stuck && !done) fail("deadlock: both sides wait");
            open.insert(open.end(), next_.begin(), next_.end());
        }
    }

    void fail(const char* what) {
        if (fault_.empty()) fault_ = what;
    }
    [[nodiscard]] Slot& slot(State& state, Count index) const {
        return state.slots[index % protocol_.capacity];
    }

    /// A successor state for each value that a load may return.
    template <class Then>
    void load(const State& state, Side State::* side, const std::vector<Store>& stores,
              const Then& then) {
        for (std::size_t i = (state.*side).newest; i < stores.size(); ++i) {
            State after = state;
            Side& own = after.*side;
            own.newest = static_cast<Count>(i);
            own.other_seen = stores[i].value;
            if (stores[i].release && protocol_.loads_acquire)
                own.knows = std::max(own.knows, stores[i].epoch);
            then(after, own);
            next_.push_back(after);
        }
    }

    void produce(const State& state) {
        const Side& own = state.producer;
        const Count room =
            static_cast<Count>(protocol_.capacity + (protocol_.takes_one_too_many ? 1 : 0));
        switch (own.step) {
            case k_look_for_room: {
                // Any number that fits.
                const Count most = std::min<Count>(protocol_.publish_max,
                                                   static_cast<Count>(protocol_.items - own.next));
                for (Count batch = 1; batch <= most; ++batch) {
                    State after = state;
                    after.producer.batch = batch;
                    after.producer.done = 0;
                    const bool fits = own.next + batch - own.other_seen <= room;
                    after.producer.step = fits ? first_of_producer() : Count{k_load_read};
                    next_.push_back(after);
                }
                return;
            }
            case k_load_read:
                return load(state, &State::producer, state.read, [&](State&, Side& after) {
                    const bool fits = after.next + after.batch - after.other_seen <= room;
                    after.step = fits ? first_of_producer() : Count{k_look_for_room};
                });
            case k_write:
                return write(state);
            default:
                return publish(state);
        }
    }
    [[nodiscard]] Count first_of_producer() const {
        return protocol_.publishes_before_writing ? k_publish : k_write;
    }

    void write(State state) {
        Side& own = state.producer;
        // After a premature publication the index has advanced already.
        const auto base =
            static_cast<Count>(own.next - (protocol_.publishes_before_writing ? own.batch : 0));
        const auto index = static_cast<Count>(base + own.done);
        Slot& at = slot(state, index);
        if (at.read_epoch > own.knows || (at.item != 0 && at.read_epoch == 0))
            return fail("a slot is written again before it was read");
        at = {.item = static_cast<Count>(index + 1), .write_epoch = own.epoch++, .read_epoch = 0};
        if (++own.done == own.batch)
            own.step = protocol_.publishes_before_writing ? k_look_for_room : k_publish;
        next_.push_back(state);
    }

    void publish(State state) {
        Side& own = state.producer;
        own.next = static_cast<Count>(own.next + own.batch);
        const Count epoch = own.epoch++;
        state.written.push_back({own.next, epoch, protocol_.publish_is_release});
        own.step = protocol_.publishes_before_writing ? k_write : k_look_for_room;
        next_.push_back(state);
    }

    void consume(const State& state) {
        const Side& own = state.consumer;
        switch (own.step) {
            case k_look_for_items: {
                State after = state;
                after.consumer.step = own.next == own.other_seen ? k_load_written : k_read;
                if (after.consumer.step == k_read) return take_batches(state);
                next_.push_back(after);
                return;
            }
            case k_load_written:
                return load(state, &State::consumer, state.written, [&](State&, Side& after) {
                    if (protocol_.trusts_old_index && after.other_seen < protocol_.items)
                        ++after.other_seen;
                    after.step = k_look_for_items;
                });
            case k_read:
                return read(state);
            default:
                return release(state);
        }
    }

    // It may release a part of the readable items.
    void take_batches(const State& state) {
        const auto readable = static_cast<Count>(state.consumer.other_seen - state.consumer.next);
        for (Count batch = 1; batch <= readable; ++batch) {
            State after = state;
            after.consumer.batch = batch;
            after.consumer.done = 0;
            after.consumer.step = protocol_.releases_before_reading ? k_release : k_read;
            next_.push_back(after);
        }
    }

    void read(State state) {
        Side& own = state.consumer;
        const auto base =
            static_cast<Count>(own.next - (protocol_.releases_before_reading ? own.batch : 0));
        const auto index = static_cast<Count>(base + own.done);
        Slot& at = slot(state, index);
        if (at.item == 0 || at.write_epoch > own.knows)
            return fail("a slot is read before its writing is seen");
        if (at.item < index + 1) return fail("an item is read twice");
        if (at.item > index + 1) return fail("an item is lost");
        at.read_epoch = own.epoch++;
        if (++own.done == own.batch)
            own.step = protocol_.releases_before_reading ? k_look_for_items : k_release;
        next_.push_back(state);
    }

    void release(State state) {
        Side& own = state.consumer;
        own.next = static_cast<Count>(own.next + own.batch);
        const Count epoch = own.epoch++;
        state.read.push_back({own.next, epoch, protocol_.release_is_release});
        own.step = protocol_.releases_before_reading ? k_read : k_look_for_items;
        next_.push_back(state);
    }

    Protocol protocol_;
    std::set<State> seen_;
    std::vector<State> next_;
    std::string fault_;
};

TEST(SpscRingInterleavings, NoItemIsLostDuplicatedOrReordered) {
    for (const Count capacity : {Count{1}, Count{2}, Count{4}}) {
        const Search search{{.capacity = capacity, .items = 5}};
        EXPECT_EQ(search.fault(), "") << int{capacity};
        EXPECT_GT(search.states(), 100U) << "the search covers too few states";
    }
}

TEST(SpscRingInterleavings, NoItemIsLostWhenManyArePublishedTogether) {
    for (const Count capacity : {Count{2}, Count{4}}) {
        const Search search{{.capacity = capacity, .items = 5, .publish_max = 2}};
        EXPECT_EQ(search.fault(), "") << int{capacity};
    }
}

struct Planted {
    const char* name;
    Protocol protocol;
};

TEST(SpscRingInterleavings, EveryPlantedFaultIsFound) {
    const std::array planted{
        Planted{"published before it is written", {.publishes_before_writing = true}},
        Planted{"released before it is read", {.releases_before_reading = true}},
        Planted{"published without release", {.publish_is_release = false}},
        Planted{"released without release", {.release_is_release = false}},
        Planted{"loaded without acquire", {.loads_acquire = false}},
        Planted{"one slot too many", {.takes_one_too_many = true}},
        Planted{"one item too far", {.trusts_old_index = true}},
    };
    for (const Planted& fault : planted)
        EXPECT_NE(Search{fault.protocol}.fault(), "") << fault.name;
}

}  // namespace
}  // namespace damrak::spsc_ring_interleavings_test
