#include <damrak/telemetry/records.hpp>

#include <utility>

#include <fmt/format.h>

#include <damrak/base/enum_names.hpp>
#include <damrak/domain/kind_names.hpp>

namespace damrak::telemetry {

static_assert(!k_enum_names<EventKind>[k_event_kinds - 1].empty() &&
                  k_enum_names<EventKind>[k_event_kinds].empty(),
              "counters have room for every kind of event");

std::string_view name(RequestKind kind) {
    static constexpr std::array<std::string_view, k_request_kinds> k_names{
        "hello", "logout", "heartbeat", "new_order", "cancel", "modify", "other"};
    const std::size_t index = std::to_underlying(kind);
    return index < k_names.size() ? k_names[index] : "unknown";
}

std::string text(const Peer& peer) {
    const auto& [a, b, c, d] = peer.address;
    return fmt::format("{}.{}.{}.{}:{}", a, b, c, d, peer.port);
}

const NameTable<RequestKind> k_request_names{&name};
const NameTable<EventKind> k_event_names{&damrak::name};
const NameTable<CommandKind> k_command_names{&damrak::name};
const NameTable<Side> k_side_names{&damrak::name};
const NameTable<OrderType> k_order_type_names{&damrak::name};
const NameTable<TimeInForce> k_time_in_force_names{&damrak::name};
const NameTable<Reason> k_reason_names{&damrak::name};

}  // namespace damrak::telemetry
