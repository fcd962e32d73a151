// The query of a market data request: its parameters by name, checked when they are read. A wrong
// parameter gives a problem that names it and the accepted values.
#pragma once

#include <cstdint>
#include <expected>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <damrak/http/server.hpp>

namespace damrak::market_data_api {

/// Why a request is refused.
struct Problem {
    unsigned status = 400;
    std::string code;     ///< for programs, such as invalid_parameter
    std::string message;  ///< for people: a sentence
    std::string parameter{};
};
template <class T>
using Result = std::expected<T, Problem>;

/// `{"error": {"code": …, "message": …, "parameter": …}}`
[[nodiscard]] http::Answer answer_of(const Problem& problem);

enum class ParameterKind : std::uint8_t { text, time, number, truth, price };

inline constexpr std::uint64_t k_no_limit = std::numeric_limits<std::int64_t>::max();

/// A parameter of a route.
struct Parameter {
    std::string_view name;
    ParameterKind kind = ParameterKind::text;
    std::string_view help{};
    bool is_required = false;
    // Limits of a number:
    std::uint64_t least = 0;
    std::uint64_t most = k_no_limit;
    std::optional<std::uint64_t> otherwise{};  ///< default
};

class Query {
  public:
    /// All parameters must be among these names, once each. `%41` and `+` are decoded.
    [[nodiscard]] static Result<Query> parse(std::string_view text,
                                             std::span<const std::string_view> names);

    [[nodiscard]] std::optional<std::string> text(std::string_view name) const;
    /// The same where it must be there.
    [[nodiscard]] Result<std::string> required(std::string_view name) const;
    /// The value of a number within the parameter's limits, or its default.
    [[nodiscard]] Result<std::uint64_t> number(const Parameter& parameter) const;
    /// A decimal with up to four places, in units of 0.0001.
    [[nodiscard]] Result<std::optional<std::uint32_t>> price_e4(std::string_view name) const;
    /// 1, true, 0 or false.
    [[nodiscard]] Result<bool> truth(std::string_view name) const;
    /// A time of day such as 10:31:05.123456789, or nanoseconds since midnight.
    [[nodiscard]] Result<std::int64_t> time_ns(std::string_view name, std::int64_t otherwise) const;
    void set(std::string_view name, std::string value);
    /// Encoded for the query part of a path.
    [[nodiscard]] std::string encoded() const;

  private:
    std::vector<std::pair<std::string, std::string>> values_;
};

}  // namespace damrak::market_data_api
