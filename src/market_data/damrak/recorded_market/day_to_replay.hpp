// The archived day that a replay plays: of any file that can be imported, as it is or modified. At
// set-up only.
#pragma once

#include <filesystem>
#include <optional>

#include <damrak/archive/day.hpp>
#include <damrak/modify/modification.hpp>
#include <damrak/modify/report.hpp>

namespace damrak::recorded_market {

struct DayToReplay {
    std::filesystem::path file;
    std::optional<modify::Changes> changes;  ///< empty: as recorded
};

/// `named`, `folder` and `trust_messages` as for archived_file(). A modified day is a day of its
/// own, which is written into `folder` once: the same file serves as long as the recorded day and
/// the modification are the same. The error is one sentence with the file; even where messages of
/// the recorded day are missing.
[[nodiscard]] archive::Result<DayToReplay> day_to_replay(
    const std::filesystem::path& named, const std::filesystem::path& folder, bool trust_messages,
    const std::optional<modify::Modification>& modification);

}  // namespace damrak::recorded_market
