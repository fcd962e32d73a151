#include <damrak/net/detail/xdp_program.hpp>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdarg>
#include <cstring>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include <arpa/inet.h>
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <fmt/format.h>
#include <linux/bpf.h>
#include <linux/ethtool.h>
#include <linux/if_link.h>
#include <linux/magic.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <netinet/in.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/vfs.h>
#include <unistd.h>
#include <xdp/libxdp.h>

#include <damrak/net/tcp.hpp>

namespace damrak::net::detail {

namespace {

constexpr std::uint8_t k_object[] = {
#include "udp_port.bpf.inc"
};

constexpr const char* k_program_name = "damrak_udp";
constexpr const char* k_bpf_files = "/sys/fs/bpf";
// Before programs with the usual 50; other frames are passed on to them.
constexpr unsigned k_run_priority = 20;

// `settings` of the program.
struct XdpSettings {
    std::array<std::uint8_t, 4> address;
    std::uint16_t port;
    std::array<std::uint8_t, 6> link;
};
static_assert(sizeof(XdpSettings) == 12);

int say_nothing(libbpf_print_level, const char*, va_list) { return 0; }
int say_nothing_either(libxdp_print_level, const char*, va_list) { return 0; }

struct CloseObject {
    void operator()(bpf_object* object) const { bpf_object__close(object); }
};
struct CloseProgram {
    void operator()(xdp_program* program) const { xdp_program__close(program); }
};
struct CloseSet {
    void operator()(xdp_multiprog* set) const {
        if (libxdp_get_error(set) == 0) xdp_multiprog__close(set);
    }
};
using Object = std::unique_ptr<bpf_object, CloseObject>;
using Program = std::unique_ptr<xdp_program, CloseProgram>;
using ProgramSet = std::unique_ptr<xdp_multiprog, CloseSet>;

bool dispatcher_possible() {
    struct statfs where{};
    return ::statfs(k_bpf_files, &where) == 0 && where.f_type == BPF_FS_MAGIC;
}

std::expected<Object, std::string> open_object(const Endpoint& self) {
    bpf_object_open_opts options{};
    options.sz = sizeof options;
    options.object_name = k_program_name;
    Object object{bpf_object__open_mem(k_object, sizeof k_object, &options)};
    if (!object)
        return std::unexpected{
            fmt::format("cannot read the XDP program: {}", std::strerror(errno))};
    const XdpSettings settings{
        .address = self.address, .port = htons(self.port), .link = self.link};
    bpf_map* map = nullptr;
    bpf_object__for_each_map(map, object.get()) {
        if (std::string_view{bpf_map__name(map)}.ends_with(".rodata") &&
            bpf_map__set_initial_value(map, &settings, sizeof settings) == 0)
            return object;
    }
    return std::unexpected{std::string{"the XDP program has no settings"}};
}

/// The settings of a running program of ours; none if it is not ours.
std::optional<XdpSettings> settings_of(int program) {
    std::array<std::uint32_t, 16> maps{};
    bpf_prog_info info{};
    info.nr_map_ids = maps.size();
    info.map_ids = reinterpret_cast<std::uintptr_t>(maps.data());
    std::uint32_t length = sizeof info;
    if (bpf_obj_get_info_by_fd(program, &info, &length) != 0 ||
        std::string_view{info.name} != k_program_name)
        return std::nullopt;
    for (std::size_t i = 0; i < std::min<std::size_t>(info.nr_map_ids, maps.size()); ++i) {
        const Descriptor map{bpf_map_get_fd_by_id(maps[i])};
        bpf_map_info about{};
        std::uint32_t about_length = sizeof about;
        const std::uint32_t first = 0;
        XdpSettings settings{};
        if (map.open() && bpf_obj_get_info_by_fd(map.number(), &about, &about_length) == 0 &&
            std::string_view{about.name}.ends_with(".rodata") &&
            about.value_size == sizeof settings &&
            bpf_map_lookup_elem(map.number(), &first, &settings) == 0)
            return settings;
    }
    return std::nullopt;
}

// A server holds its port with a socket. So a program is abandoned if its port can be bound, or if
// its address no longer exists.
bool abandoned(const XdpSettings& settings, const Endpoint& self) {
    if (settings.address == self.address && settings.port == htons(self.port)) return true;
    sockaddr_in where{};
    where.sin_family = AF_INET;
    where.sin_port = settings.port;
    std::memcpy(&where.sin_addr, settings.address.data(), settings.address.size());
    const Descriptor probe{::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0)};
    return ::bind(probe.number(), reinterpret_cast<const sockaddr*>(&where), sizeof where) == 0 ||
           errno == EADDRNOTAVAIL;
}

std::string name_of_program(std::uint32_t id) {
    const Descriptor program{bpf_prog_get_fd_by_id(id)};
    bpf_prog_info info{};
    std::uint32_t length = sizeof info;
    if (!program.open() || bpf_obj_get_info_by_fd(program.number(), &info, &length) != 0)
        return fmt::format("number {}", id);
    return info.name;
}

}  // namespace

