#include "support/binary_exchange.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "support/commands.hpp"

namespace damrak {
template class session::BinarySession<testing::BinaryExchange>;
}  // namespace damrak

namespace damrak::testing {

using namespace wire::binary;

namespace {

EngineConfig small() {
    EngineConfig config;
    config.maximum_instruments = 4;
    config.maximum_participants = 64;
    config.maximum_orders = 10'000;
    config.maximum_extensions = 1'000;
    config.maximum_accounts = 256;
    config.maximum_levels = 1'000;
    config.maximum_ladder_nodes = 1'000;
    return config;
}

// Negative prices are in two's complement.
std::int64_t signed_of(std::uint64_t price_e2) { return static_cast<std::int64_t>(price_e2); }

struct Speaker {
    std::string operator()(const HelloAck& m) const {
        return fmt::format("hello_ack {}", m.status);
    }
    std::string operator()(const LogoutAck& m) const {
        return fmt::format("logout_ack {}", m.status);
    }
    std::string operator()(const SessionTimeout& m) const {
        return fmt::format("session_timeout at {}", m.server_time_us);
    }
    std::string operator()(const OrderAck& m) const {
        return fmt::format("order_ack {} #{} {}@{}{}", m.status, m.order_id.value, m.quantity,
                           signed_of(m.price_e2), named(m.client_order_id));
    }
    std::string operator()(const CancelAck& m) const {
        return fmt::format("cancel_ack {} #{}{}", m.status, m.order_id.value,
                           named(m.client_order_id));
    }
    std::string operator()(const ModifyAck& m) const {
        return fmt::format("modify_ack {} #{} now #{} {}@{}{}", m.status, m.old_order_id.value,
                           m.new_order_id.value, m.quantity, signed_of(m.price_e2),
                           named(m.client_order_id));
    }
    std::string operator()(const Trade& m) const {
        return fmt::format("trade {} #{} {}@{}{}", m.trade_id, m.order_id.value, m.quantity,
                           signed_of(m.price_e2), named(m.client_order_id));
    }
    std::string operator()(const QuoteAck& m) const {
        return fmt::format("quote_ack {} #{} {} #{} {} {}{}", m.status, m.bid_order_id.value,
                           m.bid_quantity, m.ask_order_id.value, m.ask_quantity,
                           name(Reason{m.reason}), named(m.client_order_id));
    }
    std::string operator()(const QuoteProtectionAck& m) const {
        return fmt::format("quote_protection_ack {} {}", m.status, name(Reason{m.reason}));
    }
    std::string operator()(const OrderChanged& m) const {
        return fmt::format("order_changed {} #{} lost {}, open {} {}{}", m.change, m.order_id.value,
                           m.lost_quantity, m.quantity, name(Reason{m.reason}),
                           named(m.client_order_id));
    }
    std::string operator()(const Error& m) const { return fmt::format("error {}", m.code); }
    std::string operator()(const auto&) const { return "a request"; }

