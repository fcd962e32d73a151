// A subscriber of SoupBinTCP over a real socket, written from the specification alone: it shares no
// code with the server.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "support/eventually.hpp"

namespace damrak::testing {

class SoupSubscriber {
  public:
    /// Connects to this port of the loopback interface and logs in.
    SoupSubscriber(std::uint16_t port, std::uint64_t sequence, std::string_view session = "")
        : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
        sockaddr_in to{};
        to.sin_family = AF_INET;
        to.sin_port = htons(port);
        to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        read_patiently(socket_);
        is_open_ = ::connect(socket_, reinterpret_cast<const sockaddr*>(&to), sizeof to) == 0;
        const std::string number = std::to_string(sequence);
        std::string login = std::string{"\0\x2FL", 3} + "alice secret    ";
        login += std::string(10 - session.size(), ' ') + std::string{session};
        login += std::string(20 - number.size(), ' ') + number;
        is_open_ = is_open_ && ::send(socket_, login.data(), login.size(), MSG_NOSIGNAL) ==
                                   static_cast<ssize_t>(login.size());
    }
    SoupSubscriber(const SoupSubscriber&) = delete;
    SoupSubscriber& operator=(const SoupSubscriber&) = delete;
    ~SoupSubscriber() { ::close(socket_); }

    /// Type and payload of the next packet; empty at the end of the connection, or when patience
    /// is over.
    [[nodiscard]] std::string next() {
        while (is_open_ && !is_whole()) {
            char memory[4'096];
            const ssize_t count = ::recv(socket_, memory, sizeof memory, 0);
            if (count <= 0) {
                is_open_ = false;
            } else {
                unread_.append(memory, static_cast<std::size_t>(count));
            }
        }
        if (!is_whole()) return {};
        std::string packet = unread_.substr(2, length());
        unread_.erase(0, 2 + length());
        // The server ends those who are silent. One that has closed takes no answer, and what it
        // sent before would be lost: it has no heartbeat on the way, nor much.
        constexpr std::size_t k_much = 10'000;
        if (++packets_ % k_much == 0 || packet == "H")
            static_cast<void>(::send(socket_, "\0\1R", 3, MSG_NOSIGNAL));
        return packet;
    }
    /// The next `count` messages; fewer at the end.
    [[nodiscard]] std::vector<std::string> messages(std::size_t count) {
        std::vector<std::string> found;
        while (found.size() < count) {
            const std::string packet = next();
            if (packet.empty() || packet == "Z") break;
            if (packet.starts_with('S')) found.push_back(packet.substr(1));
        }
        return found;
    }

  private:
    [[nodiscard]] std::size_t length() const {
        return static_cast<std::size_t>(static_cast<unsigned char>(unread_[0])) * 256 +
               static_cast<unsigned char>(unread_[1]);
    }
    [[nodiscard]] bool is_whole() const {
        return unread_.size() >= 2 && unread_.size() >= 2 + length();
    }

    int socket_;
    bool is_open_ = false;
    std::size_t packets_ = 0;
    std::string unread_;
};

}  // namespace damrak::testing
