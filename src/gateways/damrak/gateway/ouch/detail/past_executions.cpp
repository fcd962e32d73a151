#include <damrak/gateway/ouch/detail/past_executions.hpp>

#include <span>
#include <variant>

#include <damrak/wire/ouch/decode.hpp>
#include <damrak/wire/ouch/descriptor_v42.hpp>
#include <damrak/wire/ouch/descriptor_v50.hpp>

namespace damrak::gateway::ouch::detail {

namespace {

namespace v42 = wire::ouch::v42;
namespace v50 = wire::ouch::v50;
using session::ouch::MessageStream;
using session::ouch::Token;

// Calls f with each message of this type, decoded.
template <class Messages, class M, class F>
void each(const MessageStream& messages, const F& f) {
    constexpr std::size_t k_length = 2;
    constexpr auto k_type = static_cast<std::byte>(wire::ouch::Layout<M>::k_type);
    auto place = messages.place_of(1);
    for (auto frame = messages.at(place); !frame.empty(); frame = messages.at(place)) {
        const std::span<const std::byte> bytes = frame.subspan(k_length);
        if (bytes.front() == k_type)
            if (const auto message = wire::ouch::decode<Messages>(bytes)) f(std::get<M>(*message));
        messages.skip(place);
    }
}

template <class Messages, class Executed, class F>
std::optional<PastExecution> find(const MessageStream& messages, std::uint64_t match_number,
                                  bool last, const F& token_of) {
    std::optional<PastExecution> found;
    each<Messages, Executed>(messages, [&](const Executed& executed) {
        if (executed.match_number == match_number && (last || !found))
            found = PastExecution{.token = token_of(executed)};
    });
    return found;
}

}  // namespace

std::optional<PastExecution> find_execution(const MessageStream& messages,
                                            session::ouch::Version version,
                                            std::uint64_t match_number, bool last) {
    if (version == session::ouch::Version::v42)
        return find<v42::Outbound, v42::Executed>(
            messages, match_number, last,
            [](const auto& executed) { return executed.order_token; });
    auto found = find<v50::Outbound, v50::Executed>(
        messages, match_number, last,
        [](const auto& executed) { return session::ouch::token_of(executed.user_ref); });
    if (!found) return found;
    const std::uint32_t user_ref = session::ouch::ref_of(found->token);
    const auto take_name = [&](const auto& message) {
        if (message.user_ref == user_ref) found->cl_ord_id = message.cl_ord_id;
    };
    each<v50::Outbound, v50::Accepted>(messages, take_name);
    each<v50::Outbound, v50::Replaced>(messages, take_name);
    return found;
}

}  // namespace damrak::gateway::ouch::detail
