// A viewer's message: whatever it is, it gives a request that is repeated as it was understood, or
// an error that is valid JSON and not long.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

#include <nlohmann/json.hpp>

#include <damrak/base/assert.hpp>
#include <damrak/market_stream/request.hpp>

#include "support/fuzz_target.hpp"

namespace damrak::fuzz_stream_request {

using damrak::market_stream::answer_text;
using damrak::market_stream::parse_request;
using damrak::market_stream::Subscribe;

namespace {

void expect_readable(const std::string& text) {
    constexpr std::size_t k_most = 16'384;  // of a message of 4,096 bytes, each escaped
    DAMRAK_ASSERT(text.size() <= k_most);
    DAMRAK_ASSERT(nlohmann::json::parse(text, nullptr, false).is_object());
}

bool is_ascii(std::string_view text) {
    return std::ranges::all_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

}  // namespace

DAMRAK_FUZZ_TARGET(stream_request)(const std::uint8_t* data, std::size_t size) {
    constexpr std::size_t k_most = 4'096;
    if (size > k_most) return 0;
    const std::string_view message{reinterpret_cast<const char*>(data), size};
    for (const bool is_binary : {false, true}) {
        const auto request = parse_request(message, is_binary);
        if (!request) {
            expect_readable(text_of(request.error()));
            continue;
        }
        const auto* const subscribe = std::get_if<Subscribe>(&*request);
        // Symbols of instruments are ASCII.
        if (subscribe == nullptr || !is_ascii(subscribe->topic.symbol)) continue;
        const std::string answer = answer_text("subscribed", subscribe->topic);
        expect_readable(answer);
        // The answer has the parameters in force: as a request it asks for the same.
        auto again = nlohmann::json::parse(answer);
        again.erase("type");
        again["op"] = "subscribe";
        const auto same = parse_request(again.dump(), is_binary);
        DAMRAK_ASSERT(same.has_value());
        DAMRAK_ASSERT(std::get<Subscribe>(*same).topic == subscribe->topic);
    }
    return 0;
}

}  // namespace damrak::fuzz_stream_request