    static std::string named(ClientOrderId id) {
        return id ? fmt::format(" named {}", id.value) : "";
    }
};

template <class F>
void for_each_frame(std::span<const std::byte> bytes, F&& f) {
    while (!bytes.empty()) {
        const Scan found = scan(bytes);
        DAMRAK_ASSERT(found.complete);
        f(found.header, bytes.first(found.frame_length()));
        bytes = bytes.subspan(found.frame_length());
    }
}

std::string text_of(const Header& header, std::span<const std::byte> frame) {
    const auto message = decode(header, frame.subspan(k_header_length));
    return message ? std::visit(Speaker{}, *message) : describe(message.error());
}

}  // namespace

BinaryClient::BinaryClient(BinaryExchange& exchange, std::uint64_t id, Version version)
    : exchange_(&exchange),
      version_(version),
      memory_(exchange.options().output_bytes),
      output_(memory_),
      session_(exchange, output_, exchange.options().rules, SessionId{id}, ClientId{id}) {}

void BinaryClient::send_bytes(std::span<const std::byte> bytes) {
    append(input_, bytes);
    feed();
}

void BinaryClient::feed() {
    for (;;) {
        const session::Received got = session_.receive(input_, exchange_->now);
        input_.erase(input_.begin(),
                     input_.begin() + static_cast<std::ptrdiff_t>(got.consumed_bytes));
        if (got.messages == 0) return;
    }
}

void BinaryClient::hello(std::optional<std::uint32_t> sequence) {
    ApiKey key;
    key.fill(std::byte{0x22});
    send(Hello{version_ == Version::v1 ? key : ApiKey{}}, sequence);
}
void BinaryClient::logout(std::optional<std::uint32_t> sequence) {
    send(Logout{session_.client_id()}, sequence);
}
NewOrder BinaryClient::order_of(std::uint8_t side, std::uint64_t quantity, std::uint64_t price_e2) {
    return {.client_id = session_.client_id(),
            .client_order_id = ClientOrderId{version_ == Version::v2 ? ++orders_ : 0},
            .instrument = InstrumentId{1},
            .side = side,
            .quantity = quantity,
            .price_e2 = price_e2,
            .good_till_us = ~std::uint64_t{0}};
}
void BinaryClient::order(std::uint8_t side, std::uint64_t quantity, std::uint64_t price_e2) {
    send(order_of(side, quantity, price_e2));
}
void BinaryClient::cancel(std::uint64_t order_id, std::optional<std::uint32_t> sequence) {
    send(CancelOrder{session_.client_id(), OrderId{order_id}, {}, InstrumentId{1}}, sequence);
}
void BinaryClient::modify(std::uint64_t order_id, std::uint64_t quantity, std::uint64_t price_e2,
                          std::optional<std::uint32_t> sequence) {
    send(
        ModifyOrder{
            session_.client_id(), OrderId{order_id}, {}, quantity, price_e2, InstrumentId{1}},
        sequence);
}

Bytes BinaryClient::heard_bytes() {
    const auto readable = output_.readable();
    Bytes bytes(readable.begin(), readable.end());
    output_.consume(bytes.size());
    return bytes;
}
std::vector<std::string> BinaryClient::heard_hex() {
    std::vector<std::string> lines;
    for_each_frame(heard_bytes(), [&](const Header&, std::span<const std::byte> frame) {
        std::string& line = lines.emplace_back();
        for (std::size_t i = 0; i < frame.size(); ++i)
            line += fmt::format("{}{:02x}", i > 0 && i % 4 == 0 ? " " : "",
                                std::to_integer<unsigned>(frame[i]));
    });
    return lines;
}
std::vector<std::string> BinaryClient::heard() {
    std::vector<std::string> lines;
    for_each_frame(heard_bytes(), [&](const Header& header, std::span<const std::byte> frame) {
        lines.push_back(text_of(header, frame));
    });
    return lines;
}
std::vector<std::string> BinaryClient::heard_with_numbers() {
    std::vector<std::string> lines;
    for_each_frame(heard_bytes(), [&](const Header& header, std::span<const std::byte> frame) {
        lines.push_back(fmt::format("{}/{} {}", header.client_sequence, header.server_sequence,
                                    text_of(header, frame)));
    });
    return lines;
}

BinaryExchange::BinaryExchange(Options options)
    : options_(std::move(options)), engine_(small(), *this), names_(small()) {
    for (std::uint32_t id = 1; id <= 2; ++id) apply(instrument_command(id));
}

BinaryClient& BinaryExchange::connect(Version version) {
    connected_.push_back(true);
    return *clients_.emplace_back(
        std::make_unique<BinaryClient>(*this, clients_.size() + 1, version));
}

BinaryClient& BinaryExchange::entered(Version version) {
    BinaryClient& client = connect(version);
    client.hello();
    heard(client);
    return client;
}

std::vector<std::string> BinaryExchange::heard(BinaryClient& client) {
    run();
    return client.heard();
}

void BinaryExchange::disconnect(BinaryClient& client) {
    client.session().close();
    connected_[client.session().id().value - 1] = false;
    run();
}

void BinaryExchange::submit(const Command& command, const Origin& origin) {
    queue_.push_back({command, origin});
    if (!options_.deferred) run();
}

void BinaryExchange::apply(const Command& command) {
    queue_.push_back({command, {}});
    run();
}

void BinaryExchange::run() {
    do {
        apply_queued();
        // Answers may let sessions continue with their unread input.
        for (std::size_t i = 0; i < clients_.size(); ++i)
            if (options_.deferred && connected_[i]) clients_[i]->feed();
    } while (!queue_.empty());
}

void BinaryExchange::apply_queued() {
    while (!queue_.empty()) {
        Queued next = queue_.front();
        queue_.pop_front();
        next.command.timestamp = now;
        journal_.push_back(next.command);
        const CommandStamp stamp{SequenceNumber{++sequence_}, now};
        if (next.command.kind < CommandKind::session_opened) engine_.apply(next.command);
        deliver(next.origin, stamp);
    }
}

void BinaryExchange::deliver(const Origin& cause, const CommandStamp& stamp) {
    // Sessions may submit more commands while they receive reports; keep those events separate.
    for (const Event& event : std::exchange(events_, {})) {
        const bool by_order = event.kind == EventKind::executed || unasked_(event);
        BinaryClient* const to = connected(by_order ? names_.owner(event.order_id) : cause.session);
        if (to != nullptr) to->session().on_event(event, cause, stamp);
        names_.on_event(event, cause);
    }
    if (BinaryClient* const asker = connected(cause.session))
        asker->session().on_command_end(cause);
}

BinaryClient* BinaryExchange::connected(SessionId id) {
    return id && connected_[id.value - 1] ? clients_[id.value - 1].get() : nullptr;
}

std::expected<ParticipantId, session::binary::HelloStatus> BinaryExchange::authenticate(
    SessionId session, std::span<const std::byte> key) {
    if (options_.api_keys.empty()) return ParticipantId{static_cast<std::uint32_t>(session.value)};
    ApiKey full{};
    if (key.size() == full.size()) std::ranges::copy(key, full.begin());
    const auto found = options_.api_keys.find(full);
    if (key.size() != full.size() || found == options_.api_keys.end())
        return std::unexpected{session::binary::HelloStatus::invalid_api_key};
    return found->second;
}

}  // namespace damrak::testing
