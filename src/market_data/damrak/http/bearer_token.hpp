// A secret that clients must show as `Authorization: Bearer …`, from the configuration or in a file
// for its owner only: anyone who can read it is admitted.
#pragma once

#include <expected>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>

namespace damrak::http {

class BearerToken {
  public:
    /// Reads the token, or makes one of 256 random bits of the operating system if there is no such
    /// file. Refuses a file that others can read or change, and a token that is too short to be
    /// safe.
    [[nodiscard]] static std::expected<BearerToken, std::string> open(
        const std::filesystem::path& path);
    /// This text, which is sound.
    [[nodiscard]] static BearerToken of(std::string text) { return {std::move(text), false}; }
    /// Of 32 to 256 letters, digits and -._~+/=.
    [[nodiscard]] static bool is_sound(std::string_view token);

    /// Whether the value of an Authorization header has this token.
    [[nodiscard]] bool admits(std::string_view authorization) const;
    /// Whether this is the token; in constant time (session_cookies.hpp).
    [[nodiscard]] bool is_token(std::string_view given) const;
    /// It was made just now.
    [[nodiscard]] bool is_new() const { return is_new_; }
    [[nodiscard]] const std::string& text() const { return token_; }

  private:
    BearerToken(std::string token, bool is_new) : token_(std::move(token)), is_new_(is_new) {}

    std::string token_;
    bool is_new_;
};

}  // namespace damrak::http
