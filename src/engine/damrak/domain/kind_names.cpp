#include <damrak/domain/kind_names.hpp>

#include <damrak/base/enum_names.hpp>

namespace damrak {

std::string_view name(CommandKind kind) { return enum_name(kind); }
std::string_view name(EventKind kind) { return enum_name(kind); }
std::string_view name(Side side) { return enum_name(side); }
std::string_view name(OrderType type) { return enum_name(type); }
std::string_view name(TimeInForce time_in_force) { return enum_name(time_in_force); }
std::string_view name(SelfTradePrevention rule) { return enum_name(rule); }

}  // namespace damrak
