// The routes below /v1 that the program answers beside the market data: each of them is described
// in /v1/openapi.json, and /v1 lists it.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include <damrak/http/server.hpp>
#include <damrak/market_data_api/api.hpp>
#include <damrak/market_stream/market_stream.hpp>
#include <damrak/recorded_market/replayed_day.hpp>

#include "serve/operations.hpp"
#include "serve/operator_access.hpp"
#include "serve/venue_state.hpp"

namespace damrak::app {

enum class ProgramRoute : std::uint8_t {
    asyncapi,
    index,
    login,
    logout,
    replay,
    replay_orders,
    stream,
    subscribers,
    venue
};

/// What answers.
struct ProgramParts {
    OperatorAccess& access;
    const Operations& operations;
    recorded_market::ReplayedDay* replayed;  ///< null: none
    const market_stream::MarketStream& stream;
    const VenueState& venue;
};

/// Nothing if the program does not answer the path itself.
[[nodiscard]] std::optional<ProgramRoute> program_route(std::string_view path);

/// The request must not be one that is only for the operator and comes from somebody else.
[[nodiscard]] http::Answer answer_of(ProgramRoute route, const http::Request& request,
                                     const ProgramParts& parts);

/// All of them for OpenAPI; it lasts as long as the program.
[[nodiscard]] market_data_api::OtherRoutes program_routes();

}  // namespace damrak::app
