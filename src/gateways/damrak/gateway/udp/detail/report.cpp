#include <damrak/gateway/udp/detail/report.hpp>

#include <array>
#include <string_view>
#include <utility>
#include <vector>

#include <arpa/inet.h>
#include <fmt/format.h>

#include <damrak/base/number_text.hpp>
#include <damrak/domain/reason.hpp>
#include <damrak/gateway/udp/detail/udp_client.hpp>
#include <damrak/gateway/udp/udp_settings.hpp>
#include <damrak/net/address.hpp>

namespace damrak::gateway::udp {

namespace {

constexpr std::int64_t k_between_ns = 1'000'000'000;

std::string_view refusal_text(std::uint8_t number) {
    using wire::packet::Refusal;
    switch (static_cast<Refusal>(number)) {
        case Refusal::duplicate_sequence:
            return "duplicate number";
        case Refusal::old_sequence:
            return "number too old to check for duplicates";
        case Refusal::wrong_key:
            return "no valid API key";
        case Refusal::too_many_messages:
            return "the sender exceeds its rate limit";
        case Refusal::busy:
            return "the exchange is busy: the number may be sent again";
        case Refusal::far_sequence:
            return "number too far ahead";
        case Refusal::no_room:
            return "the table of senders is full";
        case Refusal::malformed:
            return "invalid field value";
        case Refusal::none:
            break;
    }
    return text(static_cast<Reason>(number));
}

std::string sender(const UdpCounters& gateway) {
    const SessionId session = gateway.troubled;
    if (is_udp_ipv6(session)) {
        std::array<char, INET6_ADDRSTRLEN> text{};
        ::inet_ntop(AF_INET6, gateway.troubled_address6.data(), text.data(), text.size());
        return net::host_and_port(text.data(), gateway.troubled_port6);
    }
    const auto address = udp_address(session);
    return fmt::format("{}.{}.{}.{}:{}", address[0], address[1], address[2], address[3],
                       udp_port(session));
}

std::string last_trouble(const UdpCounters& gateway) {
    std::string who = sender(gateway);
    switch (gateway.trouble) {
        case UdpTrouble::malformed:
            return fmt::format("a datagram of {}: {}", who,
                               text(static_cast<wire::packet::Fault>(gateway.reason)));
        case UdpTrouble::refused:
            return fmt::format("an order of {}: {}", who, refusal_text(gateway.reason));
        case UdpTrouble::duplicate:
        case UdpTrouble::too_old:
        case UdpTrouble::gap:
        case UdpTrouble::far_ahead:
        case UdpTrouble::begun_anew:
        case UdpTrouble::busy:
        case UdpTrouble::no_room:
        case UdpTrouble::reply_lost:
        case UdpTrouble::none:
            break;
    }
    return who;
}

/// Names of net::Unusable, in its order, for metrics and for notices.
struct UnusableText {
    std::string_view label;
    std::string_view line;
};
constexpr std::array<UnusableText, net::k_unusable_reasons> k_unusable{
    {{"too_long", "too long for any order"},
     {"fragment", "in fragments"},
     {"options", "with IP options"},
     {"vlan", "with a VLAN tag"},
     {"link", "to a broadcast address"},
     {"length", "with inconsistent lengths"},
     {"checksum", "with a wrong checksum"},
     {"source", "from an address that no other host can have"},
     {"no_socket", "on a queue of the card without a socket"},
     {"elsewhere", "not passed on by the XDP program"}}};

using Trouble = std::pair<std::uint64_t, std::string_view>;

// The count of each kind of trouble, with its description.
std::vector<Trouble> troubles(const UdpStatus& status) {
    const UdpCounters& gateway = status.gateway;
    std::vector<Trouble> all{{gateway.duplicates, "duplicate"},
                             {gateway.too_old, "number too old to check"},
                             {gateway.missing, "number skipped"},
                             {gateway.late, "number received late"},
                             {gateway.far_ahead, "number too far ahead"},
                             {gateway.begun_anew, "restart of a sender's numbers"},
                             {gateway.busy, "deferred because the exchange was busy"},
                             {gateway.malformed(), "malformed"},
                             {gateway.refused, "refused"},
                             {gateway.rejected, "rejected by the exchange"},
                             {gateway.replaced, "idle, replaced by another sender"},
                             {gateway.no_room, "from senders beyond the maximum"},
                             {gateway.replies_lost, "answer lost"},
                             {status.path.kernel_drops, "dropped by the kernel"},
                             {status.path.fill_empty, "times the card found no free frame"}};
    for (std::size_t i = 0; i < k_unusable.size(); ++i)
        all.emplace_back(status.path.unusable_by[i], k_unusable[i].line);
    return all;
}

std::string told(std::uint64_t count, std::string_view what) {
    constexpr std::array<std::string_view, 4> k_nouns{"duplicate", "number", "restart", "answer"};
    for (const std::string_view noun : k_nouns)
        if (what.starts_with(noun))
            return fmt::format("{}{}", counted(static_cast<std::int64_t>(count), noun),
                               what.substr(noun.size()));
    return fmt::format("{} {}", grouped(static_cast<std::int64_t>(count)), what);
}

std::string listed(const UdpStatus& now, const UdpStatus& before) {
    const auto counts = troubles(now);
    const auto known = troubles(before);
    std::string line;
    for (std::size_t i = 0; i < counts.size(); ++i)
        if (counts[i].first > known[i].first)
            line += fmt::format("{}{}", line.empty() ? "" : ", ",
                                told(counts[i].first - known[i].first, counts[i].second));
    return line;
}

/// Fullness in reporting steps; zero: there is room.
unsigned fullness(std::uint64_t used, std::uint64_t capacity) {
    for (const unsigned percent : {100U, 95U, 80U})
        if (capacity > 0 && used * 100 >= capacity * percent) return percent;
    return 0;
}

std::string places_text(std::string_view whose, std::uint64_t used, std::uint64_t capacity) {
    return fmt::format("{} of {} places for {} are taken", grouped(static_cast<std::int64_t>(used)),
                       grouped(static_cast<std::int64_t>(capacity)), whose);
}

constexpr std::string_view k_all_senders = "senders";
constexpr std::string_view k_anonymous_senders = "unidentified senders";

// Reports each step once, until the use falls again.
void tell_places(const Notices& notices, unsigned& told, std::string_view whose,
                 std::string_view setting, std::uint64_t used, std::uint64_t capacity) {
    const unsigned now = fullness(used, capacity);
    const unsigned before = std::exchange(told, now);
    if (now <= before) return;
    notices.say("udp          {}{}: [udp] {} gives more", places_text(whose, used, capacity),
                now == 100 ? ", new ones are refused unless one of them is idle" : "", setting);
}

}  // namespace

void UdpTroubles::look_at_places(const UdpStatus& status) {
    const UdpCounters& gateway = status.gateway;
    tell_places(notices_, reported_all_percent_, k_all_senders, "sources", gateway.sources,
                gateway.maximum_sources);
    if (gateway.maximum_anonymous < gateway.maximum_sources)
        tell_places(notices_, reported_anonymous_percent_, k_anonymous_senders, "anonymous_sources",
                    gateway.anonymous, gateway.maximum_anonymous);
}

namespace {

std::string places_warning(const UdpCounters& gateway) {
    if (fullness(gateway.sources, gateway.maximum_sources) > 0)
        return "UDP: " + places_text(k_all_senders, gateway.sources, gateway.maximum_sources);
    if (fullness(gateway.anonymous, gateway.maximum_anonymous) > 0)
        return "UDP: " +
               places_text(k_anonymous_senders, gateway.anonymous, gateway.maximum_anonymous);
    return {};
}

}  // namespace

Health udp_health(const UdpStatus& status) {
    Health health{.failure = {}, .warning = places_warning(status.gateway)};
    if (status.cut_off())
        health.failure = fmt::format("the network interface {} of the UDP gateway is gone",
                                     status.interface->name());
    return health;
}

void describe_udp(std::string_view path, std::string_view warning, const Settings& settings,
                  std::vector<std::string>& lines) {
    lines.push_back(fmt::format("udp          {}", path));
    const std::string& reply_to = settings.of<UdpSettings>().reply_to;
    if (!reply_to.empty())
        lines.push_back(fmt::format("udp          trades of the public formats go to {}{}",
                                    reply_to.contains(':') ? "" : "the sender's port ", reply_to));
    if (!warning.empty()) lines.push_back(fmt::format("warning      udp: {}", warning));
}

void UdpTroubles::look_at_interface(const UdpStatus& status, std::int64_t now_ns) {
    if (now_ns - interface_seen_at_ns_ < k_between_ns) return;
    interface_seen_at_ns_ = now_ns;
    if (std::exchange(cut_off_, status.cut_off()) == cut_off_) return;
    if (cut_off_)
        notices_.say(
            "udp          the network interface {} is gone: no datagrams are received or sent; "
            "bring it back and start the exchange again",
            status.interface->name());
}

void UdpTroubles::look(const UdpStatus& status, std::int64_t now_ns) {
    look_at_interface(status, now_ns);
    if (now_ns - reported_at_ns_ < k_between_ns) return;
    look_at_places(status);
    const std::string line = listed(status, reported_);
    if (line.empty()) return;
    reported_at_ns_ = now_ns;
    reported_ = status;
    notices_.say(
        "udp          {}{}", line,
        status.gateway.troubled ? "; last " + last_trouble(status.gateway) : std::string{});
}

void UdpTroubles::tell_all(const UdpStatus& status) const {
    const std::string line = listed(status, {});
    if (!line.empty()) notices_.say("udp          in all {}", line);
}

std::string udp_metrics(const UdpStatus& status) {
    std::string out;
    const auto one = [&out](std::string_view name, std::string_view type, std::string_view help,
                            std::uint64_t value) {
        out += fmt::format("# HELP damrak_udp_{} {}\n# TYPE damrak_udp_{} {}\ndamrak_udp_{} {}\n",
                           name, help, name, type, name, value);
    };
    const UdpCounters& gateway = status.gateway;
    const net::PathCounters& path = status.path;
    one("datagrams_total", "counter", "Received datagrams", gateway.datagrams);
    one("orders_total", "counter", "Orders in received datagrams, changes included",
        gateway.orders);
    one("malformed_total", "counter", "Malformed datagrams and orders", gateway.malformed());
    one("duplicates_total", "counter", "Orders dropped as duplicates", gateway.duplicates);
    one("too_old_total", "counter", "Orders dropped because their number was too old to check",
        gateway.too_old);
    one("gaps_total", "counter", "Gaps in the numbers", gateway.gaps);
    one("missing_total", "counter", "Skipped numbers", gateway.missing);
    one("late_total", "counter", "Skipped numbers received later", gateway.late);
    one("far_ahead_total", "counter", "Orders dropped because their number was too far ahead",
        gateway.far_ahead);
    one("begun_anew_total", "counter", "Restarts of a sender's numbers without a request",
        gateway.begun_anew);
    one("busy_total", "counter", "Deferred orders; their numbers may be sent again", gateway.busy);
    one("refused_total", "counter", "Orders refused by the gateway", gateway.refused);
    one("rejected_total", "counter", "Orders rejected by the exchange", gateway.rejected);
    one("no_room_total", "counter", "Datagrams of senders beyond the maximum", gateway.no_room);
    one("postponed_total", "counter", "Orders that waited in the queue", gateway.postponed);
    one("replies_total", "counter", "Answers to senders", gateway.replies);
    one("replies_lost_total", "counter", "Answers dropped for lack of space", gateway.replies_lost);
    one("sources", "gauge", "Known senders", gateway.sources);
    one("sources_capacity", "gauge", "Maximum number of senders", gateway.maximum_sources);
    one("anonymous_sources", "gauge", "Unidentified senders", gateway.anonymous);
    one("anonymous_sources_capacity", "gauge", "Maximum number of unidentified senders",
        gateway.maximum_anonymous);
    one("sources_forgotten_total", "counter", "Senders removed after silence", gateway.forgotten);
    one("sources_replaced_total", "counter", "Idle senders replaced when the table was full",
        gateway.replaced);
    one("sent_datagrams_total", "counter", "Datagrams accepted by the kernel for sending",
        path.sent);
    one("send_failed_total", "counter", "Datagrams refused by the kernel for sending",
        path.send_failed);
    one("unusable_total", "counter", "Datagrams that the path cannot use", path.unusable);
    out +=
        "# HELP damrak_udp_unusable_by_reason_total Unusable datagrams by reason\n"
        "# TYPE damrak_udp_unusable_by_reason_total counter\n";
    for (std::size_t i = 0; i < k_unusable.size(); ++i)
        out += fmt::format("damrak_udp_unusable_by_reason_total{{reason=\"{}\"}} {}\n",
                           k_unusable[i].label, path.unusable_by[i]);
    one("interface_lost", "gauge", "1: the gateway's network interface is gone",
        status.cut_off() ? 1 : 0);
    one("kernel_drops_total", "counter", "Datagrams dropped by the kernel", path.kernel_drops);
    one("fill_empty_total", "counter", "AF_XDP: times the card found no free frame",
        path.fill_empty);
    one("passed_total", "counter", "AF_XDP: frames passed to the kernel", path.passed);
    one("wakeups_total", "counter", "System calls to receive or send", path.wakeups);
    return out;
}

}  // namespace damrak::gateway::udp
