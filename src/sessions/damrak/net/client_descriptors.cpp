#include <damrak/net/client_descriptors.hpp>

#include <algorithm>
#include <atomic>
#include <limits>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <damrak/base/assert.hpp>

namespace damrak::net {

namespace {

constexpr int k_unlimited = std::numeric_limits<int>::max();
constinit std::atomic<int> bound{k_unlimited};

}  // namespace

std::uint64_t raise_descriptor_limit(std::uint64_t wanted) {
    rlimit limit{};
    DAMRAK_ASSERT(::getrlimit(RLIMIT_NOFILE, &limit) == 0);
    limit.rlim_cur = std::min(limit.rlim_max, std::max(limit.rlim_cur, wanted));
    if (::setrlimit(RLIMIT_NOFILE, &limit) != 0) ::getrlimit(RLIMIT_NOFILE, &limit);
    return limit.rlim_cur;
}

std::expected<void, std::string> divide_descriptors(int clients, int files, int least) {
    const int wanted = clients + files;
    const auto most = static_cast<int>(std::min<std::uint64_t>(
        raise_descriptor_limit(static_cast<std::uint64_t>(wanted)), k_unlimited));
    if (most - files < least)
        return std::unexpected{fmt::format(
            "the limit of open files is {}, and {} are needed, {} of them for files of the "
            "exchange: raise it, such as with ulimit -n {}",
            most, files + least, files, wanted)};
    bound.store(most - files, std::memory_order_relaxed);
    return {};
}

bool is_for_client(int descriptor) { return descriptor < bound.load(std::memory_order_relaxed); }

ClientDescriptors client_descriptors() {
    const int next = ::fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 0);  // NOLINT(*-vararg)
    if (next >= 0) ::close(next);
    const int capacity = bound.load(std::memory_order_relaxed);
    return {.used = next >= 0 ? std::min(next, capacity) : capacity,
            .capacity = capacity,
            .is_limited = capacity != k_unlimited};
}

}  // namespace damrak::net
