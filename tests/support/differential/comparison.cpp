#include "support/differential/comparison.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include <fmt/format.h>

#include <damrak/domain/reason.hpp>

#include "support/describe.hpp"

namespace damrak::differential {

namespace {

constexpr std::size_t k_commands_between_books = 64;
constexpr std::size_t k_commands_between_invariants = 512;
constexpr std::size_t k_commands_between_checkpoints = 512;

/// Whether this event certainly changes the state.
bool changes_state(const Event& event) {
    const bool stays = event.kind == EventKind::accepted || event.kind == EventKind::rested;
    constexpr EventFlags::Bits k_open = EventFlags::k_on_book | EventFlags::k_waiting;
    return event.kind == EventKind::executed || event.kind == EventKind::expired ||
           (stays && (event.flags & k_open) != 0);
}

bool leaves_state(const std::vector<Event>& events) {
    return events.size() == 1 && (events.front().kind == EventKind::rejected ||
                                  events.front().kind == EventKind::order_status);
}

}  // namespace

Comparison::Comparison(const reference::Settings& settings, SubjectFactory factory)
    : settings_{settings},
      factory_{std::move(factory)},
      subject_{factory_(settings)},
      model_{settings} {}

std::optional<std::string> Comparison::step(const Command& command) {
    commands_.push_back(command);
    const std::uint64_t before = subject_->state_hash();
    subject_->apply(command, actual_);
    model_.apply(command, expected_);
    if (Finding finding = compare_events()) return finding;
    // A rejected order that uses up a number may change the state or not.
    if (!has_flag(command, CommandFlags::k_number_refused))
        if (Finding finding = compare_hash(before, subject_->state_hash())) return finding;
    if (Finding finding = audit_.follow(command, actual_)) return finding;
    return check_now_and_then();
}

Comparison::Finding Comparison::compare_events() const {
    const auto [expected, actual] = std::ranges::mismatch(expected_, actual_);
    if (expected == expected_.end() && actual == actual_.end()) return std::nullopt;
    const auto line = [](const std::vector<Event>& events, auto at) {
        return at == events.end() ? "(nothing)" : describe(*at);
    };
    return fmt::format("event {}\n  expected: {}\n  actual:   {}", expected - expected_.begin(),
                       line(expected_, expected), line(actual_, actual));
}

Comparison::Finding Comparison::compare_hash(std::uint64_t before, std::uint64_t after) const {
    if (leaves_state(expected_) && before != after)
        return "a command that changes nothing changed the state hash";
    if (before == after && std::ranges::any_of(expected_, changes_state))
        return "the state changed, the state hash did not";
    return std::nullopt;
}

Comparison::Finding Comparison::check_now_and_then() {
    if (commands_.size() % k_commands_between_checkpoints == 0)
        checkpoints_.emplace_back(commands_.size(), subject_->state_hash());
    if (commands_.size() % k_commands_between_invariants == 0) subject_->check_invariants();
    if (commands_.size() % k_commands_between_books == 0) return audit_.compare(model_.state());
    return std::nullopt;
}

std::optional<std::string> Comparison::finish() {
    subject_->check_invariants();
    if (Finding finding = audit_.compare(model_.state())) return finding;
    checkpoints_.emplace_back(commands_.size(), subject_->state_hash());
    const std::unique_ptr<Subject> replica = factory_(settings_);
    std::size_t applied = 0;
    for (const auto& [position, hash] : checkpoints_) {
        replica->apply_queued(
            std::span{commands_}.subspan(applied, std::size_t{position} - applied));
        applied = position;
        if (replica->state_hash() != hash)
            return fmt::format("replay has another state hash after {} commands", position);
    }
    return std::nullopt;
}

}  // namespace damrak::differential
