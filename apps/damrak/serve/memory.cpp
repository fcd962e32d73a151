#include "serve/memory.hpp"

#include <algorithm>
#include <array>
#include <fstream>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <sys/resource.h>
#include <unistd.h>

#include <damrak/base/reserved_array.hpp>
#include <damrak/gateway/feeds/feed_settings.hpp>
#include <damrak/gateway/udp/udp_settings.hpp>

#include "say.hpp"

namespace damrak::app {

namespace {

constexpr std::uint64_t k_kib = std::uint64_t{1} << 10U;
constexpr std::uint64_t k_mib = std::uint64_t{1} << 20U;
// What telemetry, the page and the first clients reserve: each thread that allocates makes the
// C library reserve 64 MiB.
constexpr std::uint64_t k_later = 512 * k_mib;

double in_mib(std::uint64_t bytes) { return static_cast<double>(bytes) / k_mib; }

// The limit of the control group, if it has one: version 2, or version 1.
std::optional<std::uint64_t> group_limit() {
    std::ifstream groups{"/proc/self/cgroup"};
    for (std::string line; std::getline(groups, line);) {
        const std::string path = line.substr(line.rfind(':') + 1);
        const bool is_second = line.starts_with("0::");
        if (!is_second && line.find(":memory:") == std::string::npos) continue;
        const std::string root = is_second ? "/sys/fs/cgroup" : "/sys/fs/cgroup/memory";
        const std::string_view file = is_second ? "/memory.max" : "/memory.limit_in_bytes";
        // Within a container the group is the root of what is seen.
        for (const std::string& folder : {root + path, root}) {
            std::ifstream in{folder + std::string{file}};
            if (std::uint64_t bytes = 0; in >> bytes) return bytes;
        }
    }
    return {};
}

// In bytes. What is reserved without being writable, as the C library does for threads, limits and
// machines count as address space alone.
struct KernelFigures {
    std::uint64_t address_space = 0;
    std::uint64_t resident = 0;
    std::uint64_t writable = 0;  ///< private
};

KernelFigures figures_now() {
    std::ifstream statm{"/proc/self/statm"};
    KernelFigures figures;
    std::uint64_t other = 0;
    statm >> figures.address_space >> figures.resident >> other >> other >> other >>
        figures.writable;
    const auto page = static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
    for (auto* const one : {&figures.address_space, &figures.resident, &figures.writable})
        *one *= page;
    return figures;
}

std::uint64_t machine_memory() {
    const auto physical = static_cast<std::uint64_t>(::sysconf(_SC_PHYS_PAGES)) *
                          static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
    return std::min(physical, group_limit().value_or(physical));
}

}  // namespace

Memory Memory::now() {
    const KernelFigures kernel = figures_now();
    return {.reserved = kernel.writable, .resident = kernel.resident, .pools = reserved_bytes()};
}

void set_apart(ServeSettings& settings) {
    settings.address = settings.numeric_address = "127.0.0.1";
    for (auto& [gateway, port] : settings.ports) port = 0;
    auto& udp = settings.of<gateway::udp::UdpSettings>();
    udp.path = net::PathChoice::socket;
    udp.interface.clear();
    auto& feed = settings.of<gateway::feeds::FeedSettings>();
    feed.mold_unicast_a.clear();
    feed.mold_unicast_b.clear();
}

void MemoryParts::note(std::string_view name) {
    const Memory before = std::exchange(total_, Memory::now());
    // The C library may give back in one part what it took in the one before.
    const auto added = [](std::uint64_t now, std::uint64_t then) {
        return now - std::min(now, then);
    };
    parts_.push_back({.name = name,
                      .memory = {.reserved = added(total_.reserved, before.reserved),
                                 .resident = added(total_.resident, before.resident),
                                 .pools = added(total_.pools, before.pools)}});
}

std::string text_of(const MemoryParts& parts, bool json) {
    if (json) {
        const auto object = [](const Memory& memory) {
            return nlohmann::ordered_json{
                {"reserved", memory.reserved}, {"ready", memory.resident}, {"full", memory.full()}};
        };
        nlohmann::ordered_json all;
        for (const auto& [name, memory] : parts.all())
            all["parts"][std::string{name}] = object(memory);
        all["total"] = object(parts.total());
        return all.dump() + "\n";
    }
    std::string text =
        fmt::format("{:<20}{:>12}{:>12}{:>14}\n", "MiB", "reserved", "ready", "full at most");
    const auto row = [&](std::string_view name, const Memory& memory) {
        text += fmt::format("{:<20}{:>12.0f}{:>12.0f}{:>14.0f}\n", name, in_mib(memory.reserved),
                            in_mib(memory.resident), in_mib(memory.full()));
    };
    for (const auto& [name, memory] : parts.all()) row(name, memory);
    row("total", parts.total());
    return text;
}

std::expected<void, std::string> check_memory(const ServeSettings& settings) {
    struct Limit {
        __rlimit_resource resource;
        std::string_view name;
        std::uint64_t reserved;
    };
    const KernelFigures now = figures_now();
    for (const auto& [resource, name, reserved] :
         std::array{Limit{RLIMIT_AS, "ulimit -v", now.address_space},
                    Limit{RLIMIT_DATA, "ulimit -d", now.writable}}) {
        rlimit limit{};
        if (::getrlimit(resource, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) continue;
        if (const std::uint64_t wanted = reserved + k_later; limit.rlim_cur < wanted)
            return std::unexpected{fmt::format(
                "{}: with these capacities the exchange reserves {:.0f} MiB, and its clients need "
                "up to {} more; the limit is {:.0f} MiB: raise it ({} {}), or lower [capacity]",
                settings.place("capacity"), in_mib(reserved), k_later / k_mib,
                in_mib(limit.rlim_cur), name, (wanted / k_mib + 1) * (k_mib / k_kib))};
    }
    const std::uint64_t full = Memory::now().full();
    if (const std::uint64_t there = machine_memory(); there < full)
        say("warning      when it is full, this exchange takes up to {:.0f} MiB, and there are "
            "{:.0f}: [capacity] can be lower, see serve --print-memory\n",
            in_mib(full), in_mib(there));
    return {};
}

}  // namespace damrak::app
