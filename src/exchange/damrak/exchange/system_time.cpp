#include <damrak/exchange/system_time.hpp>

#include <chrono>
#include <cstdint>

#include <damrak/base/system_time.hpp>

namespace damrak::exchange {

Timestamp system_time() { return {system_time_ns()}; }

Timestamp unset_time() {
    using Clock = std::chrono::steady_clock;
    static const std::int64_t begin_ns = system_time_ns();
    static const auto begin = Clock::now();
    return {begin_ns + (Clock::now() - begin) / std::chrono::nanoseconds{1}};
}

}  // namespace damrak::exchange
