// A policy: which action to take for features of a market, as a table of rules, a linear model or a
// decision tree, each given as texts. A model alone: no market.
//
//   rules   "imbalance > 0.5 and inventory < 1 : buy"    the first that holds; "else : nothing"
//   scores  "buy = 2 * imbalance - 0.5 * inventory - 1"  the highest above zero, else nothing
//   tree    "imbalance > 0.5 ? 1 : 2", "buy", "nothing"  from node 0 on; leaves are actions
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <vector>

namespace damrak::participants::models {

enum class PolicyFeature : std::uint8_t { inventory, imbalance, spread, time_left, last_return };
inline constexpr std::array<std::string_view, 5> k_policy_features{
    "inventory", "imbalance", "spread", "time_left", "last_return"};
/// By PolicyFeature.
using PolicyFeatures = std::array<double, k_policy_features.size()>;

enum class PolicyAction : std::uint8_t { nothing, buy, sell, bid, ask, quote, cancel };
inline constexpr std::array<std::string_view, 7> k_policy_actions{
    "nothing", "buy", "sell", "bid", "ask", "quote", "cancel"};

class Policy {
  public:
    using Texts = std::vector<std::string>;
    /// Or what is wrong with which text.
    [[nodiscard]] static std::expected<Policy, std::string> of_rules(const Texts& texts);
    [[nodiscard]] static std::expected<Policy, std::string> of_scores(const Texts& texts);
    [[nodiscard]] static std::expected<Policy, std::string> of_tree(const Texts& texts);

    [[nodiscard]] PolicyAction choose(const PolicyFeatures& features) const;

  private:
    struct Test {
        PolicyFeature feature{};
        bool is_above = false;  ///< else below
        double than = 0;
    };
    struct Rule {
        std::vector<Test> all;
        PolicyAction action{};
    };
    struct Score {
        PolicyAction action{};
        double constant = 0;
        PolicyFeatures weights{};
    };
    struct Node {
        bool is_leaf = true;
        Test test{};
        std::size_t if_true = 0;
        std::size_t if_false = 0;
        PolicyAction action{};
    };
    using Words = std::vector<std::string_view>;
    [[nodiscard]] static bool read_test(const Words& words, std::size_t at, Test& test);
    [[nodiscard]] static bool read_rule(const Words& words, Rule& rule);
    [[nodiscard]] static bool read_score(const Words& words, Score& score);
    [[nodiscard]] static bool read_node(const Words& words, std::size_t index, std::size_t nodes,
                                        Node& node);
    [[nodiscard]] static bool holds(const Test& test, const PolicyFeatures& features);

    std::vector<Rule> rules_;
    std::vector<Score> scores_;
    std::vector<Node> tree_;
};

}  // namespace damrak::participants::models
