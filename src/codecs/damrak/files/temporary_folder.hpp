// A folder of its own where the system keeps temporary files, removed with its content.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>

#include <stdlib.h>

namespace damrak::files {

class TemporaryFolder {
  public:
    /// `purpose` is part of its name. Without a place for it the path is empty.
    explicit TemporaryFolder(std::string_view purpose) {
        std::error_code error;
        std::string pattern = std::filesystem::temp_directory_path(error) /
                              ("damrak-" + std::string{purpose} + "-XXXXXX");
        if (!error && ::mkdtemp(pattern.data()) != nullptr) path_ = pattern;
    }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    ~TemporaryFolder() {
        std::error_code ignored;
        if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
    }
    [[nodiscard]] const std::filesystem::path& path() const { return path_; }

  private:
    std::filesystem::path path_;
};

}  // namespace damrak::files
