// No message of the binary protocol allocates: bytes in, engine, bytes out.
#include <damrak/session/binary_session.hpp>

#include <array>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include <damrak/engine/engine.hpp>
#include <damrak/gateway/binary/order_names.hpp>

#include "allocation_counter.hpp"
#include "support/commands.hpp"
#include "support/recorded_engine.hpp"

namespace damrak::binary_session_test {
namespace {

using namespace wire::binary;

/// A client whose commands are applied at once.
class Gateway {
  public:
    explicit Gateway(const session::BinaryRules& rules)
        : output_(output_memory_), session_(*this, output_, rules, SessionId{1}, ClientId{1}) {
        engine_.apply(instrument_command(1));
    }

    std::size_t receive(std::span<const std::byte> bytes) {
        const session::Received got = session_.receive(bytes, Timestamp{1});
        DAMRAK_ASSERT(got.consumed_bytes == bytes.size());
        const std::size_t answered = output_.readable().size();
        output_.consume(answered);
        return answered;
    }

    void submit(const Command& command, const Origin& origin) {
        cause_ = origin;
        // Another participant takes the other side, so that there are trades.
        if (command.kind == CommandKind::new_order && command.quantity.value == 7) {
            Command other = command;
            other.side = opposite(command.side);
            other.participant = ParticipantId{2};
            engine_.apply(other);
        }
        if (command.kind < CommandKind::session_opened) engine_.apply(command);
        session_.on_command_end(origin);
    }
    [[nodiscard]] bool ready() const { return true; }
    [[nodiscard]] std::expected<ParticipantId, session::binary::HelloStatus> authenticate(
        SessionId, std::span<const std::byte>) {
        return ParticipantId{1};
    }
    [[nodiscard]] bool has_instrument(InstrumentId id) const { return id == InstrumentId{1}; }
    [[nodiscard]] static bool below_zero(InstrumentId /*id*/) { return false; }
    [[nodiscard]] ClientOrderId client_order_id(OrderId id) const {
        return names_.client_order_id(id);
    }
    void on_event(const Event& event) {
        if (event.participant == ParticipantId{1}) session_.on_event(event, cause_, {});
        names_.on_event(event, cause_);
        last_order_ = event.order_id;
    }
    [[nodiscard]] OrderId last_order() const { return last_order_; }

  private:
    static EngineConfig small() {
        EngineConfig config;
        config.maximum_participants = 2;
        config.maximum_orders = 1'000;
        config.maximum_extensions = 10;
        config.maximum_accounts = 10;
        config.maximum_levels = 100;
        config.maximum_ladder_nodes = 100;
        return config;
    }

    std::array<std::byte, 4'096> output_memory_{};
    session::OutputBuffer output_;
    session::BinarySession<Gateway> session_;
    EngineInto<Gateway> engine_{small(), *this};
    gateway::binary::OrderNames names_{EngineConfig{.maximum_orders = 1'000}};
    Origin cause_{};
    OrderId last_order_{};
};

class BinaryAllocation : public ::testing::TestWithParam<Version> {};

TEST_P(BinaryAllocation, NoMessageAllocates) {
    const Version version = GetParam();
    const session::BinaryRules rules{.messages_per_second = 1'000'000, .burst_messages = 1'000'000};
    Gateway gateway{rules};
    std::array<std::byte, 128> memory{};
    std::uint32_t sequence = 0;
    std::size_t answered = 0;
    const auto send = [&](const auto& message) {
        const std::size_t length = encode(version, {.client = ++sequence}, message, memory);
        answered += gateway.receive(std::span{memory}.first(length));
    };
    const testing::AllocationCounter counter;
    send(Hello{});
    for (std::uint64_t round = 0; round < 1'000; ++round) {
        NewOrder order{.client_id = ClientId{1},
                       .client_order_id = ClientOrderId{round + 1},
                       .instrument = InstrumentId{1},
                       .side = static_cast<std::uint8_t>(round % 2),
                       .quantity = 7,
                       .price_e2 = 100};
        send(order);
        order.quantity = 5;
        order.side = 0;
        order.price_e2 = 50;
        send(order);
        const OrderId resting = gateway.last_order();
        send(ModifyOrder{ClientId{1}, resting, order.client_order_id, 4, 50, InstrumentId{1}});
        send(CancelOrder{ClientId{1}, resting, order.client_order_id, InstrumentId{1}});
        order.quantity = 0;
        send(order);
    }
    send(Logout{ClientId{1}});
    EXPECT_EQ(counter.news(), 0);
    EXPECT_EQ(counter.malloc_bytes(), 0);
    const auto whole = [&]<class M>() { return frame_length<M>(version); };
    EXPECT_EQ(
        answered,
        whole.template operator()<HelloAck>() + whole.template operator()<LogoutAck>() +
            1'000 *
                (3 * whole.template operator()<OrderAck>() + whole.template operator()<Trade>() +
                 whole.template operator()<ModifyAck>() + whole.template operator()<CancelAck>()));
}

INSTANTIATE_TEST_SUITE_P(Versions, BinaryAllocation, ::testing::Values(Version::v1, Version::v2),
                         [](const auto& test) { return test.param == Version::v1 ? "V1" : "V2"; });

}  // namespace
}  // namespace damrak::binary_session_test
