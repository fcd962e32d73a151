// The client's side of a MiniExchange connection (docs/protocols/binary.md), without I/O. Writes
// numbered requests into the caller's memory, and turns the exchange's bytes into calls of a
// handler.
//
//   BinaryClient client;
//   send(memory.first(client.hello(memory)));
//   ... client.receive(bytes, handler);      the handler's on_hello() comes
//   send(memory.first(client.new_order(memory, {.instrument = InstrumentId{1}, ...})));
//
// Used by `damrak load` and by tests, one thread a client. No allocation; a request costs its
// encoding, an answer its decoding.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include <damrak/session/binary_rules.hpp>
#include <damrak/wire/binary/decode.hpp>
#include <damrak/wire/binary/encode.hpp>

namespace damrak::client {

/// Result of receive(). A fault is the exchange's and final: the remaining bytes cannot be decoded.
struct Heard {
    std::size_t consumed_bytes = 0;  ///< the rest is part of a message: pass it again
    std::size_t messages = 0;
    wire::binary::Fault fault{};
};

class BinaryClient {
  public:
    using Version = wire::binary::Version;
    using Bytes = std::span<std::byte>;

    /// Memory of this size holds any request of either version.
    static constexpr std::size_t k_largest_request_bytes = 80;

    explicit BinaryClient(Version version = Version::v1) : version_(version) {}

    // Each writes one request, fills in the client id, and returns the length.
    std::size_t hello(Bytes to, const wire::binary::ApiKey& key = {}) {
        return request(wire::binary::Hello{key}, to);
    }
    std::size_t logout(Bytes to) { return request(wire::binary::Logout{client_id_}, to); }
    std::size_t new_order(Bytes to, wire::binary::NewOrder order) {
        order.client_id = client_id_;
        return request(order, to);
    }
    /// `tail` additional zero bytes make it the long form of version 1.
    std::size_t cancel(Bytes to, wire::binary::CancelOrder cancel, std::size_t tail = 0) {
        cancel.client_id = client_id_;
        return request(cancel, to, tail);
    }
    std::size_t modify(Bytes to, wire::binary::ModifyOrder modify) {
        modify.client_id = client_id_;
        return request(modify, to);
    }
    /// Version 2 only, as the next two.
    std::size_t linked_order(Bytes to, wire::binary::LinkedOrder order) {
        order.client_id = client_id_;
        return request(order, to);
    }
    std::size_t quote(Bytes to, wire::binary::Quote quote) {
        quote.client_id = client_id_;
        return request(quote, to);
    }
    std::size_t quote_protection(Bytes to, wire::binary::QuoteProtection protection) {
        protection.client_id = client_id_;
        return request(protection, to);
    }
    /// Version 1 only; uses no sequence number and gets no answer.
    std::size_t heartbeat(Bytes to) {
        return encode(version_, {.client = sequence_, .server = server_sequence_},
                      wire::binary::Heartbeat{client_id_}, to);
    }

    /// Calls the handler for each message, in order, with header and message: `on_hello`,
    /// `on_logout`, `on_order_ack`, `on_cancel_ack`, `on_modify_ack`, `on_trade`, `on_error`,
    /// `on_timeout`. A client that quotes or links orders also has `on_quote_ack`,
    /// `on_protection_ack` and `on_order_changed`.
    template <class Handler>
    Heard receive(std::span<const std::byte> bytes, Handler& handler) {
        return version_ == Version::v1 ? receive_as<Version::v1>(bytes, handler)
                                       : receive_as<Version::v2>(bytes, handler);
    }

    /// Zero before the first accepted login.
    [[nodiscard]] wire::binary::ClientId client_id() const { return client_id_; }
    [[nodiscard]] Version version() const { return version_; }
    /// Sequence number of the last request.
    [[nodiscard]] std::uint32_t sequence() const { return sequence_; }
    /// Sequence number of the last answer.
    [[nodiscard]] std::uint32_t server_sequence() const { return server_sequence_; }

  private:
    using Answers = wire::binary::MessageList<
        wire::binary::OrderAck, wire::binary::Trade, wire::binary::CancelAck,
        wire::binary::ModifyAck, wire::binary::HelloAck, wire::binary::LogoutAck,
        wire::binary::Error, wire::binary::SessionTimeout, wire::binary::QuoteAck,
        wire::binary::QuoteProtectionAck, wire::binary::OrderChanged>;

    template <class M>
    std::size_t request(const M& message, Bytes to, std::size_t tail = 0) {
        return encode(version_, {.client = ++sequence_, .server = server_sequence_}, message, to,
                      tail);
    }

    template <Version version, class Handler>
    Heard receive_as(std::span<const std::byte> bytes, Handler& handler) {
        using namespace wire::binary;
        Heard heard;
        for (;;) {
            const auto rest = bytes.subspan(heard.consumed_bytes);
            const Scan found = scan(rest);
            heard.fault = found.fault;
            if (found.complete && found.header.version != version)
                heard.fault = Fault::unknown_version;
            if (!found.complete || heard.fault != Fault::none) return heard;
            const auto payload = rest.subspan(k_header_length, found.header.payload_length);
            server_sequence_ = found.header.server_sequence;
            heard.fault =
                visit<version>(Answers{}, found.header.type, payload,
                               [&](const auto& message) { take(handler, found.header, message); });
            if (heard.fault != Fault::none) return heard;
            heard.consumed_bytes += found.frame_length();
            heard.messages += 1;
        }
    }

    template <class Handler, class M>
    void take(Handler& handler, const wire::binary::Header& header, const M& message) {
        using namespace wire::binary;
        if constexpr (std::is_same_v<M, OrderAck>) {
            handler.on_order_ack(header, message);
        } else if constexpr (std::is_same_v<M, Trade>) {
            handler.on_trade(header, message);
        } else if constexpr (std::is_same_v<M, CancelAck>) {
            handler.on_cancel_ack(header, message);
        } else if constexpr (std::is_same_v<M, ModifyAck>) {
            handler.on_modify_ack(header, message);
        } else if constexpr (std::is_same_v<M, HelloAck>) {
            if (message.status == std::to_underlying(session::binary::HelloStatus::accepted))
                client_id_ = message.client_id;
            handler.on_hello(header, message);
        } else if constexpr (std::is_same_v<M, LogoutAck>) {
            handler.on_logout(header, message);
        } else if constexpr (std::is_same_v<M, Error>) {
            handler.on_error(header, message);
        } else if constexpr (std::is_same_v<M, SessionTimeout>) {
            handler.on_timeout(header, message);
        } else if constexpr (std::is_same_v<M, QuoteAck>) {
            if constexpr (requires { handler.on_quote_ack(header, message); })
                handler.on_quote_ack(header, message);
        } else if constexpr (std::is_same_v<M, QuoteProtectionAck>) {
            if constexpr (requires { handler.on_protection_ack(header, message); })
                handler.on_protection_ack(header, message);
        } else if constexpr (requires { handler.on_order_changed(header, message); }) {
            handler.on_order_changed(header, message);
        }
    }

    Version version_;
    wire::binary::ClientId client_id_{};
    std::uint32_t sequence_ = 0;
    std::uint32_t server_sequence_ = 0;
};

}  // namespace damrak::client
