// The clocks of an exchange on a real machine. Any thread; some twenty nanoseconds a call.
#pragma once

#include <damrak/domain/measures.hpp>

namespace damrak::exchange {

[[nodiscard]] Timestamp system_time();
/// The system time at the start of the process plus the time since then. Nobody can set it, so
/// periodic work uses it.
[[nodiscard]] Timestamp unset_time();

}  // namespace damrak::exchange
