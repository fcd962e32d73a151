// The query of a request for market data: its parameters by name, checked as they are asked for. A
// parameter that is wrong gives a problem, which says which one and what it takes.
#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <damrak/http/server.hpp>

namespace damrak::market_data_api {

/// Why a request is not answered.
struct Problem {
    unsigned status = 400;
    std::string code;     ///< a word for programs, such as invalid_parameter
    std::string message;  ///< a sentence for people
    std::string parameter{};
};
template <class T>
using Result = std::expected<T, Problem>;

/// `{"error": {"code": …, "message": …, "parameter": …}}`
[[nodiscard]] http::Answer answer_of(const Problem& problem);

class Query {
  public:
    /// All parameters must be among these names, once each. `%41` and `+` are decoded.
    [[nodiscard]] static Result<Query> parse(std::string_view text,
                                             std::span<const std::string_view> names);

    [[nodiscard]] std::optional<std::string> text(std::string_view name) const;
    /// A number from `least` to `most`; `otherwise` where it is not given.
    [[nodiscard]] Result<std::uint64_t> number(std::string_view name, std::uint64_t otherwise,
                                               std::uint64_t least, std::uint64_t most) const;
    /// 1, true, 0 or false.
    [[nodiscard]] Result<bool> truth(std::string_view name) const;
    /// A time of day such as 10:31:05.123456789, or nanoseconds since midnight.
    [[nodiscard]] Result<std::int64_t> time_ns(std::string_view name, std::int64_t otherwise) const;
    /// The same parameters with one of them set to this value, for the link to the next page.
    [[nodiscard]] std::string with(std::string_view name, std::uint64_t value) const;

  private:
    std::vector<std::pair<std::string, std::string>> values_;
};

}  // namespace damrak::market_data_api
