#include <damrak/base/precedence.hpp>

#include <cstdint>

#include <linux/sched/types.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace damrak {

// Past the C library, which has no function for it.
void give_way() {
    constexpr std::int32_t k_niceness = 10;
    constexpr std::uint64_t k_slice_ns = 100'000;
    sched_attr wanted{};
    wanted.size = sizeof wanted;
    wanted.sched_nice = k_niceness;
    wanted.sched_runtime = k_slice_ns;
    ::syscall(SYS_sched_setattr, 0, &wanted, 0U);
}

}  // namespace damrak
