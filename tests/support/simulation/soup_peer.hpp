// A client's end of SoupBinTCP 3.00 in a simulated world, written from docs/protocols/soupbintcp.md
// and not from the codec and the sessions of the library, which it is there to check. It says what
// it is told to say, breaks its silence, and gives the packets that arrive. Plain memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <support/simulation/network.hpp>

#include <damrak/domain/measures.hpp>

namespace damrak::simulation {

struct SoupPacket {
    char type = ' ';
    std::vector<std::byte> payload;

    /// Of a login accepted.
    [[nodiscard]] std::string session() const;
    [[nodiscard]] std::uint64_t next() const;
};

class SoupPeer {
  public:
    struct Login {
        std::string_view user;
        std::string_view session{};  ///< empty: the current one
        std::uint64_t next = 1;
    };

    /// A connection is there: logs in.
    void begin(simulation::ClientSocket socket, const Login& login, Timestamp now);
    [[nodiscard]] bool open() const { return socket_.open(); }
    [[nodiscard]] simulation::ClientSocket& socket() { return socket_; }
    /// A packet without a number.
    void send(char type, std::span<const std::byte> payload = {});
    /// Moves bytes in both directions. Gives the packets that are whole by now.
    [[nodiscard]] std::vector<SoupPacket> move(Timestamp now);
    /// The other end closed, or has not been heard of for so long that it is gone.
    [[nodiscard]] bool lost() const { return lost_; }

  private:
    simulation::ClientSocket socket_;
    std::vector<std::byte> in_;
    std::vector<std::byte> out_;
    Timestamp heard_{};
    Timestamp sent_{};
    bool lost_ = false;
};

}  // namespace damrak::simulation
