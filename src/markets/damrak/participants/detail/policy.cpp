#include <damrak/participants/detail/policy.hpp>

#include <algorithm>
#include <optional>

#include <damrak/participants/detail/words.hpp>

namespace damrak::participants::models {
namespace {

template <class E, std::size_t N>
std::optional<E> find_word(const std::array<std::string_view, N>& words, std::string_view word) {
    const auto found = std::ranges::find(words, word);
    if (found == words.end()) return std::nullopt;
    return static_cast<E>(found - words.begin());
}

std::optional<PolicyAction> action_of(std::string_view word) {
    return find_word<PolicyAction>(k_policy_actions, word);
}

std::unexpected<std::string> refuse_text(std::string_view list, const std::string& text,
                                         std::string_view form) {
    std::string message = std::string{list} + ": \"" + text + "\" must be like \"" +
                          std::string{form} + "\"; features are";
    for (const std::string_view feature : k_policy_features) message.append(" ").append(feature);
    message += "; actions are";
    for (const std::string_view action : k_policy_actions) message.append(" ").append(action);
    return std::unexpected{message};
}

}  // namespace

bool Policy::read_test(const Words& words, std::size_t at, Test& test) {
    if (at + 3 > words.size()) return false;
    const auto feature = find_word<PolicyFeature>(k_policy_features, words[at]);
    const auto than = detail::number_of<double>(words[at + 2]);
    const bool compares = words[at + 1] == ">" || words[at + 1] == "<";
    if (!feature || !than || !compares) return false;
    test = {*feature, words[at + 1] == ">", *than};
    return true;
}

// FEATURE < NUMBER { and FEATURE < NUMBER } : ACTION
bool Policy::read_rule(const Words& words, Rule& rule) {
    if (words.size() < 3 || words[words.size() - 2] != ":") return false;
    const auto action = action_of(words.back());
    if (!action) return false;
    rule.action = *action;
    if (words.size() == 3) return words[0] == "else";
    for (std::size_t at = 0;; at += 4) {
        Test test;
        if (!read_test(words, at, test)) return false;
        rule.all.push_back(test);
        if (at + 3 == words.size() - 2) return true;
        if (words[at + 3] != "and") return false;
    }
}

// ACTION = TERM { +|- TERM }, where a term is NUMBER or NUMBER * FEATURE
bool Policy::read_score(const Words& words, Score& score) {
    if (words.size() < 3 || words[1] != "=") return false;
    const auto action = action_of(words[0]);
    if (!action) return false;
    score.action = *action;
    double sign = 1;
    for (std::size_t at = 2; at < words.size();) {
        const auto factor = detail::number_of<double>(words[at++]);
        if (!factor) return false;
        if (at < words.size() && words[at] == "*") {
            if (at + 1 == words.size()) return false;
            const auto feature = find_word<PolicyFeature>(k_policy_features, words[at + 1]);
            if (!feature) return false;
            score.weights[static_cast<std::size_t>(*feature)] += sign * *factor;
            at += 2;
        } else {
            score.constant += sign * *factor;
        }
        if (at == words.size()) return true;
        if (words[at] != "+" && words[at] != "-") return false;
        sign = words[at++] == "+" ? 1 : -1;
    }
    return false;
}

// FEATURE < NUMBER ? NODE : NODE, or ACTION. Nodes are after those that lead to them, so that every
// way ends.
bool Policy::read_node(const Words& words, std::size_t index, std::size_t nodes, Node& node) {
    if (words.size() == 1) {
        const auto action = action_of(words[0]);
        if (action) node.action = *action;
        return action.has_value();
    }
    node.is_leaf = false;
    if (words.size() != 7 || !read_test(words, 0, node.test)) return false;
    if (words[3] != "?" || words[5] != ":") return false;
    const auto if_true = detail::number_of<std::size_t>(words[4]);
    const auto if_false = detail::number_of<std::size_t>(words[6]);
    if (!if_true || !if_false) return false;
    node.if_true = *if_true;
    node.if_false = *if_false;
    return std::min(*if_true, *if_false) > index && std::max(*if_true, *if_false) < nodes;
}

std::expected<Policy, std::string> Policy::of_rules(const Texts& texts) {
    Policy policy;
    for (const std::string& text : texts)
        if (!read_rule(detail::words_of(text), policy.rules_.emplace_back()))
            return refuse_text("rules", text, "imbalance > 0.5 and inventory < 1 : buy");
    return policy;
}

std::expected<Policy, std::string> Policy::of_scores(const Texts& texts) {
    Policy policy;
    for (const std::string& text : texts)
        if (!read_score(detail::words_of(text), policy.scores_.emplace_back()))
            return refuse_text("scores", text, "buy = 2 * imbalance - 0.5 * inventory - 1");
    return policy;
}

std::expected<Policy, std::string> Policy::of_tree(const Texts& texts) {
    Policy policy;
    for (std::size_t i = 0; i < texts.size(); ++i)
        if (!read_node(detail::words_of(texts[i]), i, texts.size(), policy.tree_.emplace_back()))
            return refuse_text("tree", texts[i],
                               "imbalance > 0.5 ? 1 : 2, with numbers of later nodes, or buy");
    return policy;
}

bool Policy::holds(const Test& test, const PolicyFeatures& features) {
    const double value = features[static_cast<std::size_t>(test.feature)];
    return test.is_above ? value > test.than : value < test.than;
}

PolicyAction Policy::choose(const PolicyFeatures& features) const {
    for (const Rule& rule : rules_)
        if (std::ranges::all_of(rule.all, [&](const Test& test) { return holds(test, features); }))
            return rule.action;
    PolicyAction best = PolicyAction::nothing;
    double highest = 0;
    for (const Score& score : scores_) {
        double value = score.constant;
        for (std::size_t i = 0; i < features.size(); ++i) value += score.weights[i] * features[i];
        if (value > highest) {
            highest = value;
            best = score.action;
        }
    }
    if (tree_.empty()) return best;
    std::size_t at = 0;
    while (!tree_[at].is_leaf)
        at = holds(tree_[at].test, features) ? tree_[at].if_true : tree_[at].if_false;
    return tree_[at].action;
}

}  // namespace damrak::participants::models
