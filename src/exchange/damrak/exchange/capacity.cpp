#include <damrak/exchange/capacity.hpp>

#include <algorithm>
#include <array>
#include <string_view>

#include <fmt/format.h>

#include <damrak/gateway/feeds/feed_server.hpp>
#include <damrak/net/client_descriptors.hpp>

namespace damrak::exchange {

using gateway::Usage;

namespace {

constexpr std::uint64_t k_soon_percent = 80;
constexpr std::uint64_t k_nearly_percent = 95;
constexpr std::uint8_t k_full = 5;

// The severity: 0 is fine. Each stage is reported once, and again only after usage fell clearly
// below it.
std::uint8_t stage_of(const Usage& usage, std::uint64_t margin = 0) {
    const auto reaches = [](std::uint64_t used, std::uint64_t bound, std::uint64_t percent) {
        return bound > 0 && used * 100 >= bound * percent;
    };
    const std::uint64_t used = usage.used + margin;
    if (reaches(used, usage.capacity, 100)) return k_full;
    if (reaches(used, usage.capacity, k_nearly_percent)) return 4;
    if (reaches(used, usage.capacity, k_soon_percent)) return 3;
    if (usage.anonymous < usage.capacity) {
        const std::uint64_t anonymous = usage.anonymous_used + margin;
        if (reaches(anonymous, usage.anonymous, 100)) return 2;
        if (reaches(anonymous, usage.anonymous, k_soon_percent)) return 1;
    }
    return 0;
}

std::string described(const Usage& usage) {
    std::string text = fmt::format("{}: {} of {} in use", usage.name, usage.used, usage.capacity);
    switch (stage_of(usage)) {
        case k_full:
            return text + ", no more are accepted";
        case 2:
            return text + ": participants that are not configured are refused";
        case 1:
            return text +
                   fmt::format(": from {} on, participants that are not configured are refused",
                               usage.anonymous);
        default:
            return text;
    }
}

}  // namespace

Usages usages_of(Exchange& exchange, const Settings& settings) {
    const PoolPlaces pools = exchange.follower().used();
    const EngineConfig& most = settings.capacity;
    const auto pool = [&](std::string_view name, std::uint64_t used, std::uint64_t capacity) {
        return Usage::of_pool(name, used, capacity, capacity * settings.anonymous_share / 100);
    };
    Usages usages{pool("orders", pools.orders, most.maximum_orders),
                  pool("special_orders", pools.extensions, most.maximum_extensions),
                  pool("levels", pools.levels, most.maximum_levels),
                  pool("ladder_nodes", pools.nodes, most.maximum_ladder_nodes),
                  pool("accounts", pools.accounts, most.maximum_accounts)};
    if (const net::ClientDescriptors open = net::client_descriptors(); open.is_limited) {
        const auto shared = static_cast<std::uint64_t>(open.capacity);
        usages.push_back(
            Usage::of_pool("descriptors", static_cast<std::uint64_t>(open.used), shared, shared));
    }
    exchange.trading().add_usages(settings, usages);
    gateway::feeds::FeedServer::add_usages(exchange.order_feed().subscribers, usages);
    return usages;
}

namespace {

// 0 ok, 1 warning, 2 full.
unsigned level_number(const Usage& usage) {
    const std::uint8_t stage = stage_of(usage);
    return stage == 0 ? 0 : stage == k_full ? 2 : 1;
}

}  // namespace

std::string_view level_of(const Usage& usage) {
    constexpr std::array<std::string_view, 3> k_levels{"ok", "warning", "full"};
    return k_levels.at(level_number(usage));
}

std::string level_metrics(const Usages& usages) {
    std::string text =
        "# HELP damrak_capacity_level How full a limited resource is: 0 ok, 1 warning, 2 full.\n"
        "# TYPE damrak_capacity_level gauge\n";
    for (const Usage& one : usages)
        text += fmt::format("damrak_capacity_level{{of=\"{}\"}} {}\n", one.name, level_number(one));
    return text;
}

std::string capacity_metrics(const Usages& usages) {
    std::string text =
        "# HELP damrak_capacity_used Used part of a limited resource.\n"
        "# TYPE damrak_capacity_used gauge\n";
    for (const Usage& one : usages)
        text += fmt::format("damrak_capacity_used{{of=\"{}\"}} {}\n", one.name, one.used);
    text +=
        "# HELP damrak_capacity Size of a limited resource.\n"
        "# TYPE damrak_capacity gauge\n";
    for (const Usage& one : usages)
        text += fmt::format("damrak_capacity{{of=\"{}\"}} {}\n", one.name, one.capacity);
    return text;
}

std::string filling(const Usages& usages) {
    std::string text;
    for (const Usage& one : usages)
        if (stage_of(one) > 0) text += (text.empty() ? "" : "; ") + described(one);
    return text;
}

void CapacityWatch::look(const Usages& usages) {
    reported_.resize(usages.size());
    for (std::size_t i = 0; i < usages.size(); ++i) {
        const Usage& one = usages[i];
        const std::uint8_t stage = stage_of(one);
        if (stage > reported_[i]) notices_.say("warning      capacity: {}", described(one));
        // A usage that moves around a bound is reported once.
        const std::uint8_t with_margin = stage_of(one, one.capacity / 20);
        reported_[i] = std::max(stage, std::min(reported_[i], with_margin));
    }
}

}  // namespace damrak::exchange
