// Plays the scenario files of tests/sessions/session/fix/scenarios: input from the other side of a
// FIX session, expected output, and the passing of time. README.md there describes the format. Each
// file is played for every version that it names, with a real session, directory and store.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <damrak/fix_codec/versions.hpp>

namespace damrak::testing {

struct FixVersion {
    std::string_view name;
    fix_codec::BeginString begin_string;
    fix_codec::ApplVersion appl_version;
};
[[nodiscard]] std::span<const FixVersion> fix_versions();

/// Whether the version is in a list like "FIX.4.2-", "-FIX.4.1", "FIX.4.0 FIX.4.4-FIX.5.0".
[[nodiscard]] bool is_among(const FixVersion& version, std::string_view ranges);

struct FixScenario {
    struct Line {
        int number = 0;
        std::string text;
    };
    std::string name;
    std::string versions;  ///< empty: all
    std::vector<Line> lines;
};
[[nodiscard]] FixScenario read_fix_scenario(const std::filesystem::path& file);

/// First difference from the file, beginning with the line number; empty if there is none.
[[nodiscard]] std::string play(const FixScenario& scenario, const FixVersion& version);

/// A message as bytes, from text with bars: adds BeginString, BodyLength and CheckSum.
[[nodiscard]] std::string framed(const FixVersion& version, std::string_view fields);

}  // namespace damrak::testing
