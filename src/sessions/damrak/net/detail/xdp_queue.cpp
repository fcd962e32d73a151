#include <damrak/net/detail/xdp_queue.hpp>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <thread>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <linux/if_xdp.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <xdp/xsk.h>

#include <damrak/base/assert.hpp>
#include <damrak/base/reserved_array.hpp>

namespace damrak::net::detail {

namespace {

constexpr int k_busy_poll_us = 20;
constexpr int k_busy_poll_budget = 64;
constexpr int k_busy_tries = 200;
constexpr std::chrono::milliseconds k_busy_pause{10};
constexpr std::size_t k_huge_page_bytes = std::size_t{2} << 20;
constexpr std::size_t k_line_bytes = 64;

/// Huge pages of the machine's reserve; null if it has too few.
void* reserved_huge_pages(std::size_t bytes) {
    void* const pages = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                               MAP_PRIVATE | MAP_ANONYMOUS | MAP_HUGETLB, -1, 0);
    if (pages == MAP_FAILED) return nullptr;
    // A mapping is no promise: pages can be missing while another process changes the reserve.
    if (::madvise(pages, bytes, MADV_POPULATE_WRITE) == 0) return pages;
    ::munmap(pages, bytes);
    return nullptr;
}

/// Memory for frames: on reserved huge pages if there are any.
class FrameMemory {
  public:
    explicit FrameMemory(std::size_t bytes)
        : bytes_((bytes + k_huge_page_bytes - 1) / k_huge_page_bytes * k_huge_page_bytes),
          data_(reserved_huge_pages(bytes_)) {
        if (!huge()) usual_ = ReservedArray<std::byte>{bytes_};
    }
    FrameMemory(const FrameMemory&) = delete;
    FrameMemory& operator=(const FrameMemory&) = delete;
    ~FrameMemory() {
        if (huge()) ::munmap(data_, bytes_);
    }

    [[nodiscard]] bool huge() const { return data_ != nullptr; }
    [[nodiscard]] std::byte* data() {
        return huge() ? static_cast<std::byte*>(data_) : usual_.data();
    }
    [[nodiscard]] std::size_t bytes() const { return bytes_; }

  private:
    std::size_t bytes_;
    void* data_;
    ReservedArray<std::byte> usual_;
};

std::unexpected<std::string> failure(const XdpQueue::Options& options, const char* what,
                                     int error) {
    return std::unexpected{fmt::format("{} of queue {} of {}: {}", what, options.queue,
                                       options.interface, std::strerror(error))};
}

bool set(int socket, int option, int value) {
    return ::setsockopt(socket, SOL_SOCKET, option, &value, sizeof value) == 0;
}

}  // namespace

struct XdpQueue::State {
    explicit State(const Options& given)
        : options(given), memory((given.receive_frames + given.send_frames) * k_frame_bytes) {}
    State(const State&) = delete;
    State& operator=(const State&) = delete;
    ~State() {
        if (socket != nullptr) xsk_socket__delete(socket);
        if (umem != nullptr) xsk_umem__delete(umem);
    }

    [[nodiscard]] std::byte* frame(std::uint64_t address) { return memory.data() + address; }

    void fill_up();
    void reclaim();
    void wake(bool receive);
    [[nodiscard]] std::uint32_t consumed() const {
        return __atomic_load_n(outgoing.consumer, __ATOMIC_ACQUIRE);
    }

    Options options;
    FrameMemory memory;
    xsk_umem* umem = nullptr;
    xsk_socket* socket = nullptr;
    // libxdp keeps pointers to these.
    xsk_ring_prod fill{};
    xsk_ring_cons completed{};
    xsk_ring_cons received{};
    xsk_ring_prod outgoing{};

    std::array<std::span<const std::byte>, k_batch> taken{};
    std::array<std::uint64_t, k_batch> taken_frames{};
    std::uint32_t taken_count = 0;

    std::vector<std::uint64_t> free_frames;  ///< for sending; the last is used first
    std::uint32_t committed = 0;             ///< written to the ring, kernel not informed yet
    std::uint32_t consumed_before = 0;       ///< counted as sent
    bool busy_polling = false;
    // Separate, as receiving and sending may use different threads.
    std::uint64_t receive_wakeups = 0;
    std::uint64_t send_wakeups = 0;
    std::uint64_t sent = 0;
};

