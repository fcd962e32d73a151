// The clocks that an exchange on a real machine goes by. Any thread; some twenty nanoseconds a
// call.
#pragma once

#include <damrak/domain/measures.hpp>

namespace damrak::exchange {

[[nodiscard]] Timestamp system_time();
/// The system's time when the process began, and what passed since then: for what is done every so
/// often, as nobody sets it.
[[nodiscard]] Timestamp unset_time();

}  // namespace damrak::exchange
