#include "support/udp_exchange.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include <damrak/sequencer/restart.hpp>
#include <damrak/standard_exchange/gateway_states.hpp>
#include <damrak/wire/packet/encode.hpp>

namespace damrak {
template class gateway::udp::UdpGateway<testing::MemoryPath, testing::UdpExchange::ClockView,
                                        testing::UdpExchange>;
}  // namespace damrak

namespace damrak::testing {

using namespace wire::packet;  // NOLINT(google-build-using-namespace): one protocol here

UdpSender::UdpSender(UdpExchange& exchange, std::uint16_t port, bool ipv6)
    : exchange_(&exchange),
      end_{.link = {2, 0, 0, 0, 0, static_cast<std::uint8_t>(port)},
           .address = {10, 0, 0, 1},
           .port = port} {
    if (ipv6)
        end_ = {.link = {7},  // the number of a network interface
                .port = port,
                .address6 = {0xfe, 0x80, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8}};
}

SessionId UdpSender::session() const { return gateway::udp::detail::session_of(end_); }

void UdpSender::send(Order order, Format format) {
    order.sequence = ++sequence;
    send_as_numbered(order, format);
}

void UdpSender::send_as_numbered(const Order& order, Format format) {
    if (format == Format::extended) {
        Bytes bytes(HeaderLayout::k_request_length + OrderLayout::k_length);
        const std::size_t used =
            encode(Header{.count = 1, .sequence = order.sequence, .key = key}, bytes);
        encode_extended(order, std::span{bytes}.subspan(used));
        return send_bytes(bytes);
    }
    Bytes bytes(format == Format::packed ? Packed::k_length : Words::k_length);
    encode_public(format, order, bytes);
    send_bytes(bytes);
}

void UdpSender::send(const std::vector<Order>& orders) {
    Bytes bytes(HeaderLayout::k_request_length + orders.size() * OrderLayout::k_length);
    std::size_t used = encode(Header{.count = static_cast<std::uint16_t>(orders.size()),
                                     .sequence = sequence + 1,
                                     .key = key},
                              bytes);
    sequence += static_cast<std::uint32_t>(orders.size());
    for (const Order& order : orders)
        used += encode_extended(order, std::span{bytes}.subspan(used));
    send_bytes(bytes);
}

void UdpSender::begin(std::uint32_t sequence_behind) {
    Bytes bytes(HeaderLayout::k_request_length);
    encode(Header{.kind = Kind::begin, .sequence = sequence_behind, .key = key}, bytes);
    sequence = sequence_behind;
    send_bytes(bytes);
}

void UdpSender::send_bytes(const Bytes& bytes) {
    exchange_->wire().incoming.push_back({.end = end_, .bytes = bytes});
}

std::vector<Bytes> UdpSender::heard_bytes() {
    std::vector<Bytes> mine;
    auto& sent = exchange_->wire().sent;
    for (MemoryWire::Parcel& parcel : sent)
        if (parcel.end == end_) mine.push_back(std::move(parcel.bytes));
    std::erase_if(sent, [this](const MemoryWire::Parcel& one) { return one.end == end_; });
    return mine;
}

std::vector<std::string> UdpSender::heard() {
    constexpr std::array<std::string_view, 7> k_kinds{
        "", "accepted", "rejected", "executed", "cancelled", "modified", "begun"};
    std::vector<std::string> lines;
    for (const Bytes& bytes : heard_bytes()) {
        if (Trade trade; decode_trade(bytes, trade) == Fault::none) {
            lines.push_back(fmt::format("trade {} {} {}@{}", trade.bid, trade.ask, trade.quantity,
                                        trade.price_e2));
            continue;
        }
        const Scan found = scan_replies(bytes);
        if (found.fault != Fault::none) {
            lines.push_back(fmt::format("fault {}", name(found.fault)));
            continue;
        }
        missed_ += found.header.sequence - replies_ - 1;
        replies_ = found.header.sequence - 1 + found.header.count;
        for (std::size_t i = 0; i < found.header.count; ++i) {
            Reply reply;
            if (decode_reply(bytes, i, reply) != Fault::none) {
                lines.emplace_back("fault");
                continue;
            }
            lines.push_back(fmt::format("{} {} {} {}@{} left {}", reply.sequence,
                                        k_kinds.at(static_cast<std::size_t>(reply.kind)),
                                        reply.name.value, reply.quantity, reply.price_e2,
                                        reply.remaining));
            if (reply.reason != 0) lines.back() += fmt::format(" reason {}", reply.reason);
        }
    }
    return lines;
}

EngineConfig UdpExchangeOptions::small_engine() {
    EngineConfig config;
    config.maximum_instruments = 4;
    config.maximum_participants = 100;
    config.maximum_accounts = 400;
    config.maximum_orders = 20'000;
    return config;
}

UdpExchange::UdpExchange(Options options)
    : options_(std::move(options)),
      engine_(options_.engine, *this),
      participants_(options_.engine) {
    gateway_ =
        std::make_unique<Gateway>(Gateway::Setup{.config = options_.gateway, .clock = {&clock}},
                                  gateway::House{options_.engine, participants_, probe_});
    if (options_.journal.empty()) {
        for (std::uint32_t id = 1; id <= 2; ++id) {
            Command add{};
            add.kind = CommandKind::add_instrument;
            add.instrument = InstrumentId{id};
            const InstrumentDefinition usual;
            add.definition = {.symbol = Symbol::of(id == 1 ? "ONE" : "TWO"),
                              .tick_size = Price{100},
                              .maximum_price = usual.maximum_price,
                              .lot_size = usual.lot_size,
                              .maximum_quantity = usual.maximum_quantity,
                              .price_decimals = 4};
            apply(add);
        }
    } else {
        go_on_behind(options_.journal);
    }
    participants_.note_given_out(last_participant_);
    gateway_->attach(*this);
    gateway_->open(MemoryPath{wire_});
}

// Like a restart: adopts a state built only from records.
void UdpExchange::go_on_behind(const std::vector<journal::Record>& journal) {
    const auto state = std::make_unique<standard_exchange::ExchangeState<>>(options_.engine);
    state->apply(journal);
    sequencer::load_bytes(engine_, sequencer::bytes_of(state->engine()));
    sequencer::load_bytes(gateway_->clients(),
                          sequencer::bytes_of(state->gateway<gateway::udp::UdpClients>()));
    last_participant_ = state->progress().last_participant();
    journal_ = journal;
}

UdpSender& UdpExchange::sender(std::uint16_t port, bool ipv6) {
    auto& place = senders_[port];
    if (!place) place = std::make_unique<UdpSender>(*this, port, ipv6);
    return *place;
}

void UdpExchange::turn() {
    gateway_->poll(0);
    while (!queue_.empty()) {
        const Queued next = queue_.front();
        queue_.pop_front();
        apply(next);
    }
    if (durable_now == journal::DurableState::all) gateway_->flush();
}

void UdpExchange::run() {
    for (int turns = 0; turns < 10'000; ++turns) {
        turn();
        if (wire_->incoming.empty() && queue_.empty() && !gateway_->busy()) return;
    }
}

bool UdpExchange::submit(const Command& command, const Origin& origin, Timestamp now) {
    Queued queued{command, origin};
    queued.command.timestamp = now;
    if (options_.deferred) {
        queue_.push_back(queued);
    } else {
        apply(queued);
    }
    return true;
}

void UdpExchange::apply(const Command& command) {
    Queued queued{command, {}};
    queued.command.timestamp = Timestamp{clock.ns};
    apply(queued);
}

void UdpExchange::apply(const Queued& queued) {
    const Command& command = queued.command;
    keep(command, queued.origin);
    events_.clear();
    if (command.kind < CommandKind::session_opened) engine_.apply(command);
    const CommandStamp stamp{SequenceNumber{journal_.size()}, command.timestamp};
    const std::vector<Event> events = std::exchange(events_, {});
    for (const Event& event : events) gateway_->on_event(event, queued.origin, stamp);
    if (gateway_of(queued.origin.session) == gateway::udp::k_udp_gateway)
        gateway_->on_command_end(queued.origin);
}

void UdpExchange::keep(const Command& command, const Origin& origin) {
    journal::Record record{};
    record.head.kind = std::to_underlying(command.kind);
    record.head.sequence = journal_.size() + 1;
    record.head.session = origin.session.value;
    record.head.inbound_sequence = origin.inbound_sequence;
    record.head.tag = origin.tag.bytes;
    record.command = command;
    journal_.push_back(record);
}

std::size_t UdpExchange::commands(CommandKind kind) const {
    return static_cast<std::size_t>(std::ranges::count_if(
        journal_, [kind](const journal::Record& one) { return one.command.kind == kind; }));
}

}  // namespace damrak::testing
