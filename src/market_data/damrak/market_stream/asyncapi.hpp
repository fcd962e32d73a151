// The description of the stream for programs, in AsyncAPI 2.6.
#pragma once

#include <string_view>

#include <damrak/http/server.hpp>

namespace damrak::market_stream {

inline constexpr std::string_view k_stream_path = "/v1/stream";
inline constexpr std::string_view k_asyncapi_path = "/v1/asyncapi.json";

[[nodiscard]] http::Answer answer_asyncapi();

}  // namespace damrak::market_stream
