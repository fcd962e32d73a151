#include <damrak/telemetry/records.hpp>

#include <utility>

#include <damrak/domain/kind_names.hpp>

namespace damrak::telemetry {

namespace {

template <std::size_t k_count>
std::string_view at(const std::array<std::string_view, k_count>& names, std::size_t index) {
    return index < k_count ? names[index] : "unknown";
}

std::string_view side_name(Side side) { return side == Side::buy ? "buy" : "sell"; }

std::string_view order_type_name(OrderType type) {
    static constexpr std::array<std::string_view, 4> k_names{"limit", "market", "stop",
                                                             "stop_limit"};
    return at(k_names, std::to_underlying(type));
}

std::string_view time_in_force_name(TimeInForce time_in_force) {
    static constexpr std::array<std::string_view, 8> k_names{
        "day", "gtc", "gtd", "ioc", "fok", "at_open", "at_close", "at_auction"};
    return at(k_names, std::to_underlying(time_in_force));
}

}  // namespace

std::string_view name(RequestKind kind) {
    static constexpr std::array<std::string_view, k_request_kinds> k_names{
        "hello", "logout", "heartbeat", "new_order", "cancel", "modify", "other"};
    return at(k_names, std::to_underlying(kind));
}

const NameTable<RequestKind> k_request_names{&name};
const NameTable<EventKind> k_event_names{&damrak::name};
const NameTable<CommandKind> k_command_names{&damrak::name};
const NameTable<Side> k_side_names{&side_name};
const NameTable<OrderType> k_order_type_names{&order_type_name};
const NameTable<TimeInForce> k_time_in_force_names{&time_in_force_name};
const NameTable<Reason> k_reason_names{&damrak::name};

}  // namespace damrak::telemetry
