// The jobs of `damrak fix`, one a subcommand, and what they share: the files of a session's store,
// opened for reading only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <damrak/journal/file_system.hpp>
#include <damrak/session/fix/store_file.hpp>

namespace damrak::app {

struct FixOptions {
    std::filesystem::path path{};
    std::vector<std::string> tags{};  ///< "35=D", or "35" for any value; all must be there
    bool incoming = false;            ///< what the other side sent, instead of what we did
    bool follow = false;
    bool json = false;
};

struct FixAdminOptions {
    std::string address = "127.0.0.1";
    std::uint16_t http_port = 8'080;
    std::string action = "list";  ///< or connect, disconnect, set, reset
    std::string session{};
    std::optional<std::uint64_t> next_outgoing{};
    std::optional<std::uint64_t> next_incoming{};
    bool json = false;
};

int administer_fix(const FixAdminOptions& options);
int print_fix(const FixOptions& options);
int verify_fix(const FixOptions& options);

/// A file of a store, up to its size at opening.
struct FixStoreFile {
    std::filesystem::path path;
    std::unique_ptr<journal::MappedFile> file;
    session::fix::StoreFileHeader header;

    [[nodiscard]] std::span<const std::byte> bytes() const { return {file->data(), file->size()}; }
};
[[nodiscard]] std::expected<FixStoreFile, std::string> open_fix_file(
    const std::filesystem::path& path);

/// The numbers of the files of a folder from this one on, in order.
[[nodiscard]] std::expected<std::vector<std::uint64_t>, std::string> fix_file_numbers(
    const std::filesystem::path& folder, std::uint64_t from);

}  // namespace damrak::app
