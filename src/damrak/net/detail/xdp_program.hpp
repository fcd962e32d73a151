// The program of xdp/udp_port.bpf.c on a network interface: loaded and attached, its counts read,
// and detached with its owner. It is put into the dispatcher of libxdp, beside the programs of
// others, where the BPF file system is there to keep it; elsewhere it hangs on a link, which the
// kernel removes however its owner dies. One of ours that was left behind is replaced. Set-up only.
#pragma once

#include <cstdint>
#include <expected>
#include <memory>
#include <string>

#include <damrak/net/datagram_path.hpp>

namespace damrak::net {

/// Where on the way of a frame the program runs.
enum class XdpMode : std::uint8_t {
    automatic,  ///< native, or else generic; between virtual cards generic, which is faster
    native,     ///< in the driver
    generic,    ///< in the kernel, for any card: each frame has become a socket buffer by then
};

/// What the program did with frames.
struct XdpCounts {
    std::uint64_t taken = 0;      ///< given to us
    std::uint64_t other = 0;      ///< passed: not to our address and port
    std::uint64_t odd = 0;        ///< passed: options, fragments, lengths that do not agree
    std::uint64_t no_socket = 0;  ///< passed: to us, but by a queue without a socket of ours
};

namespace detail {

class XdpProgram {
  public:
    struct Target {
        std::string interface;
        Endpoint self;  ///< all of it
        XdpMode mode = XdpMode::automatic;
    };

    /// The caller holds the port of `self`, so that whoever had it before is gone.
    [[nodiscard]] static std::expected<XdpProgram, std::string> attach(const Target& target);
    XdpProgram(XdpProgram&&) noexcept;
    XdpProgram& operator=(XdpProgram&&) noexcept;
    ~XdpProgram();

    /// What comes by that queue goes to that AF_XDP socket from here on.
    [[nodiscard]] std::expected<void, std::string> give(std::uint32_t queue, int socket);

    [[nodiscard]] XdpCounts counts() const;
    [[nodiscard]] XdpMode mode() const;
    [[nodiscard]] bool dispatched() const;     ///< or else it hangs on a link
    [[nodiscard]] unsigned replaced() const;   ///< programs of ours that were left behind
    [[nodiscard]] std::string reason() const;  ///< why the mode is not native; empty if it is

  private:
    struct State;
    explicit XdpProgram(std::unique_ptr<State> state);

    std::unique_ptr<State> state_;
};

}  // namespace detail
}  // namespace damrak::net
