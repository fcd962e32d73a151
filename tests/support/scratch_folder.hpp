// A separate folder for a test that works with files, removed with the test. Several tests may run
// at the same time, in one process or in many.
#pragma once

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include <stdlib.h>

#include <damrak/base/assert.hpp>

namespace damrak::testing {

class ScratchFolder {
  public:
    ScratchFolder() {
        std::string name = std::filesystem::temp_directory_path() / "damrak_test_XXXXXX";
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
    [[nodiscard]] std::filesystem::path operator/(const std::string& name) const {
        return path_ / name;
    }

    /// Makes a file with this content.
    std::filesystem::path write(const std::string& name, const std::string& content) const {
        std::ofstream{path_ / name, std::ios::binary} << content;
        return path_ / name;
    }

  private:
    std::filesystem::path path_;
};

[[nodiscard]] inline std::string content_of(const std::filesystem::path& path) {
    std::ifstream file{path, std::ios::binary};
    return {std::istreambuf_iterator<char>{file}, {}};
}

}  // namespace damrak::testing
