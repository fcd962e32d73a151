#include <damrak/net/xdp_path.hpp>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string_view>
#include <utility>

#include <arpa/inet.h>
#include <fmt/format.h>
#include <ifaddrs.h>
#include <linux/ethtool.h>
#include <linux/filter.h>
#include <linux/sock_diag.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <net/if_arp.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <damrak/base/assert.hpp>

namespace damrak::net {

namespace {

using detail::XdpProgram;
using detail::XdpQueue;

constexpr std::size_t k_most_queues = 64;  // size of the program's map
constexpr int k_neighbour_tries = 50;
constexpr int k_neighbour_pause_ms = 20;
constexpr std::uint16_t k_discard_port = 9;

ifreq request_for(const std::string& interface) {
    ifreq request{};
    interface.copy(request.ifr_name, IFNAMSIZ - 1);
    return request;
}

Descriptor udp_socket() { return Descriptor{::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0)}; }

sockaddr_in socket_address(const Endpoint& end) {
    sockaddr_in where{};
    where.sin_family = AF_INET;
    where.sin_port = htons(end.port);
    std::memcpy(&where.sin_addr, end.address.data(), end.address.size());
    return where;
}

std::expected<void, std::string> read_address(const std::string& text, Endpoint& end) {
    if (::inet_pton(AF_INET, text.c_str(), end.address.data()) == 1) return {};
    return std::unexpected{fmt::format("'{}' is not an IPv4 address", text)};
}

/// The MAC address of the interface, and its IPv4 address unless another is given.
std::expected<Endpoint, std::string> find_self(const XdpPathOptions& options) {
    const Descriptor socket = udp_socket();
    ifreq request = request_for(options.interface);
    if (::ioctl(socket.number(), SIOCGIFHWADDR, &request) != 0)
        return std::unexpected{
            fmt::format("no network interface '{}': {}", options.interface, std::strerror(errno))};
    if (request.ifr_hwaddr.sa_family != ARPHRD_ETHER)
        return std::unexpected{fmt::format("{} is not an Ethernet interface, which AF_XDP requires",
                                           options.interface)};
    Endpoint self;
    self.port = options.port;
    std::memcpy(self.link.data(), request.ifr_hwaddr.sa_data, self.link.size());
    if (!options.address.empty()) {
        if (auto read = read_address(options.address, self); !read)
            return std::unexpected{read.error()};
        return self;
    }
    if (::ioctl(socket.number(), SIOCGIFADDR, &request) != 0)
        return std::unexpected{
            fmt::format("{} has no IPv4 address: {}", options.interface, std::strerror(errno))};
    sockaddr_in address{};
    std::memcpy(&address, &request.ifr_addr, sizeof address);
    std::memcpy(self.address.data(), &address.sin_addr, self.address.size());
    return self;
}

/// A socket that reserves the port and receives nothing; sets the port of `self`.
std::expected<Descriptor, std::string> reserve_port(const XdpPathOptions& options, Endpoint& self) {
    Descriptor socket = udp_socket();
    sock_filter drop_all{.code = BPF_RET | BPF_K, .jt = 0, .jf = 0, .k = 0};
    const sock_fprog filter{.len = 1, .filter = &drop_all};
    sockaddr_in where = socket_address(self);
    socklen_t length = sizeof where;
    auto* const general = reinterpret_cast<sockaddr*>(&where);
    if (::setsockopt(socket.number(), SOL_SOCKET, SO_ATTACH_FILTER, &filter, sizeof filter) != 0 ||
        ::bind(socket.number(), general, sizeof where) != 0 ||
        ::getsockname(socket.number(), general, &length) != 0)
        return std::unexpected{fmt::format("cannot receive datagrams at port {} of {}: {}",
                                           options.port, options.interface, std::strerror(errno))};
    self.port = ntohs(where.sin_port);
    return socket;
}

/// This machine's own addresses, and the broadcast addresses of its networks.
std::vector<std::uint32_t> addresses_of_nobody() {
    std::vector<std::uint32_t> addresses;
    ifaddrs* all = nullptr;
    if (::getifaddrs(&all) != 0) return addresses;
    const auto add = [&addresses](const sockaddr* one) {
        if (one == nullptr || one->sa_family != AF_INET) return;
        sockaddr_in address{};
        std::memcpy(&address, one, sizeof address);
        addresses.push_back(ntohl(address.sin_addr.s_addr));
    };
    for (const ifaddrs* one = all; one != nullptr; one = one->ifa_next) {
        add(one->ifa_addr);
        if ((one->ifa_flags & IFF_BROADCAST) != 0) add(one->ifa_broadaddr);
    }
    ::freeifaddrs(all);
    return addresses;
}

std::size_t queues_of(const std::string& interface) {
    const Descriptor socket = udp_socket();
    ethtool_channels channels{};
    channels.cmd = ETHTOOL_GCHANNELS;
    ifreq request = request_for(interface);
    request.ifr_data = reinterpret_cast<char*>(&channels);
    if (::ioctl(socket.number(), SIOCETHTOOL, &request) != 0) return 1;
    return std::max<std::size_t>(1, channels.rx_count + channels.combined_count);
}

}  // namespace

