// Finds what was reported to a user of an execution whose order may have ended. Reads the messages
// of the session, some 10 ns each: for trades that are busted, which is rare.
#pragma once

#include <cstdint>
#include <optional>

#include <damrak/session/ouch/request.hpp>
#include <damrak/session/ouch/stream.hpp>

namespace damrak::gateway::ouch::detail {

struct PastExecution {
    session::ouch::Token token{};
    session::ouch::Token cl_ord_id{};  ///< version 5.0
};

/// The first with this match number, or the last: a user who traded with itself has two.
[[nodiscard]] std::optional<PastExecution> find_execution(
    const session::ouch::MessageStream& messages, session::ouch::Version version,
    std::uint64_t match_number, bool last);

}  // namespace damrak::gateway::ouch::detail
