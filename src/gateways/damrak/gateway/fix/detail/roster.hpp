// Who is known at the FIX gateway, and as which participant: a session has the same number in the
// journal for ever. A text file with a line for each session, `participant name-of-its-folder`, in
// the order of their numbers; those that were forgotten leave their numbers behind, as `gone 3`.
// Behind them is what an administrator decided: `added name`, `removed name`. Read at start,
// rewritten when somebody comes for the first time or goes for good, by who may wait for the
// disk.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <damrak/domain/identifiers.hpp>
#include <damrak/journal/file_system.hpp>
#include <damrak/session/fix/settings.hpp>

namespace damrak::gateway::fix {

/// In the folder of the sessions.
inline constexpr std::string_view k_roster_file = "sessions.txt";

class FixRoster {
  public:
    using Name = session::fix::SessionName;
    using Names = std::vector<Name>;

    struct Entry {
        ParticipantId participant{};  ///< zero: this number is nobody's any more
        Name name;
    };

    /// The folder is made if it is not there.
    [[nodiscard]] static std::expected<FixRoster, std::string> open(journal::FileSystem& files,
                                                                    std::filesystem::path folder);

    /// By number, from 1.
    [[nodiscard]] const std::vector<Entry>& entries() const { return entries_; }
    /// By an administrator: sessions that are let in although nothing is configured that fits, and
    /// those that are not let in whatever is configured.
    [[nodiscard]] const Names& added() const { return added_; }
    [[nodiscard]] const Names& removed() const { return removed_; }

    // Changes, which are on the disk when write() returns:

    /// Returns its number.
    std::uint32_t enter(Entry entry);
    void forget(std::uint32_t number) { entries_[number - 1] = {}; }
    void add(const Name& name);
    void remove(const Name& name);
    [[nodiscard]] std::expected<void, std::string> write() const;

  private:
    FixRoster(journal::FileSystem& files, std::filesystem::path folder)
        : files_(&files), folder_(std::move(folder)) {}

    [[nodiscard]] std::expected<void, std::string> read_line(std::string_view line);

    journal::FileSystem* files_;
    std::filesystem::path folder_;
    std::vector<Entry> entries_;
    Names added_;
    Names removed_;
};

/// The name that session::fix::folder_name() made this of; nothing if it made it of none.
[[nodiscard]] std::expected<session::fix::SessionName, std::string> parse_folder_name(
    std::string_view folder);

}  // namespace damrak::gateway::fix
