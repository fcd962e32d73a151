// Replaces xdp_program.cpp and xdp_queue.cpp in builds without libxdp, libbpf or a BPF compiler:
// every use of AF_XDP fails with that reason.
#include <utility>

#include <damrak/base/assert.hpp>
#include <damrak/net/detail/xdp_program.hpp>
#include <damrak/net/detail/xdp_queue.hpp>

namespace damrak::net::detail {

namespace {
constexpr const char* k_absent =
    "this program was built without AF_XDP: install libxdp-dev, libbpf-dev and clang-19 and build "
    "it again, or use sockets";
}

struct XdpProgram::State {};
struct XdpQueue::State {};

std::expected<XdpProgram, std::string> XdpProgram::attach(const Target&) {
    return std::unexpected{std::string{k_absent}};
}
XdpProgram::XdpProgram(std::unique_ptr<State> state) : state_(std::move(state)) {}
XdpProgram::XdpProgram(XdpProgram&&) noexcept = default;
XdpProgram& XdpProgram::operator=(XdpProgram&&) noexcept = default;
XdpProgram::~XdpProgram() = default;
std::expected<void, std::string> XdpProgram::give(std::uint32_t, int) {
    return std::unexpected{std::string{k_absent}};
}
XdpCounts XdpProgram::counts() const { return {}; }
XdpMode XdpProgram::mode() const { return XdpMode::automatic; }
bool XdpProgram::dispatched() const { return false; }
unsigned XdpProgram::replaced() const { return 0; }
bool XdpProgram::on_software() const { return false; }
std::string XdpProgram::reason() const { return {}; }

std::expected<XdpQueue, std::string> XdpQueue::open(const Options&) {
    return std::unexpected{std::string{k_absent}};
}
XdpQueue::XdpQueue(std::unique_ptr<State> state) : state_(std::move(state)) {}
XdpQueue::XdpQueue(XdpQueue&&) noexcept = default;
XdpQueue& XdpQueue::operator=(XdpQueue&&) noexcept = default;
XdpQueue::~XdpQueue() = default;
std::span<const std::span<const std::byte>> XdpQueue::take(std::size_t) { return {}; }
void XdpQueue::give_back() {}
void XdpQueue::poke() {}
std::span<std::byte> XdpQueue::claim() { return {}; }
void XdpQueue::commit(std::size_t) {}
void XdpQueue::flush() {}
int XdpQueue::descriptor() const { return -1; }
XdpQueue::Counters XdpQueue::counters() const { return {}; }
bool XdpQueue::on_huge_pages() const { return false; }
bool XdpQueue::busy_polling() const { return false; }

}  // namespace damrak::net::detail
