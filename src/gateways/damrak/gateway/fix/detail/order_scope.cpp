#include <damrak/gateway/fix/detail/order_scope.hpp>

#include <expected>
#include <string_view>

#include <damrak/fix_codec/tags.hpp>

namespace damrak::gateway::fix::detail {

Asked<OrderScope> read_scope(const fix_codec::Message& message, fix_codec::Tag type_tag,
                             const FixInstruments& instruments) {
    namespace tag = fix_codec::tag;
    constexpr int k_unsupported = 0;
    constexpr int k_unknown_security = 1;
    const auto refuse = [](int code, FixText text) {
        return std::unexpected{Refusal{.code = code, .text = text}};
    };
    const std::string_view type = message.text_or_empty(type_tag);
    if (type != "1" && type != "7")
        return refuse(k_unsupported,
                      FixText{"type {}: here 1 and 7 are (of a security, all)", type});
    OrderScope scope{.type = type.front()};
    if (scope.type == '1') {
        const auto instrument = instruments.named_in(message);
        if (!instrument) return refuse(k_unknown_security, instrument.error().text);
        scope.instrument = *instrument;
    } else if (message.has(tag::symbol) || message.has(tag::security_id)) {
        return refuse(k_unsupported, FixText{"an instrument goes with type 1"});
    }
    if (!message.has(tag::side)) return scope;
    const std::string_view side = message.text_or_empty(tag::side);
    if (side != "1" && side != "2")
        return refuse(k_unsupported, FixText{"Side {}: here 1 and 2 are (buys, all sells)", side});
    scope.side = side == "1" ? Side::buy : Side::sell;
    return scope;
}

}  // namespace damrak::gateway::fix::detail
