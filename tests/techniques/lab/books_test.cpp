// Every book that the laboratory compares, against the plainest one, on flows that spare nothing;
// and books with a fault in one policy, each of which has to be found.
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <damrak/base/random.hpp>
#include <damrak/lab/books/baselines.hpp>
#include <damrak/lab/factors/factors.hpp>

#include "plain_book.hpp"

namespace damrak::lab::books_test {
namespace {

// All trades of a flow by the plainest book.
Tape expected_of(const Flow& flow) {
    Tape tape;
    PlainBook book(tape);
    for (const Action& action : flow.opening) book.apply(action);
    for (const Action& action : flow.actions) book.apply(action);
    return tape;
}

// A mix of everything on few prices: deep queues, sweeps over many levels, cancels and replaces of
// orders that may have ended.
Flow wild_flow(std::int64_t messages, std::uint64_t seed) {
    static constexpr std::uint32_t k_prices = 300;
    RandomStream random{seed};
    Flow flow;
    std::uint64_t next_id = 1;
    for (std::int64_t i = 0; i < messages; ++i) {
        Action action{.side = random.coin() ? Side::sell : Side::buy};
        const std::uint32_t draw = random.below(100);
        // Mostly near the middle, sometimes anywhere.
        const std::uint32_t width = random.below(10) == 0 ? k_prices : 12;
        action.price =
            1'000 + static_cast<std::int32_t>((k_prices - width) / 2 + random.below(width));
        action.quantity = 1 + random.below(random.below(20) == 0 ? 400 : 20);
        if (draw < 50)
            action.kind = Kind::limit;
        else if (draw < 58)
            action.kind = Kind::ioc;
        else if (draw < 62)
            action.kind = Kind::market;
        else if (draw < 85)
            action.kind = Kind::cancel;
        else
            action.kind = Kind::replace;
        const bool enters = draw < 62;
        const auto known = static_cast<std::uint32_t>(next_id);
        const std::uint32_t back = random.below(std::min(known, 200U));
        action.id = enters ? next_id++ : known - back;
        (i < messages / 10 ? flow.opening : flow.actions).push_back(action);
    }
    flow.survey();
    return flow;
}

const std::vector<Flow>& flows() {
    static const std::vector<Flow> all{wild_flow(4'000, 1), wild_flow(4'000, 2),
                                       neutral_flow(4'000, 300, 3)};
    return all;
}

const std::vector<Tape>& expected() {
    static const std::vector<Tape> all = [] {
        std::vector<Tape> tapes;
        for (const Flow& flow : flows()) tapes.push_back(expected_of(flow));
        return tapes;
    }();
    return all;
}

bool trades_right(Sample (*replay)(const Flow&, Tape&)) {
    for (std::size_t i = 0; i < flows().size(); ++i) {
        Tape tape;
        static_cast<void>(replay(flows()[i], tape));
        if (tape != expected()[i]) return false;
    }
    return true;
}

TEST(LabBooks, TheFlowsTradeAndLeaveOrdersBehind) {
    for (const Tape& tape : expected()) EXPECT_GT(tape.trades(), 100U);
}

TEST(LabBooks, EveryVariantOfEveryFactorTradesAsThePlainestBookDoes) {
    for (const BookFactor& factor : book_factors())
        for (const BookTrial& trial : factor.trials)
            for (const BookVariant& variant : trial.variants)
                EXPECT_TRUE(trades_right(variant.replay))
                    << factor.name << ", " << trial.name << ", " << variant.name;
}

// Faults, one in each policy that could have one.

struct LastInFirstOut : IntrusiveQueue {
    template <class Order, class Link, class Reference>
    class Queue : public IntrusiveQueue::Queue<Order, Link, Reference> {
      public:
        template <class Orders>
        [[nodiscard]] Reference front(Orders& orders) const {
            Reference at = IntrusiveQueue::Queue<Order, Link, Reference>::front(orders);
            while (orders.at(at).hook.next != Link{}) at = orders.at(at).hook.next;
            return at;
        }
    };
};

// Asks are treated as bids: the worst price trades first.
struct WorstFirst {
    template <class Queue>
    class Levels : public TreeLevels::Levels<Queue> {
      public:
        Levels(Side, const Flow& flow) : TreeLevels::Levels<Queue>(Side::buy, flow) {}
    };
};

struct ForgetsIds {
    template <class Handle>
    class Ids : public ArrayIds::Ids<Handle> {
      public:
        using ArrayIds::Ids<Handle>::Ids;
        template <class IdOf>
        [[nodiscard]] Handle take(std::uint64_t id, IdOf id_of) {
            // Every hundredth is not found the first time.
            if (id % 100 == 0 && !passed_over_) {
                passed_over_ = true;
                return {};
            }
            passed_over_ = false;
            return ArrayIds::Ids<Handle>::take(id, id_of);
        }

      private:
        bool passed_over_ = false;
    };
};

struct SwapsSides {
    template <class Work>
    static void enter(const Action& action, Work&& work) {
        work(action.kind, action.id % 64 == 0 ? opposite(action.side) : action.side);
    }
};

struct LosesATrade : DirectOutput {
    using DirectOutput::DirectOutput;
    void trade(const Trade& trade) {
        if (++count_ % 50 != 0) DirectOutput::trade(trade);
    }
    using Collector = detail::ImmediateCollector<LosesATrade>;

  private:
    int count_ = 0;
};

struct Plain : RungNine {
    using Levels = TreeLevels;
    using Ids = ArrayIds;
};

struct WrongQueue : Plain {
    using Queue = LastInFirstOut;
};
struct WrongLevels : Plain {
    using Levels = WorstFirst;
};
struct WrongIds : Plain {
    using Ids = ForgetsIds;
};
struct WrongDispatch : Plain {
    using Dispatch = SwapsSides;
};
struct WrongOutput : Plain {
    using Output = LosesATrade;
};

TEST(LabBooks, AFaultInAnyPolicyIsCaught) {
    EXPECT_TRUE(trades_right(replay_on<Plain>));
    EXPECT_FALSE(trades_right(replay_on<WrongQueue>)) << "queue";
    EXPECT_FALSE(trades_right(replay_on<WrongLevels>)) << "levels";
    EXPECT_FALSE(trades_right(replay_on<WrongIds>)) << "ids";
    EXPECT_FALSE(trades_right(replay_on<WrongDispatch>)) << "dispatch";
    EXPECT_FALSE(trades_right(replay_on<WrongOutput>)) << "output";
}

}  // namespace
}  // namespace damrak::lab::books_test
