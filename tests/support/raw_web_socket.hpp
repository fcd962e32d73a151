// A WebSocket client over a plain socket, frame by frame, as RFC 6455 describes them: it can send
// what no library would.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "support/running_server.hpp"

namespace damrak::testing {

class RawWebSocket {
  public:
    enum Opcode : std::uint8_t {
        continuation = 0,
        text = 1,
        binary = 2,
        close = 8,
        ping = 9,
        pong = 10
    };

    struct Frame {
        std::uint8_t opcode = 0;
        std::string payload;
        /// Of a close frame; zero: none.
        [[nodiscard]] unsigned close_code() const {
            if (payload.size() < 2) return 0;
            return static_cast<unsigned>(static_cast<unsigned char>(payload[0]) << 8U) |
                   static_cast<unsigned char>(payload[1]);
        }
    };

    /// `fields`: further header lines, each with its line end.
    explicit RawWebSocket(std::uint16_t port, std::string_view target = "/v1/stream",
                          std::string_view fields = {})
        : client_(port) {
        send_bytes("GET " + std::string{target} +
                   " HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
                   "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AQIDBAUGBwgJCgsMDQ4PEA==\r\n" +
                   std::string{fields} + "\r\n");
        while (!answer_.ends_with("\r\n\r\n")) {
            const Bytes byte = client_.receive(1);
            if (byte.empty()) break;
            answer_ += static_cast<char>(byte.front());
        }
    }

    /// The answer to the upgrade, with its headers.
    [[nodiscard]] const std::string& answer() const { return answer_; }
    [[nodiscard]] const RawClient& client() const { return client_; }

    void send_bytes(std::string_view bytes) const { client_.send(std::as_bytes(std::span{bytes})); }
    void send(std::string_view payload) const { send_bytes(frame(text, payload)); }
    /// A masked frame.
    [[nodiscard]] static std::string frame(std::uint8_t opcode, std::string_view payload,
                                           bool is_last = true) {
        constexpr std::string_view k_mask = "\x11\x22\x33\x44";
        std::string bytes;
        bytes += static_cast<char>(opcode | (is_last ? 0x80U : 0U));
        if (payload.size() < 126) {
            bytes += static_cast<char>(0x80U | payload.size());
        } else {
            bytes += static_cast<char>(0x80U | 126U);
            bytes += static_cast<char>(payload.size() >> 8U);
            bytes += static_cast<char>(payload.size() & 0xFFU);
        }
        bytes += k_mask;
        for (std::size_t i = 0; i < payload.size(); ++i)
            bytes += static_cast<char>(payload[i] ^ k_mask[i % k_mask.size()]);
        return bytes;
    }

    /// The next frame; nothing if the connection ends or patience is over.
    [[nodiscard]] std::optional<Frame> receive() const {
        const Bytes head = client_.receive(2);
        if (head.size() < 2) return std::nullopt;
        std::uint64_t length = std::to_integer<unsigned>(head[1]) & 0x7FU;
        if (length >= 126) {
            const Bytes more = client_.receive(length == 126 ? 2 : 8);
            length = 0;
            for (const std::byte one : more) length = length << 8U | std::to_integer<unsigned>(one);
        }
        Frame frame{.opcode = static_cast<std::uint8_t>(std::to_integer<unsigned>(head[0]) & 0xFU),
                    .payload = {}};
        const Bytes payload = client_.receive(length);
        if (payload.size() < length) return std::nullopt;
        frame.payload.assign(reinterpret_cast<const char*>(payload.data()), payload.size());
        return frame;
    }
    /// The text of the next text frame; empty if there is none. Answers pings meanwhile.
    [[nodiscard]] std::string receive_text() const {
        while (const auto next = receive()) {
            if (next->opcode == text) return next->payload;
            if (next->opcode == close) return {};
            if (next->opcode == ping) send_bytes(frame(pong, next->payload));
        }
        return {};
    }
    /// The code of the close frame, after what comes before it; zero if there is none.
    [[nodiscard]] unsigned close_code() const {
        while (const auto frame = receive())
            if (frame->opcode == close) return frame->close_code();
        return 0;
    }

  private:
    RawClient client_;
    std::string answer_;
};

}  // namespace damrak::testing
