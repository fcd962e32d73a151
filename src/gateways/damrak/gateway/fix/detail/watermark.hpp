// Up to which record of the journal every report to FIX clients is in the stores of
// their sessions: eight bytes in a mapped file, there after the process was killed. Written by the
// gateways' thread, one store a turn; read at start.
#pragma once

#include <cstdint>
#include <cstring>
#include <expected>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>

#include <damrak/journal/file_system.hpp>

namespace damrak::gateway::fix {

class FixWatermark {
  public:
    /// `folder` is there.
    [[nodiscard]] static std::expected<FixWatermark, std::string> open(
        journal::FileSystem& files, const std::filesystem::path& folder);

    /// As it was found; the largest number where the gateway was never open before.
    [[nodiscard]] std::uint64_t found() const { return found_; }
    void set(std::uint64_t sequence) { std::memcpy(file_->data(), &sequence, sizeof sequence); }

  private:
    FixWatermark(std::unique_ptr<journal::MappedFile> file, std::uint64_t found)
        : file_(std::move(file)), found_(found) {}

    std::unique_ptr<journal::MappedFile> file_;
    std::uint64_t found_;
};

}  // namespace damrak::gateway::fix