std::expected<XdpPath, std::string> XdpPath::open(const XdpPathOptions& options) {
    if (::geteuid() != 0) return std::unexpected{std::string{"AF_XDP needs root"}};
    auto self = find_self(options);
    if (!self) return std::unexpected{self.error()};
    auto reserved = reserve_port(options, *self);
    if (!reserved) return std::unexpected{reserved.error()};
    auto program =
        XdpProgram::attach({.interface = options.interface, .self = *self, .mode = options.mode});
    if (!program) return std::unexpected{program.error()};
    XdpPath path{options, *self, std::move(*reserved), std::move(*program)};
    if (auto opened = path.open_queues(queues_of(options.interface)); !opened)
        return std::unexpected{opened.error()};
    if (!options.neighbour.empty()) {
        const auto found = path.resolve(options.neighbour, 0);
        if (!found) return std::unexpected{found.error()};
        path.neighbour_ = *found;
    }
    return path;
}

XdpPath::XdpPath(const XdpPathOptions& options, const Endpoint& self, Descriptor reserved,
                 XdpProgram program)
    : options_(options),
      self_(self),
      rules_{.self = self,
             .verify_checksum = options.verify_checksum,
             .begun_checksum = program.on_software() || program.mode() == XdpMode::generic,
             .nobody = addresses_of_nobody()},
      writer_(self),
      reserved_(std::move(reserved)),
      program_(std::move(program)) {}

std::expected<void, std::string> XdpPath::open_queues(std::size_t count) {
    queues_of_interface_ = count;
    if (options_.queues != 0) count = std::min(count, options_.queues);
    count = std::min(count, k_most_queues);
    XdpQueue::Options wanted{.interface = options_.interface,
                             .receive_frames = options_.receive_frames,
                             .send_frames = options_.send_frames,
                             .zero_copy = options_.zero_copy && mode() == XdpMode::native,
                             .prefer_busy_poll = options_.prefer_busy_poll};
    if (!wanted.zero_copy)
        copying_ = options_.zero_copy ? "always so in generic mode" : "as requested";
    for (; wanted.queue < count; ++wanted.queue) {
        auto queue = XdpQueue::open(wanted);
        if (!queue && wanted.zero_copy && queues_.empty()) {
            wanted.zero_copy = false;
            copying_ = "this driver has no zero-copy";
            queue = XdpQueue::open(wanted);
        }
        if (!queue) return std::unexpected{queue.error()};
        if (auto given = program_.give(wanted.queue, queue->descriptor()); !given) return given;
        queues_.push_back(std::move(*queue));
    }
    ready_ = queues_.front().descriptor();
    if (count == 1) return {};
    epoll_ = Descriptor{::epoll_create1(EPOLL_CLOEXEC)};
    for (const XdpQueue& queue : queues_) {
        epoll_event event{.events = EPOLLIN, .data = {}};
        if (::epoll_ctl(epoll_.number(), EPOLL_CTL_ADD, queue.descriptor(), &event) != 0)
            return std::unexpected{
                fmt::format("cannot watch the queues: {}", std::strerror(errno))};
    }
    ready_ = epoll_.number();
    return {};
}

bool XdpPath::wait(int wait_ms) {
    pollfd one{.fd = ready_, .events = POLLIN, .revents = 0};
    ++counters_.wakeups;
    return ::poll(&one, 1, wait_ms) > 0;
}

std::span<std::byte> XdpPath::claim(const Endpoint& to, std::size_t at_most) {
    DAMRAK_ASSERT(at_most <= k_largest_claim_bytes);
    const std::span<std::byte> frame = sending().claim();
    if (frame.empty()) {
        ++counters_.no_room;
        return {};
    }
    claimed_ = frame.data();
    writer_.begin(claimed_, neighbour_ && neighbour_->address == to.address
                                ? Endpoint{neighbour_->link, to.address, to.port}
                                : to);
    return frame.subspan(detail::k_frame_header_bytes, at_most);
}

