#include <damrak/market_data_api/query.hpp>

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include <damrak/archive/day_json.hpp>
#include <damrak/base/time_of_day.hpp>

namespace damrak::market_data_api {

namespace {

std::optional<unsigned> hex_digit(char c) {
    if (c >= '0' && c <= '9') return static_cast<unsigned>(c - '0');
    if (c >= 'a' && c <= 'f') return static_cast<unsigned>(c - 'a') + 10;
    if (c >= 'A' && c <= 'F') return static_cast<unsigned>(c - 'A') + 10;
    return std::nullopt;
}

std::optional<std::string> decoded(std::string_view text) {
    std::string plain;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '%') {
            plain += text[i] == '+' ? ' ' : text[i];
            continue;
        }
        if (i + 2 >= text.size()) return std::nullopt;
        const auto high = hex_digit(text[i + 1]);
        const auto low = hex_digit(text[i + 2]);
        if (!high || !low) return std::nullopt;
        plain += static_cast<char>(*high * 16 + *low);
        i += 2;
    }
    return plain;
}

std::string percent_encoded(std::string_view text) {
    std::string safe;
    for (const char c : text) {
        const bool plain = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
                           (c >= 'A' && c <= 'Z') || std::string_view{"-._~:"}.contains(c);
        if (plain)
            safe += c;
        else
            safe += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
    return safe;
}

Problem invalid(std::string_view name, std::string message) {
    return {.code = "invalid_parameter",
            .message = fmt::format("{}: {}", name, std::move(message)),
            .parameter = std::string{name}};
}

}  // namespace

http::Answer answer_of(const Problem& problem) {
    std::string json = R"({"error": {"code": )";
    archive::append_string(json, problem.code);
    archive::append_string(json += R"(, "message": )", problem.message);
    if (!problem.parameter.empty())
        archive::append_string(json += R"(, "parameter": )", problem.parameter);
    return {.status = problem.status,
            .content_type = "application/json",
            .body = std::move(json) + "}}\n"};
}

Result<Query> Query::parse(std::string_view text, std::span<const std::string_view> names) {
    Query query;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('&'), text.size());
        const std::string_view pair = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        if (pair.empty()) continue;
        const std::size_t equals = std::min(pair.find('='), pair.size());
        const auto name = decoded(pair.substr(0, equals));
        const auto value = decoded(pair.substr(std::min(equals + 1, pair.size())));
        if (!name || !value)
            return std::unexpected{
                Problem{.code = "invalid_query",
                        .message = "a % in the query is not followed by two hexadecimal digits"}};
        if (std::ranges::find(names, *name) == names.end())
            return std::unexpected{Problem{
                .code = "unknown_parameter",
                .message =
                    names.empty()
                        ? fmt::format("there is no parameter {}: this path has none", *name)
                        : fmt::format("there is no parameter {}: there {} {}", *name,
                                      names.size() == 1 ? "is" : "are", fmt::join(names, ", ")),
                .parameter = *name}};
        if (query.text(*name)) return std::unexpected{invalid(*name, "is given twice")};
        query.values_.emplace_back(*name, *value);
    }
    return query;
}

std::optional<std::string> Query::text(std::string_view name) const {
    const auto found = std::ranges::find(values_, name, [](const auto& one) { return one.first; });
    if (found == values_.end()) return std::nullopt;
    return found->second;
}

Result<std::string> Query::required(std::string_view name) const {
    if (auto given = text(name)) return *std::move(given);
    return std::unexpected{Problem{.code = "missing_parameter",
                                   .message = fmt::format("{} is required", name),
                                   .parameter = std::string{name}}};
}

Result<std::uint64_t> Query::number(const Parameter& parameter) const {
    const auto given = text(parameter.name);
    if (!given) return parameter.otherwise.value_or(0);
    std::uint64_t number = 0;
    const char* const last = given->data() + given->size();
    const auto [end, error] = std::from_chars(given->data(), last, number);
    if (given->empty() || error != std::errc{} || end != last || number < parameter.least ||
        number > parameter.most)
        return std::unexpected{
            invalid(parameter.name, fmt::format("'{}' is no number from {} to {}", *given,
                                                parameter.least, parameter.most))};
    return number;
}

Result<std::optional<std::uint32_t>> Query::price_e4(std::string_view name) const {
    const auto given = text(name);
    if (!given) return std::nullopt;
    constexpr std::size_t k_places = 4;
    const std::size_t point = std::min(given->find('.'), given->size());
    std::string digits = given->substr(0, point);
    const std::string places = point < given->size() ? given->substr(point + 1) : "0";
    digits += places;
    std::uint32_t price_e4 = 0;
    bool is_price = point > 0 && !places.empty() && places.size() <= k_places;
    if (is_price) {
        digits.append(k_places - places.size(), '0');
        const auto [end, error] =
            std::from_chars(digits.data(), digits.data() + digits.size(), price_e4);
        is_price = error == std::errc{} && end == digits.data() + digits.size();
    }
    if (!is_price)
        return std::unexpected{invalid(
            name, fmt::format("'{}' is no price: write 187.54, with up to four places", *given))};
    return price_e4;
}

Result<bool> Query::truth(std::string_view name) const {
    const auto given = text(name);
    if (!given || *given == "0" || *given == "false") return false;
    if (*given == "1" || *given == "true") return true;
    return std::unexpected{invalid(name, fmt::format("'{}' is neither true nor false", *given))};
}

Result<std::int64_t> Query::time_ns(std::string_view name, std::int64_t otherwise) const {
    const auto given = text(name);
    if (!given) return otherwise;
    if (const auto time = parse_time_of_day(*given)) return *time;
    constexpr std::uint64_t k_two_days_ns = 172'800'000'000'000;
    if (const auto number = this->number({.name = name, .most = k_two_days_ns}))
        return static_cast<std::int64_t>(*number);
    return std::unexpected{invalid(
        name,
        fmt::format("'{}' is no time: write 10:31:05.123456789, or nanoseconds since midnight",
                    *given))};
}

void Query::set(std::string_view name, std::string value) {
    std::erase_if(values_, [&](const auto& one) { return one.first == name; });
    values_.emplace_back(name, std::move(value));
}

std::string Query::encoded() const {
    std::string query;
    for (const auto& [name, value] : values_) {
        if (!query.empty()) query += '&';
        query += name + '=' + percent_encoded(value);
    }
    return query;
}

}  // namespace damrak::market_data_api
