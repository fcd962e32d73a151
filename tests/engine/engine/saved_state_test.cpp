// An engine that was saved and loaded continues identically: with any stream of commands, its
// events and state equal those of an uninterrupted engine.
#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include <damrak/base/serialize.hpp>

#include "support/command_stream.hpp"
#include "support/differential/engine_subject.hpp"
#include "support/recorded_engine.hpp"

namespace damrak::saved_state_test {
namespace {

std::vector<std::byte> save(const Engine& engine) {
    return saved_bytes([&](auto& archive) { Engine::transfer(engine, archive); });
}

struct Recorded {
    explicit Recorded(const EngineConfig& config) : engine{config, recorder} {}
    std::vector<Event> apply(const Command& command) {
        recorder.events.clear();
        engine.apply(command);
        return recorder.events;
    }
    EventRecorder recorder;
    EngineInto<EventRecorder> engine;
};

TEST(SavedState, ContinuesEveryStreamIdentically) {
    constexpr int k_before = 700;
    constexpr int k_after = 700;
    for (const StreamProfile& profile : stream_profiles()) {
        SCOPED_TRACE(profile.name);
        CommandStream stream{profile, 11};
        const EngineConfig config = differential::config_of(stream.settings());
        Recorded first{config};
        const auto step = [&](Recorded* second) {
            const Command command = stream.next();
            const auto events = first.apply(command);
            stream.observe(command, events);
            if (second == nullptr) return;
            ASSERT_EQ(second->apply(command), events);
            ASSERT_EQ(second->engine.state_hash(), first.engine.state_hash());
        };
        for (int i = 0; i < k_before; ++i) step(nullptr);

        const auto bytes = save(first.engine);
        Recorded second{config};
        LoadArchive archive{bytes};
        Engine::transfer(second.engine, archive);
        ASSERT_TRUE(archive.complete());
        second.engine.check_invariants();
        EXPECT_EQ(second.engine.state_hash(), first.engine.state_hash());
        EXPECT_EQ(second.engine.next_expiry(), first.engine.next_expiry());
        for (int i = 0; i < k_after; ++i) ASSERT_NO_FATAL_FAILURE(step(&second));
        second.engine.check_invariants();
    }
}

TEST(SavedState, OfAnIdleEngineIsSmall) {
    EventRecorder recorder;
    const EngineConfig config{.maximum_participants = 100};
    const EngineInto<EventRecorder> engine{config, recorder};
    EXPECT_LT(save(engine).size(), 16'384U) << "unused pool slots take no space";
}

}  // namespace
}  // namespace damrak::saved_state_test