void XdpPath::commit(std::size_t bytes) {
    DAMRAK_ASSERT(claimed_ != nullptr && bytes <= k_largest_claim_bytes);
    sending().commit(detail::UdpFrameWriter::finish(std::exchange(claimed_, nullptr), bytes));
}

std::string XdpPath::describe() const {
    std::string text = fmt::format("AF_XDP on {}, port {}, {} of {} queue{}, {} mode",
                                   options_.interface, self_.port, queues_.size(),
                                   queues_of_interface_, queues_of_interface_ == 1 ? "" : "s",
                                   mode() == XdpMode::native ? "native" : "generic");
    if (const std::string reason = program_.reason(); !reason.empty())
        text += fmt::format(" ({})", reason);
    text += copying_.empty() ? ", zero-copy" : fmt::format(", frames copied ({})", copying_);
    if (queues_.front().busy_polling()) text += ", prefer-busy-poll";
    if (queues_.front().on_huge_pages()) text += ", huge pages";
    text +=
        program_.dispatched() ? ", program in the dispatcher" : ", program on a link of its own";
    if (program_.replaced() > 0)
        text += fmt::format(", replaced one left behind by a crash ({})", program_.replaced());
    return text;
}

std::string XdpPath::warning() const {
    if (queues_.size() >= queues_of_interface_) return {};
    return fmt::format(
        "datagrams on {} of the {} queues of {} are lost, as no socket serves them: "
        "take all (queues = 0), or have the card use no more (`ethtool -L {} "
        "combined {}`)",
        queues_of_interface_ - queues_.size(), queues_of_interface_, options_.interface,
        options_.interface, queues_.size());
}

PathCounters XdpPath::counters() const {
    PathCounters counters = counters_;
    for (const XdpQueue& queue : queues_) {
        const XdpQueue::Counters of_queue = queue.counters();
        counters.sent += of_queue.sent;
        counters.wakeups += of_queue.wakeups;
        counters.fill_empty += of_queue.fill_empty;
        counters.kernel_drops += of_queue.dropped;
        counters.send_failed += of_queue.refused;
    }
    const XdpCounts program = program_.counts();
    counters.passed = program.other + program.unusable();
    counters.note(Unusable::fragment, program.fragment);
    counters.note(Unusable::options, program.options);
    counters.note(Unusable::vlan, program.vlan);
    counters.note(Unusable::link, program.link);
    counters.note(Unusable::length, program.length);
    counters.note(Unusable::no_socket, program.no_socket);
    // Some datagrams reach the port through the kernel. Any others there bypassed the program.
    std::array<std::uint32_t, SK_MEMINFO_VARS> memory{};
    socklen_t length = sizeof memory;
    if (::getsockopt(reserved_.number(), SOL_SOCKET, SO_MEMINFO, memory.data(), &length) == 0 &&
        memory[SK_MEMINFO_DROPS] > program.unusable())
        elsewhere_ = std::max(elsewhere_, memory[SK_MEMINFO_DROPS] - program.unusable());
    counters.note(Unusable::elsewhere, elsewhere_);
    return counters;
}

std::expected<Endpoint, std::string> XdpPath::resolve(const std::string& address,
                                                      std::uint16_t port) const {
    Endpoint end;
    end.port = port;
    if (auto read = read_address(address, end); !read) return std::unexpected{read.error()};
    Endpoint nobody = end;
    nobody.port = k_discard_port;
    const Descriptor socket = udp_socket();
    const sockaddr_in to = socket_address(nobody);
    arpreq request{};
    std::memcpy(&request.arp_pa, &to, sizeof to);
    options_.interface.copy(request.arp_dev, sizeof request.arp_dev - 1);
    for (int i = 0; i < k_neighbour_tries; ++i) {
        // Any datagram makes the kernel resolve its neighbour's MAC address.
        ::sendto(socket.number(), nullptr, 0, MSG_DONTWAIT, reinterpret_cast<const sockaddr*>(&to),
                 sizeof to);
        if (::ioctl(socket.number(), SIOCGARP, &request) == 0 &&
            (request.arp_flags & ATF_COM) != 0) {
            std::memcpy(end.link.data(), request.arp_ha.sa_data, end.link.size());
            return end;
        }
        ::poll(nullptr, 0, k_neighbour_pause_ms);
    }
    return std::unexpected{
        fmt::format("{} does not answer on the network of {}", address, options_.interface)};
}

}  // namespace damrak::net
