// Options of `damrak replay`.
#pragma once

#include <cstdint>
#include <filesystem>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include <damrak/modify/modification.hpp>

namespace damrak::app {

enum class RecordingFormat : std::uint8_t { automatic, itch, lobster, archive };
/// How it is called in options and JSON, in sentences, and what tells a place in it.
struct FormatNames {
    const char* name;
    const char* noun;
    const char* place;
};
[[nodiscard]] FormatNames names_of(RecordingFormat format);
enum class ReplayMode : std::uint8_t { build, rematch };

struct ReplayOptions {
    std::filesystem::path file;
    std::optional<std::filesystem::path> book;
    std::optional<std::filesystem::path> plot;
    std::optional<std::filesystem::path> csv;
    std::filesystem::path modification_file;           ///< empty: the day is replayed as it is
    std::optional<modify::Modification> modification;  ///< what that file says
    std::string symbol;                                ///< empty: all
    std::vector<std::string> venues;  ///< by whose rules; of a command script at most one
    std::uint64_t seed = 1;           ///< of random ends of the venues' calls
    std::int64_t until_ns = std::numeric_limits<std::int64_t>::max();
    int depth = 5;
    int top = 20;  ///< instruments in the table
    RecordingFormat format = RecordingFormat::automatic;
    ReplayMode mode = ReplayMode::build;
    bool trust_messages = false;  ///< a LOBSTER message file without its order book file
    bool verify = false;
    bool json = false;
};

}  // namespace damrak::app
