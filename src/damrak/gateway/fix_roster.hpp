// Who ever logged on at the FIX door, and as which participant: a session has the same number in
// the journal for ever. A text file of one line a session, `participant name-of-its-folder`, the
// number of the line its number. Read at start, written anew when somebody comes for the first
// time, which costs a wait for the disk.
#pragma once

#include <cstddef>
#include <expected>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <damrak/domain/identifiers.hpp>
#include <damrak/journal/file_system.hpp>
#include <damrak/session/fix/settings.hpp>

namespace damrak::gateway {

class FixRoster {
  public:
    struct Entry {
        ParticipantId participant{};
        session::fix::SessionName name;
    };

    /// The folder is made if it is not there.
    [[nodiscard]] static std::expected<FixRoster, std::string> open(journal::FileSystem& files,
                                                                    std::filesystem::path folder);

    [[nodiscard]] const std::vector<Entry>& entries() const { return entries_; }
    /// Behind the others; it is on the disk when this returns.
    [[nodiscard]] std::expected<void, std::string> add(Entry entry);

  private:
    FixRoster(journal::FileSystem& files, std::filesystem::path folder)
        : files_(&files), folder_(std::move(folder)) {}

    journal::FileSystem* files_;
    std::filesystem::path folder_;
    std::vector<Entry> entries_;
};

/// The name that session::fix::folder_name() made this of; nothing if it made it of none.
[[nodiscard]] std::expected<session::fix::SessionName, std::string> parse_folder_name(
    std::string_view folder);

}  // namespace damrak::gateway