void XdpQueue::State::fill_up() {
    std::uint32_t at = 0;
    const auto count = static_cast<std::uint32_t>(options.receive_frames);
    const std::uint32_t reserved = xsk_ring_prod__reserve(&fill, count, &at);
    DAMRAK_ASSERT(reserved == count);
    for (std::uint32_t i = 0; i < count; ++i)
        *xsk_ring_prod__fill_addr(&fill, at + i) = i * k_frame_bytes;
    xsk_ring_prod__submit(&fill, count);
}

void XdpQueue::State::reclaim() {
    std::uint32_t at = 0;
    const auto all = static_cast<std::uint32_t>(options.send_frames);
    const std::uint32_t count = xsk_ring_cons__peek(&completed, all, &at);
    for (std::uint32_t i = 0; i < count; ++i)
        free_frames.push_back(*xsk_ring_cons__comp_addr(&completed, at + i));
    if (count > 0) xsk_ring_cons__release(&completed, count);
}

void XdpQueue::State::wake(bool receive) {
    ++(receive ? receive_wakeups : send_wakeups);
    const int descriptor = xsk_socket__fd(socket);
    if (receive)
        ::recvfrom(descriptor, nullptr, 0, MSG_DONTWAIT, nullptr, nullptr);
    else
        ::sendto(descriptor, nullptr, 0, MSG_DONTWAIT, nullptr, 0);
}

std::expected<XdpQueue, std::string> XdpQueue::open(const Options& options) {
    DAMRAK_ASSERT(std::has_single_bit(options.receive_frames) &&
                  std::has_single_bit(options.send_frames));
    auto state = std::make_unique<State>(options);
    // The kernel reports a received frame before it frees its place in the fill ring. A ring with
    // as many places as frames could look full when a frame is returned.
    const auto fill_places = static_cast<std::uint32_t>(2 * options.receive_frames);
    const xsk_umem_config memory{.fill_size = fill_places,
                                 .comp_size = static_cast<std::uint32_t>(options.send_frames),
                                 .frame_size = k_frame_bytes,
                                 .frame_headroom = 0,
                                 .flags = 0};
    if (const int error =
            xsk_umem__create(&state->umem, state->memory.data(), state->memory.bytes(),
                             &state->fill, &state->completed, &memory);
        error != 0)
        return failure(options, "cannot share memory with the kernel for AF_XDP", -error);
    // Before the socket exists: the card never finds the ring empty.
    state->fill_up();
    for (std::size_t i = 0; i < options.send_frames; ++i)
        state->free_frames.push_back((options.receive_frames + i) * k_frame_bytes);
    xsk_socket_config how{};
    how.rx_size = static_cast<std::uint32_t>(options.receive_frames);
    how.tx_size = static_cast<std::uint32_t>(options.send_frames);
    how.libxdp_flags = XSK_LIBXDP_FLAGS__INHIBIT_PROG_LOAD;
    how.bind_flags = static_cast<std::uint16_t>(XDP_USE_NEED_WAKEUP |
                                                (options.zero_copy ? XDP_ZEROCOPY : XDP_COPY));
    int error = -EBUSY;
    // The kernel frees a queue some time after its previous socket was closed.
    for (int tries = 0; error == -EBUSY && tries < k_busy_tries; ++tries) {
        if (tries > 0) std::this_thread::sleep_for(k_busy_pause);
        error = xsk_socket__create(&state->socket, options.interface.c_str(), options.queue,
                                   state->umem, &state->received, &state->outgoing, &how);
    }
    if (error != 0) return failure(options, "cannot open an AF_XDP socket", -error);
    const int socket = xsk_socket__fd(state->socket);
    state->busy_polling = options.prefer_busy_poll && set(socket, SO_PREFER_BUSY_POLL, 1) &&
                          set(socket, SO_BUSY_POLL, k_busy_poll_us) &&
                          set(socket, SO_BUSY_POLL_BUDGET, k_busy_poll_budget);
    return XdpQueue{std::move(state)};
}

XdpQueue::XdpQueue(std::unique_ptr<State> state) : state_(std::move(state)) {}
XdpQueue::XdpQueue(XdpQueue&&) noexcept = default;
XdpQueue& XdpQueue::operator=(XdpQueue&&) noexcept = default;
XdpQueue::~XdpQueue() = default;

