// Allocation on arbitrary levels: equal to a model written from the rule book alone, one lot at a
// time where that is possible, and lawful whatever the policy.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <damrak/auction/allocation.hpp>
#include <damrak/base/random.hpp>

#include "support/test_size.hpp"

namespace damrak::auction::allocation_property_test {
namespace {

struct ModelOrder {
    std::int64_t size, left;
    std::uint32_t broker;
    std::uint8_t lead_maker;
    bool top;
    std::int64_t filled() const { return size - left; }
};

// The steps of a policy by name, with quantities in lots.
class Model {
  public:
    Model(const AllocationPolicy& policy, const IncomingOrder& incoming,
          const std::vector<RestingOrder>& orders)
        : policy_(policy), lot_(policy.lot.value), broker_(incoming.broker.value) {
        left_ = incoming.quantity.value / lot_;
        for (const RestingOrder& order : orders)
            orders_.push_back({order.quantity.value / lot_, order.quantity.value / lot_,
                               order.broker.value, order.lead_maker, order.top});
    }

    std::vector<Quantity> fills(const std::string& name) {
        if (name == "size-time") largest();
        if (name == "price-broker-time") own_broker();
        if (name == "A" || name == "K" || name == "O" || name == "Q" || name == "S") top();
        if (name == "K" || name == "Q" || name == "S" || name == "T") lead_makers();
        if (name == "K") earliest(rounded_split());
        if (name == "A" || name == "C" || name == "K" || name == "O" || name == "Q")
            pro_rata(name == "K" && policy_.rules.steps[4] == AllocationStep::leveling);
        earliest(left_);
        std::vector<Quantity> fills;
        for (const ModelOrder& order : orders_) fills.push_back(Quantity{order.filled() * lot_});
        return fills;
    }

