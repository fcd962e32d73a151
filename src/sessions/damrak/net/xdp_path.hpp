// Datagrams directly from the network card, past most of the kernel (AF_XDP). A program on the
// interface passes us the frames to one address and port, and nothing else. We read them where the
// kernel stored them, and write the answers as whole frames in memory shared with it.
//
// Needs root and an Ethernet interface. A socket holds the same address and port, so that no other
// process takes it; frames that the program leaves to the kernel end there. The path rejects what
// the kernel would reject: wrong checksums, impossible sources. Close it in the network namespace
// where it was opened. One thread receives and one sends (claim, commit, flush); they may be the
// same. Read the counters on that thread, or after both are done. After open() nothing is
// allocated, and a turn makes a system call only to have its answers sent.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <damrak/net/datagram_path.hpp>
#include <damrak/net/detail/fair_turns.hpp>
#include <damrak/net/detail/udp_frame.hpp>
#include <damrak/net/detail/xdp_program.hpp>
#include <damrak/net/detail/xdp_queue.hpp>
#include <damrak/net/tcp.hpp>

namespace damrak::net {

inline constexpr std::size_t k_usual_receive_frames = 16'384;
inline constexpr std::size_t k_usual_send_frames = 1'024;

/// Where a path over AF_XDP is open.
struct XdpPathOptions {
    std::string interface;
    std::string address = {};  ///< an address of the interface; empty: its first
    std::uint16_t port = 0;    ///< zero: any free port
    XdpMode mode = XdpMode::automatic;
    bool zero_copy = true;          ///< if the driver supports it
    bool prefer_busy_poll = false;  ///< our calls serve the card, not interrupts
    std::size_t queues = 0;         ///< of the interface, from the first; zero: all
    bool verify_checksum = true;    ///< of UDP; false: the card drops wrong ones
    /// A neighbour whose MAC address is resolved at start; it replaces the one in claims to that
    /// neighbour.
    std::string neighbour = {};
    std::size_t receive_frames = k_usual_receive_frames;  ///< ready frames per queue; a power of
                                                          ///< two
    std::size_t send_frames = k_usual_send_frames;  ///< that can be in transit; a power of two
};

class XdpPath {
  public:
    [[nodiscard]] static std::expected<XdpPath, std::string> open(const XdpPathOptions& options);

    template <class Receiver>
    std::size_t receive(std::size_t quota, int wait_ms, Receiver&& receiver) {
        std::size_t done = receive_waiting(quota, receiver);
        if (done == 0 && wait_ms != 0 && wait(wait_ms)) done = receive_waiting(quota, receiver);
        return done;
    }

    [[nodiscard]] std::span<std::byte> claim(const Endpoint& to, std::size_t at_most);
    void commit(std::size_t bytes);
    void flush() { sending().flush(); }

    [[nodiscard]] std::uint16_t port() const { return self_.port; }
    [[nodiscard]] int descriptor() const { return ready_; }
    [[nodiscard]] std::string describe() const;
    /// Why this path loses datagrams; empty if it does not.
    [[nodiscard]] std::string warning() const;
    [[nodiscard]] PathCounters counters() const;

    [[nodiscard]] const Endpoint& self() const { return self_; }
    [[nodiscard]] XdpMode mode() const { return program_.mode(); }
    [[nodiscard]] unsigned replaced_programs() const { return program_.replaced(); }

    /// A neighbour on the same network, with its MAC address.
    [[nodiscard]] std::expected<Endpoint, std::string> resolve(const std::string& address,
                                                               std::uint16_t port) const;

  private:
    XdpPath(const XdpPathOptions& options, const Endpoint& self, Descriptor reserved,
            detail::XdpProgram program);
    [[nodiscard]] std::expected<void, std::string> open_queues(std::size_t count);
    [[nodiscard]] bool wait(int wait_ms);
    [[nodiscard]] detail::XdpQueue& sending() { return queues_.front(); }

    template <class Receiver>
    std::size_t receive_waiting(std::size_t quota, Receiver&& receiver) {
        const std::size_t done =
            turns_.share(queues_.size(), quota, [&](std::size_t queue, std::size_t at_most) {
                return receive_from(queues_[queue], at_most, receiver);
            });
        if (done == 0)
            for (detail::XdpQueue& queue : queues_) queue.poke();
        return done;
    }

    template <class Receiver>
    std::size_t receive_from(detail::XdpQueue& queue, std::size_t quota, Receiver&& receiver) {
        std::size_t done = 0;
        while (done < quota) {
            const auto frames = queue.take(quota - done);
            if (frames.empty()) break;
            for (const std::span<const std::byte> frame : frames) {
                const auto datagram = detail::read_udp_frame(frame, rules_);
                if (!datagram) {
                    counters_.note(datagram.error());
                    continue;
                }
                ++counters_.received;
                receiver(*datagram);
            }
            done += frames.size();
            queue.give_back();
        }
        return done;
    }

    XdpPathOptions options_;
    Endpoint self_;
    detail::FrameRules rules_;
    detail::UdpFrameWriter writer_;
    std::optional<Endpoint> neighbour_;
    Descriptor reserved_;  ///< the socket that reserves the port
    detail::XdpProgram program_;
    std::vector<detail::XdpQueue> queues_;
    detail::FairTurns turns_;
    std::size_t queues_of_interface_ = 0;
    std::string copying_;  ///< why frames are copied; empty: they are not
    Descriptor epoll_;     ///< over all queues, if there are several
    int ready_ = -1;
    std::byte* claimed_ = nullptr;
    PathCounters counters_;
    mutable std::uint64_t elsewhere_ = 0;  ///< seen so far
};

static_assert(DatagramPath<XdpPath>);

}  // namespace damrak::net