struct XdpProgram::State {
    State() = default;
    State(const State&) = delete;
    State& operator=(const State&) = delete;
    ~State() {
        if (!dispatched) return;
        xdp_program__detach(dispatched.get(), interface,
                            mode == XdpMode::native ? XDP_MODE_NATIVE : XDP_MODE_SKB, 0);
    }

    int interface = 0;
    std::string interface_name;
    Object object;  ///< of the program on a link; the dispatcher manages its own
    Program dispatched;
    Descriptor link;
    XdpMode mode = XdpMode::native;
    Descriptor counts;
    Descriptor sockets;
    unsigned replaced = 0;
    bool on_software = false;
    std::string reason;
    /// One count per processor; allocated once, so that reading allocates nothing.
    std::vector<std::uint64_t> shares =
        std::vector<std::uint64_t>(static_cast<std::size_t>(libbpf_num_possible_cpus()));

    std::expected<void, std::string> choose(const Target& target);
    unsigned remove_abandoned(const Endpoint& self) const;
    std::expected<void, std::string> attach(const Endpoint& self, XdpMode wanted);
    bool dispatch(const Endpoint& self, XdpMode wanted);
    int hang_on_link(XdpMode wanted);
    std::string refusal(XdpMode wanted, int error) const;
    bool find_maps(const bpf_object* object);
};

unsigned XdpProgram::State::remove_abandoned(const Endpoint& self) const {
    const ProgramSet set{xdp_multiprog__get_from_ifindex(interface)};
    xdp_multiprog* const found = set.get();
    if (libxdp_get_error(found) != 0) return 0;
    const xdp_attach_mode how = xdp_multiprog__attach_mode(found);
    const auto ours = [&self](const xdp_program* one) {
        const auto settings = settings_of(xdp_program__fd(one));
        return settings && abandoned(*settings, self);
    };
    if (xdp_multiprog__is_legacy(found)) {
        const bool leave = !ours(xdp_multiprog__main_prog(found));
        return leave || xdp_multiprog__detach(found) != 0 ? 0 : 1;
    }
    std::vector<xdp_program*> left_behind;
    for (xdp_program* one = xdp_multiprog__next_prog(nullptr, found); one != nullptr;
         one = xdp_multiprog__next_prog(one, found))
        if (ours(one)) left_behind.push_back(one);
    unsigned removed = 0;
    for (xdp_program* one : left_behind)
        removed += xdp_program__detach(one, interface, how, 0) == 0 ? 1U : 0U;
    return removed;
}

bool XdpProgram::State::find_maps(const bpf_object* of) {
    counts = Descriptor{::dup(bpf_object__find_map_fd_by_name(of, "counts"))};
    sockets = Descriptor{::dup(bpf_object__find_map_fd_by_name(of, "sockets"))};
    return counts.open() && sockets.open();
}

// Returns whether it is attached now. On a kernel without support for the dispatcher, libxdp
// attaches the program alone, and it would outlive the process: then a link is better.
bool XdpProgram::State::dispatch(const Endpoint& self, XdpMode wanted) {
    auto opened = open_object(self);
    if (!opened) return false;
    xdp_program* const made = xdp_program__from_bpf_obj(opened->get(), "xdp");
    if (libxdp_get_error(made) != 0) return false;
    Program program{made};
    xdp_program__set_run_prio(made, k_run_priority);
    xdp_program__set_chain_call_enabled(made, XDP_PASS, true);
    const auto how = wanted == XdpMode::native ? XDP_MODE_NATIVE : XDP_MODE_SKB;
    if (xdp_program__attach(made, interface, how, 0) != 0) return false;
    const ProgramSet set{xdp_multiprog__get_from_ifindex(interface)};
    if (libxdp_get_error(set.get()) != 0 || xdp_multiprog__is_legacy(set.get()) ||
        !find_maps(opened->get())) {
        xdp_program__detach(made, interface, how, 0);
        return false;
    }
    object = std::move(*opened);
    dispatched = std::move(program);
    return true;
}

// Returns the error as a positive number; 0: attached.
int XdpProgram::State::hang_on_link(XdpMode wanted) {
    if (bpf_object__load(object.get()) != 0) return errno;
    bpf_link_create_opts options{};
    options.sz = sizeof options;
    options.flags = wanted == XdpMode::native ? XDP_FLAGS_DRV_MODE : XDP_FLAGS_SKB_MODE;
    const int program =
        bpf_program__fd(bpf_object__find_program_by_name(object.get(), k_program_name));
    const int made = bpf_link_create(program, interface, BPF_XDP, &options);
    if (made < 0) return errno;
    link = Descriptor{made};
    return find_maps(object.get()) ? 0 : ENOENT;
}