  private:
    void give(ModelOrder& order, std::int64_t lots) {
        for (; lots > 0 && order.left > 0 && left_ > 0; --lots) {
            --order.left;
            --left_;
        }
    }
    void top() {
        for (ModelOrder& order : orders_)
            if (order.top) return give(order, policy_.rules.top_maximum.value / lot_);
    }
    void lead_makers() {
        const std::int64_t base = left_;
        for (std::size_t maker = 1; maker <= k_most_lead_makers; ++maker) {
            std::int64_t lots = 0;
            while ((lots + 1) * 10'000 <= base * policy_.lead_basis_points.at(maker - 1)) ++lots;
            lead_lots_.at(maker - 1) = lots;
        }
        for (ModelOrder& order : orders_) {
            if (order.lead_maker == 0) continue;
            const std::int64_t before = order.left;
            give(order, lead_lots_.at(order.lead_maker - 1U));
            lead_lots_.at(order.lead_maker - 1U) -= before - order.left;
        }
    }
    std::int64_t rounded_split() const {
        const std::int64_t exact = left_ * policy_.rules.split_basis_points;
        std::int64_t lots = 0;
        while ((lots + 1) * 10'000 <= exact) ++lots;
        const std::int64_t above = exact - lots * 10'000;
        if (Rounding{policy_.rules.split_rounding} == Rounding::up && above > 0) ++lots;
        if (Rounding{policy_.rules.split_rounding} == Rounding::nearest && above >= 5'000) ++lots;
        return lots;
    }
    void earliest(std::int64_t lots) {
        for (ModelOrder& order : orders_) {
            const std::int64_t before = order.left;
            give(order, lots);
            lots -= before - order.left;
        }
    }
    void largest() {
        while (left_ > 0) {
            const auto best = std::ranges::max_element(orders_, {}, &ModelOrder::left);
            if (best == orders_.end() || best->left == 0) return;
            give(*best, best->left);
        }
    }
    void own_broker() {
        for (ModelOrder& order : orders_)
            if (broker_ != 0 && order.broker == broker_) give(order, left_);
    }
    void pro_rata(bool leveling) {
        const std::int64_t base = left_;
        std::int64_t total = 0;
        for (const ModelOrder& order : orders_) total += order.left;
        if (base >= total) return;
        std::vector<ModelOrder*> without;
        for (ModelOrder& order : orders_) {
            std::int64_t lots = 0;
            while ((lots + 1) * total <= base * order.left) ++lots;
            if (lots * lot_ < policy_.rules.pro_rata_minimum.value) lots = 0;
            if (lots == 0) without.push_back(&order);
            give(order, lots);
        }
        std::ranges::stable_sort(without, std::ranges::greater{}, &ModelOrder::left);
        if (leveling)
            for (ModelOrder* order : without) give(*order, 1);
    }

    const AllocationPolicy& policy_;
    std::int64_t lot_;
    std::uint32_t broker_;
    std::int64_t left_ = 0;
    std::array<std::int64_t, k_most_lead_makers> lead_lots_{};
    std::vector<ModelOrder> orders_;
};

const std::vector<std::string> k_names{"F", "A", "C", "K",         "O",
                                       "Q", "S", "T", "size-time", "price-broker-time"};

AllocationDetails rules_of(const std::string& name, RandomStream& random) {
    const auto one_of = [&](std::uint32_t bound) { return Quantity{random.below(bound)}; };
    if (name == "A") return cme_a_policy();
    if (name == "C") return cme_c_policy();
    if (name == "O") return cme_o_policy(Quantity{1}, one_of(40));
    if (name == "Q") return cme_q_policy(Quantity{1}, one_of(40));
    if (name == "S") return cme_s_policy();
    if (name == "T") return cme_t_policy();
    if (name == "size-time") return size_time_policy();
    if (name == "price-broker-time") return price_broker_time_policy();
    if (name == "F") return price_time_policy();
    AllocationDetails rules =
        cme_k_policy(static_cast<std::uint16_t>(random.below(10'001)), one_of(4), random.coin());
    rules.split_rounding = static_cast<std::uint8_t>(random.below(3));
    return rules;
}

struct Scene {
    std::string name;
    AllocationPolicy policy;
    IncomingOrder incoming;
    std::vector<RestingOrder> orders;
};

Scene scene_of(std::uint64_t seed) {
    RandomStream random(seed);
    Scene scene;
    scene.name = k_names[random.below(static_cast<std::uint32_t>(k_names.size()))];
    scene.policy.rules = rules_of(scene.name, random);
    for (std::uint16_t& percentage : scene.policy.lead_basis_points)
        percentage = static_cast<std::uint16_t>(random.below(9'000));
    if (random.below(4) == 0) scene.policy.lot = Quantity{1 + random.below(10)};
    const std::int64_t lot = scene.policy.lot.value;
    std::int64_t total = 0;
    scene.orders.resize(random.below(9));
    const std::uint32_t sizes = 1 + random.below(60);
    for (RestingOrder& order : scene.orders) {
        order.quantity = Quantity{(1 + random.below(sizes)) * lot};
        order.broker = ParticipantId{random.below(3)};
        if (random.below(3) == 0)
            order.lead_maker = static_cast<std::uint8_t>(random.below(k_most_lead_makers + 1));
        total += order.quantity.value / lot;
    }
    if (!scene.orders.empty() && random.coin())
        scene.orders[random.below(static_cast<std::uint32_t>(scene.orders.size()))].top = true;
    scene.incoming.quantity =
        Quantity{random.below(static_cast<std::uint32_t>(total + total / 4 + 2)) * lot};
    scene.incoming.broker = ParticipantId{random.below(3)};
    return scene;
}

std::vector<Quantity> fills_of(const Scene& scene) {
    std::vector<Quantity> fills(scene.orders.size(), Quantity{-1});
    std::vector<std::uint32_t> scratch(scene.orders.size());
    allocate(scene.policy, scene.incoming, scene.orders, fills, scratch);
    return fills;
}

TEST(AllocationModel, AgreesOnRandomLevelsUnderAllPolicies) {
    const auto levels = test_size::scaled(std::uint64_t{100'000});
    for (std::uint64_t seed = 0; seed < levels; ++seed) {
        const Scene scene = scene_of(seed);
        Model model(scene.policy, scene.incoming, scene.orders);
        ASSERT_EQ(fills_of(scene), model.fills(scene.name)) << "seed " << seed << " " << scene.name;
    }
}

RC_GTEST_PROP(AllocationProperty, GivesAllThatIsThereOrAllThatCameInAndNobodyTooMuch,
              (std::uint64_t seed)) {
    const Scene scene = scene_of(seed);
    const std::vector<Quantity> fills = fills_of(scene);
    Quantity resting{};
    Quantity sum{};
    for (std::size_t i = 0; i < fills.size(); ++i) {
        RC_ASSERT(fills[i] >= Quantity{0} && fills[i] <= scene.orders[i].quantity);
        RC_ASSERT(fills[i].value % scene.policy.lot.value == 0);
        resting += scene.orders[i].quantity;
        sum += fills[i];
    }
    RC_ASSERT(sum == std::min(resting, scene.incoming.quantity));
}

// Pro rata is within a lot of the exact proportion, except where the rest goes by time.
RC_GTEST_PROP(AllocationProperty, ProRataGivesNobodyLessThanItsShareRoundedDown,
              (std::uint64_t seed)) {
    Scene scene = scene_of(seed);
    scene.policy = {.rules = cme_c_policy()};
    const std::vector<Quantity> fills = fills_of(scene);
    std::int64_t resting = 0;
    for (const RestingOrder& order : scene.orders) resting += order.quantity.value;
    const std::int64_t came = std::min(resting, scene.incoming.quantity.value);
    for (std::size_t i = 0; i < fills.size(); ++i)
        RC_ASSERT((fills[i].value + 1) * resting > came * scene.orders[i].quantity.value);
}

}  // namespace
}  // namespace damrak::auction::allocation_property_test