std::span<const std::span<const std::byte>> XdpQueue::take(std::size_t at_most) {
    State& state = *state_;
    std::uint32_t at = 0;
    state.taken_count = xsk_ring_cons__peek(
        &state.received, static_cast<std::uint32_t>(std::min(at_most, k_batch)), &at);
    for (std::uint32_t i = 0; i < state.taken_count; ++i) {
        const xdp_desc& one = *xsk_ring_cons__rx_desc(&state.received, at + i);
        state.taken[i] = {state.frame(one.addr), one.len};
        // Another core wrote them: prefetches the whole batch before reading the first.
        __builtin_prefetch(state.taken[i].data());
        __builtin_prefetch(state.taken[i].data() + k_line_bytes);
        state.taken_frames[i] = one.addr / k_frame_bytes * k_frame_bytes;
    }
    return std::span{state.taken}.first(state.taken_count);
}

void XdpQueue::give_back() {
    State& state = *state_;
    const std::uint32_t count = std::exchange(state.taken_count, 0);
    if (count == 0) return;
    xsk_ring_cons__release(&state.received, count);
    std::uint32_t at = 0;
    // There is room: the ring has twice as many places as there are frames.
    const std::uint32_t reserved = xsk_ring_prod__reserve(&state.fill, count, &at);
    DAMRAK_ASSERT(reserved == count);
    for (std::uint32_t i = 0; i < count; ++i)
        *xsk_ring_prod__fill_addr(&state.fill, at + i) = state.taken_frames[i];
    xsk_ring_prod__submit(&state.fill, count);
    if (xsk_ring_prod__needs_wakeup(&state.fill) != 0) state.wake(true);
}

void XdpQueue::poke() {
    if (state_->busy_polling || xsk_ring_prod__needs_wakeup(&state_->fill) != 0) state_->wake(true);
}

std::span<std::byte> XdpQueue::claim() {
    State& state = *state_;
    if (state.free_frames.empty()) state.reclaim();
    if (state.free_frames.empty()) return {};
    return {state.frame(state.free_frames.back()), k_frame_bytes};
}

void XdpQueue::commit(std::size_t bytes) {
    State& state = *state_;
    DAMRAK_ASSERT(!state.free_frames.empty() && bytes <= k_frame_bytes);
    std::uint32_t at = 0;
    // There is room here too: a place for each frame.
    const std::uint32_t reserved = xsk_ring_prod__reserve(&state.outgoing, 1, &at);
    DAMRAK_ASSERT(reserved == 1);
    *xsk_ring_prod__tx_desc(&state.outgoing, at) = {
        .addr = state.free_frames.back(), .len = static_cast<std::uint32_t>(bytes), .options = 0};
    state.free_frames.pop_back();
    ++state.committed;
}

void XdpQueue::flush() {
    State& state = *state_;
    if (state.committed > 0)
        xsk_ring_prod__submit(&state.outgoing, std::exchange(state.committed, 0));
    const auto untaken = [&state] { return state.outgoing.cached_prod - state.consumed(); };
    // One call moves a few dozen; the rest waits for the next flush.
    for (std::uint32_t left = untaken(); left > 0;) {
        if (xsk_ring_prod__needs_wakeup(&state.outgoing) == 0) break;
        state.wake(false);
        const std::uint32_t now = untaken();
        if (now == left) break;
        left = now;
    }
    const std::uint32_t consumed = state.consumed();
    state.sent += consumed - std::exchange(state.consumed_before, consumed);
    state.reclaim();
}

int XdpQueue::descriptor() const { return xsk_socket__fd(state_->socket); }
bool XdpQueue::on_huge_pages() const { return state_->memory.huge(); }
bool XdpQueue::busy_polling() const { return state_->busy_polling; }

XdpQueue::Counters XdpQueue::counters() const {
    Counters counters{.sent = state_->sent + state_->consumed() - state_->consumed_before,
                      .wakeups = state_->receive_wakeups + state_->send_wakeups};
    xdp_statistics kernel{};
    socklen_t length = sizeof kernel;
    if (::getsockopt(descriptor(), SOL_XDP, XDP_STATISTICS, &kernel, &length) == 0) {
        counters.fill_empty = kernel.rx_fill_ring_empty_descs;
        counters.dropped = kernel.rx_dropped + kernel.rx_ring_full;
        counters.refused = kernel.tx_invalid_descs;
    }
    return counters;
}

}  // namespace damrak::net::detail
