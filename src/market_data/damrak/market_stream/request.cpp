#include <damrak/market_stream/request.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <span>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <damrak/archive/day_json.hpp>

namespace damrak::market_stream {

namespace {

using Json = nlohmann::json;

constexpr std::uint32_t k_default_levels = 50;
constexpr std::uint32_t k_default_seconds = 60;
constexpr std::uint32_t k_exchange_interval_ms = 1'000;
constexpr std::uint64_t k_maximum_quantity = UINT32_MAX;
constexpr std::uint64_t k_maximum_request = std::uint64_t{1} << 53U;  // exact in JavaScript

std::unexpected<RequestError> refused(std::string code, std::string message) {
    return std::unexpected{RequestError{std::move(code), std::move(message)}};
}

/// The members of a message that may be used, each once.
class Members {
  public:
    explicit Members(const Json& object) : object_(object) {}

    [[nodiscard]] RequestResult<std::string> text(const char* key) {
        const Json* const value = take(key);
        if (value == nullptr || !value->is_string())
            return refused("invalid_message", fmt::format("{}: a text is needed", key));
        return value->get<std::string>();
    }
    /// A whole number that `is_sound` accepts; `otherwise` if there is no such member.
    template <class F>
    [[nodiscard]] RequestResult<std::uint32_t> number(const char* key, std::uint32_t otherwise,
                                                      std::string_view accepted, F&& is_sound) {
        const Json* const value = take(key);
        if (value == nullptr) return otherwise;
        const bool is_number = value->is_number_unsigned();
        const std::uint64_t number = is_number ? value->get<std::uint64_t>() : 0;
        if (!is_number || number > UINT32_MAX || !is_sound(static_cast<std::uint32_t>(number)))
            return refused("invalid_parameter",
                           fmt::format("{}: {} is accepted, not {}", key, accepted, shown(*value)));
        return static_cast<std::uint32_t>(number);
    }
    /// A whole number from `least` to `most`.
    [[nodiscard]] RequestResult<std::uint64_t> count(const char* key, std::uint64_t least,
                                                     std::uint64_t most) {
        const Json* const value = take(key);
        if (value != nullptr && value->is_number_unsigned())
            if (const auto number = value->get<std::uint64_t>(); number >= least && number <= most)
                return number;
        return refused("invalid_parameter",
                       fmt::format("{}: a whole number from {} to {} is needed", key, least, most));
    }
    /// A multiple of 0.01 in units of it; nothing if there is no such member.
    [[nodiscard]] RequestResult<std::optional<std::uint32_t>> price_e2(const char* key) {
        constexpr double k_most = 21'474'836.0;  // what OUCH can carry
        constexpr double k_tolerance = 1e-5;
        const Json* const value = take(key);
        if (value == nullptr) return std::nullopt;
        const double cents = value->is_number() ? value->get<double>() * 100 : 0;
        if (!(cents >= 1 && cents <= k_most * 100) ||
            std::abs(cents - std::round(cents)) > k_tolerance)
            return refused("invalid_parameter",
                           fmt::format("{}: a multiple of 0.01 up to {} is accepted, not {}", key,
                                       k_most, shown(*value)));
        return static_cast<std::uint32_t>(std::lround(cents));
    }
    [[nodiscard]] RequestResult<void> expect_no_other() const {
        for (const auto& [key, value] : object_.items())
            if (std::ranges::find(taken_, key) == taken_.end())
                return refused("invalid_message",
                               fmt::format("{}: no such member here", shown(key)));
        return {};
    }

    static std::string shown(const Json& value) {
        constexpr std::size_t k_most = 40;
        std::string text = value.dump(-1, ' ', true, Json::error_handler_t::replace);
        if (text.size() > k_most) text = text.substr(0, k_most) + "...";
        return text;
    }

  private:
    const Json* take(const char* key) {
        const auto found = object_.find(key);
        if (found == object_.end()) return nullptr;
        taken_.emplace_back(key);
        return &*found;
    }

