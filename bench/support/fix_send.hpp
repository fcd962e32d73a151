// Destinations of the FIX benchmark's messages: a ring in memory, without the kernel, or a loopback
// socket through libc's send(), which a preloaded library may replace.
#pragma once

#include <cstddef>
#include <cstring>
#include <span>
#include <thread>
#include <vector>

namespace damrak::bench {

class RingSend {
  public:
    void send(std::span<const char> message) {
        if (memory_.size() - at_ < message.size()) at_ = 0;
        std::memcpy(memory_.data() + at_, message.data(), message.size());
        at_ += message.size();
    }

  private:
    std::vector<char> memory_ = std::vector<char>(std::size_t{1} << 16U);
    std::size_t at_ = 0;
};

/// A TCP connection to a thread of this process that reads and forgets.
class SocketSend {
  public:
    SocketSend();
    SocketSend(const SocketSend&) = delete;
    SocketSend& operator=(const SocketSend&) = delete;
    ~SocketSend();

    void send(std::span<const char> message) const;

  private:
    int socket_ = -1;
    std::thread reader_;
};

}  // namespace damrak::bench