std::string XdpProgram::State::refusal(XdpMode wanted, int error) const {
    std::uint32_t id = 0;
    if (bpf_xdp_query_id(interface, 0, &id) == 0 && id != 0) {
        return fmt::format(
            "{} already has the XDP program '{}', which Damrak did not leave behind: detach "
            "it (`ip link set dev {} xdp off`){}",
            interface_name, name_of_program(id), interface_name,
            dispatcher_possible()
                ? ""
                : ", or mount the BPF file system at /sys/fs/bpf, so that both can coexist");
    }
    return fmt::format("cannot attach the XDP program to {} in {} mode: {}", interface_name,
                       wanted == XdpMode::native ? "native" : "generic", std::strerror(error));
}

std::expected<void, std::string> XdpProgram::State::attach(const Endpoint& self, XdpMode wanted) {
    mode = wanted;
    if (dispatcher_possible() && dispatch(self, wanted)) return {};
    auto opened = open_object(self);
    if (!opened) return std::unexpected{opened.error()};
    object = std::move(*opened);
    if (const int error = hang_on_link(wanted); error != 0)
        return std::unexpected{refusal(wanted, error)};
    return {};
}

namespace {

constexpr const char* k_price_of_generic = "it loses batches that local programs send with UDP GSO";

// An interface without a bus: veth, bridges and the like; tun and tap identify themselves here.
bool is_software(const std::string& interface) {
    const Descriptor socket{::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0)};
    ethtool_drvinfo driver{};
    driver.cmd = ETHTOOL_GDRVINFO;
    ifreq request{};
    interface.copy(request.ifr_name, IFNAMSIZ - 1);
    request.ifr_data = reinterpret_cast<char*>(&driver);
    if (::ioctl(socket.number(), SIOCETHTOOL, &request) != 0) return true;
    const std::string_view bus{driver.bus_info};
    return bus.empty() || bus == "tun" || bus == "tap" || bus == "N/A";
}

}  // namespace

// Local programs pass a batch as one large buffer, which a card, or the driver's XDP, cuts into
// datagrams. In generic mode nothing cuts it: the whole batch is one datagram.
std::expected<void, std::string> XdpProgram::State::choose(const Target& target) {
    if (target.mode != XdpMode::automatic) {
        if (target.mode == XdpMode::generic && on_software) reason = k_price_of_generic;
        return attach(target.self, target.mode);
    }
    auto native = attach(target.self, XdpMode::native);
    if (native) return {};
    if (on_software)
        return std::unexpected{fmt::format("{}; request the generic mode explicitly: {}",
                                           native.error(), k_price_of_generic)};
    reason = native.error();
    return attach(target.self, XdpMode::generic);
}

std::expected<XdpProgram, std::string> XdpProgram::attach(const Target& target) {
    libbpf_set_print(say_nothing);
    libxdp_set_print(say_nothing_either);
    auto state = std::make_unique<State>();
    state->interface_name = target.interface;
    state->interface = static_cast<int>(::if_nametoindex(target.interface.c_str()));
    if (state->interface == 0)
        return std::unexpected{fmt::format("there is no network interface '{}'", target.interface)};
    state->replaced = state->remove_abandoned(target.self);
    state->on_software = is_software(target.interface);
    if (auto attached = state->choose(target); !attached) return std::unexpected{attached.error()};
    return XdpProgram{std::move(state)};
}

XdpProgram::XdpProgram(std::unique_ptr<State> state) : state_(std::move(state)) {}
XdpProgram::XdpProgram(XdpProgram&&) noexcept = default;
XdpProgram& XdpProgram::operator=(XdpProgram&&) noexcept = default;
XdpProgram::~XdpProgram() = default;

std::expected<void, std::string> XdpProgram::give(std::uint32_t queue, int socket) {
    if (bpf_map_update_elem(state_->sockets.number(), &queue, &socket, BPF_ANY) == 0) return {};
    return std::unexpected{fmt::format("cannot give queue {} of {} to an AF_XDP socket: {}", queue,
                                       state_->interface_name, std::strerror(errno))};
}

XdpCounts XdpProgram::counts() const {
    // Each processor has its own count.
    std::uint32_t which = 0;
    const auto next = [&] {
        std::uint64_t total = 0;
        if (bpf_map_lookup_elem(state_->counts.number(), &which, state_->shares.data()) == 0)
            for (const std::uint64_t share : state_->shares) total += share;
        ++which;
        return total;
    };
    return {.taken = next(),
            .other = next(),
            .fragment = next(),
            .options = next(),
            .vlan = next(),
            .link = next(),
            .length = next(),
            .no_socket = next()};
}

XdpMode XdpProgram::mode() const { return state_->mode; }
bool XdpProgram::dispatched() const { return state_->dispatched != nullptr; }
unsigned XdpProgram::replaced() const { return state_->replaced; }
bool XdpProgram::on_software() const { return state_->on_software; }
std::string XdpProgram::reason() const { return state_->reason; }

}  // namespace damrak::net::detail
