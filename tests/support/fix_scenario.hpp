// Plays the scenario files of tests/session/fix/scenarios: what the other side of a FIX session
// sends, what comes back, and how time passes. README.md there has the format. Each file is played
// for every version that it names, around a real session, directory and store.
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

/// "FIX.4.2-", "-FIX.4.1", "FIX.4.0 FIX.4.4-FIX.5.0": whether the version is among them.
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

/// A message as bytes, of text with bars: BeginString, BodyLength and CheckSum are added.
[[nodiscard]] std::string framed(const FixVersion& version, std::string_view fields);

}  // namespace damrak::testing
