#include <damrak/base/affinity.hpp>

#include <algorithm>
#include <charconv>
#include <optional>

#include <pthread.h>
#include <sched.h>

namespace damrak {

namespace {

std::optional<unsigned> number(std::string_view text) {
    unsigned value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size() || value >= CPU_SETSIZE)
        return std::nullopt;
    return value;
}

}  // namespace

std::expected<std::vector<unsigned>, std::string> parse_cores(std::string_view text) {
    std::vector<unsigned> cores;
    while (true) {
        const std::string_view part = text.substr(0, text.find(','));
        const std::size_t dash = part.find('-');
        const auto first = number(part.substr(0, dash));
        const auto last = dash == std::string_view::npos ? first : number(part.substr(dash + 1));
        if (!first || !last || *last < *first)
            return std::unexpected{
                "'" + std::string{part} +
                "' is not a list of cores: expected numbers and ranges such as 0,2-5"};
        for (unsigned core = *first; core <= *last; ++core) cores.push_back(core);
        if (part.size() == text.size()) break;
        text.remove_prefix(part.size() + 1);
    }
    const std::vector<unsigned> allowed = allowed_cores();
    for (const unsigned core : cores)
        if (!std::ranges::binary_search(allowed, core))
            return std::unexpected{"core " + std::to_string(core) +
                                   " is not available to this process"};
    return cores;
}

std::vector<unsigned> allowed_cores() {
    cpu_set_t set;
    CPU_ZERO(&set);
    std::vector<unsigned> cores;
    if (::sched_getaffinity(0, sizeof set, &set) != 0) return cores;
    for (unsigned core = 0; core < CPU_SETSIZE; ++core)
        if (CPU_ISSET(core, &set)) cores.push_back(core);
    return cores;
}

bool pin_this_thread(unsigned core) {
    cpu_set_t set;
    CPU_ZERO(&set);
    if (core >= CPU_SETSIZE) return false;
    CPU_SET(core, &set);
    return ::pthread_setaffinity_np(::pthread_self(), sizeof set, &set) == 0;
}

}  // namespace damrak
