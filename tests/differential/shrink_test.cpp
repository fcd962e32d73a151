// Tests the differential test itself: it finds faults planted in a copy of the model and reports
// them with few commands; without a fault it finds nothing, and the streams cover all of the rule
// book.
#include "support/differential/shrink.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <damrak/base/assert.hpp>
#include <damrak/domain/command.hpp>
#include <damrak/domain/event.hpp>
#include <damrak/domain/reason.hpp>

#include "support/command_stream.hpp"
#include "support/differential/subject.hpp"
#include "support/reference/reference_engine.hpp"

namespace damrak::differential::shrink_test {
namespace {

/// The model with a fault between it and the test. Its hash counts the commands that were not
/// rejected.
class FaultyModel final : public Subject {
  public:
    using Fault = std::function<void(const Command&, std::vector<Event>&)>;
    FaultyModel(const reference::Settings& settings, Fault fault)
        : model_{settings}, fault_{std::move(fault)} {}

    void apply(const Command& command, std::vector<Event>& events) override {
        model_.apply(command, events);
        const bool idle = events.size() == 1 && (events[0].kind == EventKind::rejected ||
                                                 events[0].kind == EventKind::order_status);
        hash_ += idle ? 0 : 1;
        fault_(command, events);
    }
    [[nodiscard]] std::uint64_t state_hash() const override { return hash_; }
    void check_invariants() const override {}

  private:
    reference::ReferenceEngine model_;
    Fault fault_;
    std::uint64_t hash_ = 0;
};

SubjectFactory factory_of(FaultyModel::Fault fault) {
    return [fault = std::move(fault)](const reference::Settings& settings) {
        return std::make_unique<FaultyModel>(settings, fault);
    };
}

const StreamProfile& profile(std::string_view name) {
    return *std::ranges::find(stream_profiles(), name, &StreamProfile::name);
}

TEST(Shrink, finds_nothing_without_a_fault) {
    const auto factory = factory_of([](const Command&, std::vector<Event>&) {});
    for (const StreamProfile& each : stream_profiles()) {
        const auto failure = run_stream(each, 1, 3'000, factory);
        EXPECT_FALSE(failure) << describe(*failure);
    }
}

TEST(Shrink, reports_a_lost_refresh_with_few_commands) {
    const auto factory = factory_of([](const Command&, std::vector<Event>& events) {
        std::erase_if(events, [](const Event& e) { return e.kind == EventKind::refreshed; });
    });
    const auto failure = run_stream(profile("dark"), 1, 2'000, factory);
    ASSERT_TRUE(failure);
    // An instrument, an iceberg, an order that fills its first slice, and perhaps replaces that
    // make them meet.
    EXPECT_LE(failure->commands.size(), 5U) << describe(*failure);
    EXPECT_NE(failure->finding.find("refreshed"), std::string::npos);
}

TEST(Shrink, order_ids_are_adapted_when_earlier_commands_are_dropped) {
    const auto factory = factory_of([](const Command& command, std::vector<Event>& events) {
        if (command.kind != CommandKind::replace_order) return;
        for (Event& event : events)
            if (event.kind == EventKind::executed) event.quantity.value += 1;
    });
    const auto failure = run_stream(profile("plain"), 2, 2'000, factory);
    ASSERT_TRUE(failure);
    // An instrument, two orders, and the replace that makes them trade.
    EXPECT_EQ(failure->commands.size(), 4U) << describe(*failure);
}

TEST(Shrink, reports_a_failed_assertion_like_any_other_fault) {
    const auto factory = factory_of([](const Command& command, std::vector<Event>&) {
        DAMRAK_ASSERT(command.kind != CommandKind::query_order);
    });
    const auto failure = run_stream(profile("plain"), 3, 500, factory);
    ASSERT_TRUE(failure);
    EXPECT_EQ(failure->commands.size(), 1U);
    EXPECT_NE(failure->finding.find("ended by signal"), std::string::npos);
}

TEST(CommandStream, reaches_every_event_and_every_reason) {
    std::set<EventKind> kinds;
    std::set<Reason> reasons{Reason::none, Reason::levels_full};  // the model stores no levels
    for (const StreamProfile& each : stream_profiles()) {
        for (std::uint64_t seed = 1; seed <= 4; ++seed) {
            CommandStream stream{each, seed};
            reference::ReferenceEngine model{stream.settings()};
            std::vector<Event> events;
            for (int i = 0; i < 5'000; ++i) {
                const Command command = stream.next();
                model.apply(command, events);
                stream.observe(command, events);
                for (const Event& event : events) {
                    kinds.insert(event.kind);
                    reasons.insert(event.reason);
                }
            }
        }
    }
    EXPECT_EQ(kinds.size(), 27U);
    for (unsigned value = 0; value < 256; ++value) {
        const Reason reason{static_cast<std::uint8_t>(value)};
        // No stream reaches the maximum of held or pegged orders of a participant, of busted
        // trades, of quote protections or of combinations. The others answer commands of the
        // exchange itself, which are in no stream.
        constexpr std::array k_not_met{
            Reason::limit_held_orders, Reason::anonymous_share,        Reason::participant_in_use,
            Reason::invalid_capacity,  Reason::limit_pegged_orders,    Reason::busts_full,
            Reason::end_of_auction,    Reason::quote_protections_full, Reason::combinations_full};
        if (std::ranges::find(k_not_met, reason) != k_not_met.end()) continue;
        const bool named = value == 0 || name(reason) != name(Reason::none);
        EXPECT_EQ(reasons.contains(reason), named) << name(reason);
    }
}

}  // namespace
}  // namespace damrak::differential::shrink_test