    const Json& object_;
    std::vector<std::string> taken_;
};

bool is_one_of(std::span<const std::uint32_t> values, std::uint32_t value) {
    return std::ranges::find(values, value) != values.end();
}

RequestResult<Channel> channel_of(Members& members) {
    const auto text = members.text("channel");
    if (!text) return std::unexpected{text.error()};
    const auto found = std::ranges::find(k_channel_names, *text);
    if (found == k_channel_names.end())
        return refused("unknown_channel",
                       fmt::format("channel: there is no {}; there are {}", Members::shown(*text),
                                   fmt::join(k_channel_names, ", ")));
    return static_cast<Channel>(found - k_channel_names.begin());
}

RequestResult<void> read_parameters(Members& members, Topic& topic) {
    if (topic.channel == Channel::depth || topic.channel == Channel::orders) {
        const auto levels =
            members.number("levels", k_default_levels, fmt::format("1 to {}", k_maximum_levels),
                           [](std::uint32_t n) { return n >= 1 && n <= k_maximum_levels; });
        if (!levels) return std::unexpected{levels.error()};
        topic.levels = *levels;
    }
    if (topic.channel == Channel::candles) {
        const auto seconds =
            members.number("seconds", k_default_seconds,
                           fmt::format("one of {}", fmt::join(k_candle_seconds, ", ")),
                           [](std::uint32_t n) { return is_one_of(k_candle_seconds, n); });
        if (!seconds) return std::unexpected{seconds.error()};
        topic.seconds = *seconds;
    }
    const auto interval =
        members.number("interval_ms", k_intervals_ms.front(),
                       fmt::format("one of {}", fmt::join(k_intervals_ms, ", ")),
                       [](std::uint32_t n) { return is_one_of(k_intervals_ms, n); });
    if (!interval) return std::unexpected{interval.error()};
    topic.interval_ms = topic.channel == Channel::exchange ? k_exchange_interval_ms : *interval;
    return {};
}

RequestResult<Topic> topic_of(Members& members, bool with_parameters) {
    Topic topic;
    const auto channel = channel_of(members);
    if (!channel) return std::unexpected{channel.error()};
    topic.channel = *channel;
    const auto named = [&](RequestError error) {
        error.channel = name(topic.channel);
        return std::unexpected{std::move(error)};
    };
    if (topic.channel != Channel::exchange) {
        auto symbol = members.text("symbol");
        if (!symbol) return named(symbol.error());
        topic.symbol = *std::move(symbol);
    }
    if (with_parameters)
        if (const auto read = read_parameters(members, topic); !read) return named(read.error());
    if (const auto done = members.expect_no_other(); !done) return named(done.error());
    return topic;
}

RequestResult<Request> enter_order(Members& members) {
    EnterOrder order;
    const auto request = members.count("request", 0, k_maximum_request);
    if (!request) return std::unexpected{request.error()};
    order.request = *request;
    auto symbol = members.text("symbol");
    if (!symbol) return std::unexpected{symbol.error()};
    order.symbol = *std::move(symbol);
    const auto side = members.text("side");
    if (!side) return std::unexpected{side.error()};
    if (*side != "buy" && *side != "sell")
        return refused("invalid_parameter",
                       fmt::format("side: buy or sell is accepted, not {}", Members::shown(*side)));
    order.side = *side == "buy" ? Side::buy : Side::sell;
    const auto quantity = members.count("quantity", 1, k_maximum_quantity);
    if (!quantity) return std::unexpected{quantity.error()};
    order.quantity = static_cast<std::uint32_t>(*quantity);
    const auto price = members.price_e2("price");
    if (!price) return std::unexpected{price.error()};
    order.price_e2 = price->value_or(0);
    return order;
}

RequestResult<Request> change_order(Members& members, bool is_cancel) {
    const auto request = members.count("request", 0, k_maximum_request);
    if (!request) return std::unexpected{request.error()};
    const auto order = members.count("order", 1, UINT32_MAX);
    if (!order) return std::unexpected{order.error()};
    const auto number = static_cast<std::uint32_t>(*order);
    if (is_cancel) return CancelOrder{.request = *request, .order = number};
    const auto quantity = members.count("quantity", 1, k_maximum_quantity);
    if (!quantity) return std::unexpected{quantity.error()};
    const auto price = members.price_e2("price");
    if (!price) return std::unexpected{price.error()};
    if (!*price) return refused("invalid_parameter", "price: the new price is needed");
    return ReplaceOrder{.request = *request,
                        .order = number,
                        .quantity = static_cast<std::uint32_t>(*quantity),
                        .price_e2 = **price};
}

RequestResult<Request> order_request(Members& members, std::string_view op) {
    auto request = op == "enter" ? enter_order(members) : change_order(members, op == "cancel");
    if (!request) return request;
    if (const auto done = members.expect_no_other(); !done) return std::unexpected{done.error()};
    return request;
}

}  // namespace

std::string text_of(const RequestError& error) {
    std::string json = fmt::format(R"({{"type":"error","code":"{}","message":)", error.code);
    archive::append_string(json, error.message);
    if (!error.channel.empty()) json += fmt::format(R"(,"channel":"{}")", error.channel);
    json += '}';
    return json;
}

RequestResult<Request> parse_request(std::string_view message, bool is_binary) {
    const Json object = Json::parse(message, nullptr, false);
    if (!object.is_object()) return refused("invalid_message", "a message is one JSON object");
    Members members{object};
    const auto op = members.text("op");
    if (!op) return std::unexpected{op.error()};
    if (*op == "enter" || *op == "replace" || *op == "cancel") return order_request(members, *op);
    if (*op != "subscribe" && *op != "unsubscribe")
        return refused("invalid_message",
                       fmt::format("op: there is no {}; there are subscribe, unsubscribe, enter, "
                                   "replace, cancel",
                                   Members::shown(*op)));
    auto topic = topic_of(members, *op == "subscribe");
    if (!topic) return std::unexpected{topic.error()};
    if (*op == "unsubscribe") return Unsubscribe{*std::move(topic)};
    topic->is_binary = is_binary && has_binary_form(topic->channel);
    return Subscribe{*std::move(topic)};
}

std::string answer_text(std::string_view type, const Topic& topic) {
    std::string json = fmt::format(R"({{"type":"{}","channel":"{}")", type, name(topic.channel));
    if (!topic.symbol.empty()) {
        json += R"(,"symbol":)";
        archive::append_string(json, topic.symbol);
    }
    if (topic.levels > 0) json += fmt::format(R"(,"levels":{})", topic.levels);
    if (topic.seconds > 0) json += fmt::format(R"(,"seconds":{})", topic.seconds);
    json += fmt::format(R"(,"interval_ms":{}}})", topic.interval_ms);
    return json;
}

}  // namespace damrak::market_stream
