// A new folder for the files of a measurement, removed with it.
#pragma once

#include <filesystem>
#include <string>
#include <system_error>

#include <stdlib.h>

#include <damrak/base/assert.hpp>

namespace damrak::bench {

class ScratchFolder {
  public:
    /// In `parent`, whose file system is the one that is measured.
    explicit ScratchFolder(
        const std::filesystem::path& parent = std::filesystem::temp_directory_path()) {
        std::string name = parent / "damrak_bench_XXXXXX";
        DAMRAK_ASSERT(::mkdtemp(name.data()) != nullptr);
        path_ = name;
    }
    ScratchFolder(const ScratchFolder&) = delete;
    ScratchFolder& operator=(const ScratchFolder&) = delete;
    ~ScratchFolder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    [[nodiscard]] const std::filesystem::path& path() const { return path_; }

  private:
    std::filesystem::path path_;
};

}  // namespace damrak::bench
