// One queue of a network interface through AF_XDP: memory shared with the kernel, divided into
// frames, and the four rings that pass them to and fro. Received frames are read in place and
// returned; outgoing frames are written in place. One thread; a batch costs no system call unless
// the kernel asks to be woken.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <memory>
#include <span>
#include <string>

namespace damrak::net::detail {

class XdpQueue {
  public:
    static constexpr std::size_t k_frame_bytes = 2'048;
    static constexpr std::size_t k_batch = 64;

    struct Options {
        std::string interface;
        std::uint32_t queue = 0;
        std::size_t receive_frames = 0;  ///< a power of two
        std::size_t send_frames = 0;     ///< a power of two
        bool zero_copy = false;
        bool prefer_busy_poll = false;
    };

    struct Counters {
        std::uint64_t sent = 0;
        std::uint64_t wakeups = 0;
        std::uint64_t fill_empty = 0;
        std::uint64_t dropped = 0;
        std::uint64_t refused = 0;
    };

    [[nodiscard]] static std::expected<XdpQueue, std::string> open(const Options& options);
    XdpQueue(XdpQueue&&) noexcept;
    XdpQueue& operator=(XdpQueue&&) noexcept;
    ~XdpQueue();

    /// The next received frames, `at_most` and k_batch at most; the caller owns them until
    /// give_back().
    [[nodiscard]] std::span<const std::span<const std::byte>> take(std::size_t at_most);
    void give_back();

    /// Wakes the kernel to receive, if it waits for that.
    void poke();

    /// The next frame to write; empty: all are being sent. Void unless it is committed.
    [[nodiscard]] std::span<std::byte> claim();
    void commit(std::size_t bytes);
    void flush();

    [[nodiscard]] int descriptor() const;
    [[nodiscard]] Counters counters() const;
    [[nodiscard]] bool on_huge_pages() const;
    [[nodiscard]] bool busy_polling() const;

  private:
    struct State;
    explicit XdpQueue(std::unique_ptr<State> state);

    std::unique_ptr<State> state_;
};

}  // namespace damrak::net::detail
