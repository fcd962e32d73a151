// A network of one port in memory with a manual clock, in place of net::PlainTcp: sent data arrives
// at once, unless the test cuts, refuses or blocks it. One thread.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <expected>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <damrak/net/tcp.hpp>

namespace damrak::testing {

class VirtualTcp {
  public:
    struct Cable {
        std::deque<std::byte> bytes[2];  ///< in transit to each side
        bool open = true;
    };
    /// State that the test controls.
    struct World {
        std::int64_t now_ns = 0;
        bool listening = false;
        bool reachable = true;  ///< otherwise a connection attempt gets no answer
        std::size_t largest_transfer = std::numeric_limits<std::size_t>::max();
        std::vector<std::shared_ptr<Cable>> cables{};
        std::deque<std::shared_ptr<Cable>> gateway{};

        /// Breaks every connection, with all data in transit.
        void cut() {
            for (const auto& cable : cables) {
                cable->open = false;
                for (auto& way : cable->bytes) way.clear();
            }
        }
    };

    class Socket {
      public:
        Socket() = default;
        Socket(std::shared_ptr<Cable> cable, std::size_t side)
            : cable_(std::move(cable)), side_(side) {}
        Socket(Socket&&) = default;
        Socket& operator=(Socket&& other) noexcept {
            std::swap(cable_, other.cable_);
            std::swap(side_, other.side_);
            return *this;
        }
        Socket(const Socket&) = delete;
        Socket& operator=(const Socket&) = delete;
        ~Socket() { reset(); }

        void reset() {
            if (cable_) cable_->open = false;
            cable_.reset();
        }
        [[nodiscard]] bool open() const { return cable_ != nullptr; }

      private:
        friend class VirtualTcp;
        std::shared_ptr<Cable> cable_;
        std::size_t side_ = 0;
    };

    explicit VirtualTcp(World& world) : world_(&world) {}

    [[nodiscard]] std::expected<Socket, std::string> connect(const std::string& /*host*/,
                                                             std::uint16_t /*port*/) {
        auto cable = world_->cables.emplace_back(std::make_shared<Cable>());
        if (world_->listening && world_->reachable) world_->gateway.push_back(cable);
        return Socket{cable, 0};
    }
    [[nodiscard]] std::expected<bool, std::string> connected(const Socket& /*socket*/) {
        if (!world_->reachable) return false;
        if (!world_->listening) return std::unexpected{std::string{"Connection refused"}};
        return true;
    }
    [[nodiscard]] std::expected<std::uint16_t, std::string> listen(const std::string& /*address*/,
                                                                   std::uint16_t port) {
        world_->listening = true;
        return port;
    }
    [[nodiscard]] Socket accept() {
        if (world_->gateway.empty()) return {};
        Socket socket{world_->gateway.front(), 1};
        world_->gateway.pop_front();
        return socket;
    }
    [[nodiscard]] net::Moved receive(const Socket& socket, std::span<std::byte> into) {
        auto& way = socket.cable_->bytes[socket.side_];
        const std::size_t count = std::min({into.size(), way.size(), world_->largest_transfer});
        const auto end = way.begin() + static_cast<std::ptrdiff_t>(count);
        std::copy(way.begin(), end, into.begin());
        way.erase(way.begin(), end);
        return {.bytes = count, .closed = count == 0 && !socket.cable_->open};
    }
    [[nodiscard]] net::Moved send(const Socket& socket, std::span<const std::byte> bytes) {
        if (!socket.cable_->open) return {.closed = true};
        const auto part = bytes.first(std::min(bytes.size(), world_->largest_transfer));
        auto& way = socket.cable_->bytes[1 - socket.side_];
        way.insert(way.end(), part.begin(), part.end());
        return {.bytes = part.size()};
    }
    [[nodiscard]] std::int64_t now_ns() const { return world_->now_ns; }

  private:
    World* world_;
};

}  // namespace damrak::testing
