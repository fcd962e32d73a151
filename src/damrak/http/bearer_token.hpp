// A secret in a file that clients must show as `Authorization: Bearer …`. Whoever can read the file
// is admitted; the file is for its owner only.
#pragma once

#include <expected>
#include <filesystem>
#include <string>
#include <string_view>

namespace damrak::http {

class BearerToken {
  public:
    /// Reads the token, or makes one of 256 random bits of the operating system if there is no such
    /// file. Refuses a file that others can read or change, and a token that is too short to be
    /// safe.
    [[nodiscard]] static std::expected<BearerToken, std::string> open(
        const std::filesystem::path& path);
    /// Of 32 to 256 letters, digits and -._~+/=.
    [[nodiscard]] static bool is_sound(std::string_view token);

    /// Whether the value of an Authorization header has this token. Takes as long for any wrong
    /// token of the right length, so that time does not tell how much of a guess is right.
    [[nodiscard]] bool admits(std::string_view authorization) const;

  private:
    explicit BearerToken(std::string token) : token_(std::move(token)) {}

    std::string token_;
};

}  // namespace damrak::http
