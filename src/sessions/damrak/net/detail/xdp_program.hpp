// The program of xdp/udp_port.bpf.c on a network interface: loads and attaches it, reads its
// counts, and detaches it on destruction. If the BPF file system is available, the program joins
// the dispatcher of libxdp beside other programs; otherwise it is attached by a link, which the
// kernel removes however the process ends. A program left behind by an earlier run is replaced.
// Set-up only.
#pragma once

#include <cstdint>
#include <expected>
#include <memory>
#include <string>

#include <damrak/net/datagram_path.hpp>

namespace damrak::net {

/// The point in a frame's path where the program runs.
enum class XdpMode : std::uint8_t {
    automatic,  ///< native; or else generic, but not on a virtual card
    native,     ///< in the driver
    generic,    ///< in the kernel, for any card; the frame is a socket buffer by then
};

/// What the program did with frames; it passed on all that it did not take.
struct XdpCounts {
    std::uint64_t taken = 0;     ///< given to us
    std::uint64_t other = 0;     ///< not to our address and port
    std::uint64_t fragment = 0;  ///< from here on: addressed to us, by reason for not taking it;
                                 ///< see Unusable
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

    /// The caller must hold the port of `self`, so that no earlier owner exists.
    [[nodiscard]] static std::expected<XdpProgram, std::string> attach(const Target& target);
    XdpProgram(XdpProgram&&) noexcept;
    XdpProgram& operator=(XdpProgram&&) noexcept;
    ~XdpProgram();

    /// Directs frames of that queue to that AF_XDP socket.
    [[nodiscard]] std::expected<void, std::string> give(std::uint32_t queue, int socket);

    [[nodiscard]] XdpCounts counts() const;
    [[nodiscard]] XdpMode mode() const;
    [[nodiscard]] bool dispatched() const;    ///< otherwise a link holds it
    [[nodiscard]] unsigned replaced() const;  ///< programs left behind by earlier runs
    /// The interface has no hardware: frames come from this machine, perhaps without checksums.
    [[nodiscard]] bool on_software() const;
    [[nodiscard]] std::string reason() const;  ///< why the mode is not native, and what it costs

  private:
    struct State;
    explicit XdpProgram(std::unique_ptr<State> state);

    std::unique_ptr<State> state_;
};

}  // namespace detail
}  // namespace damrak::net
