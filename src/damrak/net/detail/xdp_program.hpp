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
    automatic,  ///< native; or else generic, but not on a card that is software
    native,     ///< in the driver
    generic,    ///< in the kernel, for any card: each frame has become a socket buffer by then
};

/// What the program did with frames; all but those that it took it passed on.
struct XdpCounts {
    std::uint64_t taken = 0;     ///< given to us
    std::uint64_t other = 0;     ///< not to our address and port
    std::uint64_t fragment = 0;  ///< from here on to us, and why not taken: see Unusable
    std::uint64_t options = 0;
    std::uint64_t vlan = 0;
    std::uint64_t link = 0;
    std::uint64_t length = 0;
    std::uint64_t no_socket = 0;

    [[nodiscard]] std::uint64_t unusable() const {
        return fragment + options + vlan + link + length + no_socket;
    }
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
    [[nodiscard]] bool dispatched() const;    ///< or else it hangs on a link
    [[nodiscard]] unsigned replaced() const;  ///< programs of ours that were left behind
    /// The interface has no hardware: frames come from this machine, as they left another one.
    [[nodiscard]] bool on_software() const;
    [[nodiscard]] std::string reason() const;  ///< of a mode that is not native: why, and its price

  private:
    struct State;
    explicit XdpProgram(std::unique_ptr<State> state);

    std::unique_ptr<State> state_;
};

}  // namespace detail
}  // namespace damrak::net
