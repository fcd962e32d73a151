// What became of an order, in words. For people; programs read Fate.
#pragma once

#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include <damrak/explain/order_watch.hpp>

namespace damrak::explain {

/// "makers" asks for the first orders of the group, "makers:3" for its third one. A group whose
/// name is the whole text comes first. The error is one sentence.
[[nodiscard]] std::expected<Question, std::string> parse_question(
    std::string_view text, const std::vector<Member>& members);
/// What is wrong with the question, now that all orders are known; empty: nothing.
[[nodiscard]] std::string unanswered(const OrderWatch& watch);

/// "makers", or "makers 3" where the group has several.
[[nodiscard]] std::string name_of(const Member& member);
/// Ids after those of the members are of the record of a recorded day, and of what reacts there.
[[nodiscard]] std::string name_of(ParticipantId id, const std::vector<Member>& members);
/// Of the currency, with as many places as it needs, two at least.
[[nodiscard]] std::string price_text(Price price);
/// Time since `origin` as 09:30:00.000000000.
[[nodiscard]] std::string clock_text(Timestamp time, Timestamp origin);

/// How it ended, in a few words.
[[nodiscard]] std::string outcome_of(const Fate& fate);
/// The whole story, a line each.
[[nodiscard]] std::vector<std::string> story_of(const Fate& fate,
                                                const std::vector<Member>& members,
                                                Timestamp origin);

}  // namespace damrak::explain
