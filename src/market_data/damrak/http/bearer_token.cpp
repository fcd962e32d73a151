#include <damrak/http/bearer_token.hpp>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <damrak/http/session_cookies.hpp>

namespace damrak::http {

namespace {

constexpr std::size_t k_fewest = 32;
constexpr std::size_t k_most = 256;

std::unexpected<std::string> problem(const std::filesystem::path& path, std::string_view what) {
    return std::unexpected{fmt::format("{}: {}", path.string(), what)};
}
std::unexpected<std::string> system_problem(const std::filesystem::path& path) {
    return problem(path, std::strerror(errno));
}

class Descriptor {
  public:
    explicit Descriptor(int number) : number_(number) {}
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    ~Descriptor() {
        if (number_ >= 0) ::close(number_);
    }
    [[nodiscard]] int get() const { return number_; }
    explicit operator bool() const { return number_ >= 0; }

  private:
    int number_;
};

// Takes its name when it is complete and on the disk: a kill cannot leave half a token.
std::expected<std::string, std::string> make(const std::filesystem::path& path) {
    auto token = random_token();
    if (!token) return problem(path, token.error());
    const std::filesystem::path beside = path.string() + ".new";
    static_cast<void>(::unlink(beside.c_str()));
    constexpr mode_t k_owner_only = 0600;
    const Descriptor file{
        ::open(beside.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, k_owner_only)};
    const std::string line = *token + "\n";
    if (!file || ::write(file.get(), line.data(), line.size()) != std::ssize(line) ||
        ::fsync(file.get()) != 0 || ::rename(beside.c_str(), path.c_str()) != 0)
        return system_problem(path);
    return token;
}

std::expected<std::string, std::string> read(const std::filesystem::path& path, int file) {
    struct stat status{};
    if (::fstat(file, &status) != 0) return system_problem(path);
    if (!S_ISREG(status.st_mode)) return problem(path, "this is no file");
    constexpr mode_t k_of_others = 0077;
    if ((status.st_mode & k_of_others) != 0)
        return problem(path, "other users have access to the operator's token: chmod 600 it");
    std::array<char, k_most + 2> text{};
    const ssize_t length = ::read(file, text.data(), text.size());
    if (length < 0) return system_problem(path);
    std::string token{text.data(), static_cast<std::size_t>(length)};
    if (token.ends_with('\n')) token.pop_back();
    if (!BearerToken::is_sound(token))
        return problem(path, fmt::format("a token has {} to {} letters, digits and -._~+/=, on one "
                                         "line; without the file, a new one is made",
                                         k_fewest, k_most));
    return token;
}

bool is_of_token(char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           std::string_view{"-._~+/="}.contains(c);
}

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

}  // namespace

std::expected<BearerToken, std::string> BearerToken::open(const std::filesystem::path& path) {
    const Descriptor file{::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)};
    if (!file && errno != ENOENT) return system_problem(path);
    auto token = file ? read(path, file.get()) : make(path);
    if (!token) return std::unexpected{std::move(token.error())};
    return BearerToken{*std::move(token), !file};
}

bool BearerToken::is_sound(std::string_view token) {
    return token.size() >= k_fewest && token.size() <= k_most &&
           std::ranges::all_of(token, is_of_token);
}

bool BearerToken::is_token(std::string_view given) const {
    return equal_in_constant_time(given, token_);
}

bool BearerToken::admits(std::string_view authorization) const {
    constexpr std::string_view k_scheme = "bearer ";
    if (!std::ranges::equal(authorization.substr(0, k_scheme.size()), k_scheme, {}, lower))
        return false;
    std::string_view given = authorization.substr(k_scheme.size());
    given.remove_prefix(std::min(given.find_first_not_of(' '), given.size()));
    return is_token(given);
}

}  // namespace damrak::http
