// The real engine as the subject of the differential test.
#pragma once

#include <cstdint>
#include <memory>

#include <damrak/engine/engine_config.hpp>

#include "support/differential/subject.hpp"
#include "support/reference/reference_engine.hpp"

namespace damrak::differential {

/// How many prices an engine can store; by default enough for any stream, since the model does not
/// know `levels_full`.
struct LevelRoom {
    std::uint32_t levels = 50'000;
    std::uint32_t nodes = 50'000;
};

[[nodiscard]] EngineConfig config_of(const reference::Settings& settings, LevelRoom room = {});
[[nodiscard]] std::unique_ptr<Subject> make_engine_subject(const reference::Settings& settings,
                                                           LevelRoom room = {});
[[nodiscard]] inline SubjectFactory engine_factory() {
    return [](const reference::Settings& settings) { return make_engine_subject(settings); };
}

}  // namespace damrak::differential
