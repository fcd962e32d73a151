// Real order flow for tests: the folder in the environment variable DAMRAK_REAL_DATA. It is not
// part of the repository; tests that need it are reported as skipped without it.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <optional>

namespace damrak::testing {

inline std::optional<std::filesystem::path> real_data(const std::filesystem::path& file) {
    const char* folder = std::getenv("DAMRAK_REAL_DATA");
    if (folder == nullptr || *folder == '\0') return std::nullopt;
    return std::filesystem::path{folder} / file;
}

}  // namespace damrak::testing

// The path of a file of the real data; skips the test if it is missing.
#define DAMRAK_REAL_DATA_OR_SKIP(name, file)                                               \
    const auto name##_if_there = ::damrak::testing::real_data(file);                       \
    if (!name##_if_there) GTEST_SKIP() << "DAMRAK_REAL_DATA is not set: real data unread"; \
    const auto& name = *name##_if_there  // NOLINT(bugprone-macro-parentheses): it is declared
