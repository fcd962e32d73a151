// The input side of the pipeline: reads frames of the binary protocol from memory, decodes and
// checks each as the server's session does, stamps it, appends it to the journal if there is one,
// and writes it as a command into the ring of its instrument's shard, where it is matched without
// another copy. One thread; a frame costs some ten nanoseconds.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <damrak/base/spsc_ring.hpp>
#include <damrak/domain/command.hpp>
#include <damrak/journal/writer.hpp>
#include <damrak/lab/pipeline/run_clock.hpp>
#include <damrak/lab/pipeline/workload.hpp>
#include <damrak/wire/binary/decode.hpp>

namespace damrak::lab::pipeline {

using CommandRing = SpscRing<Command>;

/// Shard of an instrument; the number of shards is a power of two.
[[nodiscard]] constexpr std::size_t shard_of(InstrumentId instrument, std::size_t shards) {
    return instrument.value & (shards - 1);
}

class GatewayAgent {
  public:
    static constexpr std::size_t k_shards_max = 2;

    /// At most `turn` frames a step, all with the time of the step's start. `journal` may be null.
    GatewayAgent(const Workload& workload, const RunClock& clock,
                 const std::vector<CommandRing*>& shards, journal::JournalWriter* journal,
                 std::size_t turn)
        : frames_(workload.frames),
          instruments_(workload.setup.symbols),
          clock_(&clock),
          shards_(shards.size()),
          journal_(journal),
          turn_(turn) {
        DAMRAK_ASSERT(shards.size() == 1 || shards.size() == k_shards_max);
        for (std::size_t i = 0; i < shards.size(); ++i) commands_[i] = shards[i];
    }

    void on_start() {}
    std::size_t do_work(std::int64_t /*now_ns*/) {
        if (frames_.empty()) return 0;
        // Room for a whole turn, whatever its instruments.
        for (std::size_t i = 0; i < shards_; ++i)
            if (!commands_[i]->has_room(turn_)) return 0;
        const Timestamp now = clock_->now();
        if (first_.value == 0) first_ = now;
        std::array<std::size_t, k_shards_max> written{};
        std::size_t taken = 0;
        while (taken < turn_ && !frames_.empty() && take_frame(now, written)) ++taken;
        for (std::size_t i = 0; i < shards_; ++i)
            if (written[i] > 0) commands_[i]->publish(written[i]);
        return taken;
    }
    void on_close() {}

    /// When the first frame was read.
    [[nodiscard]] Timestamp first() const { return first_; }
    /// Frames that were not valid orders.
    [[nodiscard]] std::uint64_t refused() const { return refused_; }

  private:
    using Requests = wire::binary::MessageList<wire::binary::NewOrder, wire::binary::CancelOrder>;
    using Written = std::array<std::size_t, k_shards_max>;

    // False: try again later, the journal's next file is not ready.
    bool take_frame(Timestamp now, Written& written) {
        namespace binary = wire::binary;
        if (journal_ != nullptr && journal_->claim() == nullptr) [[unlikely]]
            return false;
        const binary::Scan found = binary::scan(frames_);
        if (!found.complete || found.header.version != binary::Version::v2) [[unlikely]] {
            ++refused_;
            frames_ = {};  // the rest cannot be framed
            return true;
        }
        const auto payload = frames_.subspan(binary::k_header_length, found.header.payload_length);
        frames_ = frames_.subspan(found.frame_length());
        bool sound = false;
        const binary::Fault fault = binary::visit<binary::Version::v2>(
            Requests{}, found.header.type, payload, [&](const auto& message) {
                sound = is_known(message.client_id, message.instrument) && is_sound(message);
                if (sound) write(message, now, written);
            });
        if (fault != binary::Fault::none || !sound) [[unlikely]]
            ++refused_;
        return true;
    }

    [[nodiscard]] bool is_known(wire::binary::ClientId client, InstrumentId instrument) const {
        return client.value - 1 < Workload::k_clients && instrument.value - 1 < instruments_;
    }
    [[nodiscard]] static bool is_sound(const wire::binary::NewOrder& order) {
        const auto quantity = wire::binary::quantity_of(order.quantity);
        const auto price = wire::binary::price_of(order.price_e2);
        // Good till cancelled; limit orders need a price, market orders must have none.
        return order.side <= 1 && order.order_type <= 1 && order.time_in_force == 0 && quantity &&
               quantity->value > 0 && price && (order.order_type == 0) == (price->value > 0);
    }
    [[nodiscard]] static bool is_sound(const wire::binary::CancelOrder& /*cancel*/) { return true; }

    template <class M>
    void write(const M& message, Timestamp now, Written& written) {
        const std::size_t shard = shard_of(message.instrument, shards_);
        Command& command = *commands_[shard]->claim(written[shard]++);
        command = {};
        command.timestamp = now;
        command.instrument = message.instrument;
        command.participant = {static_cast<std::uint32_t>(message.client_id.value)};
        command.client_order_id = message.client_order_id;
        fill(command, message);
        if (journal_ != nullptr) keep(command);
    }
    static void fill(Command& command, const wire::binary::NewOrder& order) {
        command.kind = CommandKind::new_order;
        command.side = static_cast<Side>(order.side);
        command.order_type = static_cast<OrderType>(order.order_type);
        command.time_in_force = TimeInForce::gtc;
        command.price = *wire::binary::price_of(order.price_e2);
        command.quantity = *wire::binary::quantity_of(order.quantity);
    }
    static void fill(Command& command, const wire::binary::CancelOrder& cancel) {
        command.kind = CommandKind::cancel_order;
        command.order_id = cancel.order_id;
    }
    void keep(const Command& command) {
        journal::Record& record = *journal_->claim();
        record.command = command;
        record.head.session = command.participant.value;
        record.head.inbound_sequence = command.client_order_id.value;
        journal_->publish();
    }

    std::span<const std::byte> frames_;
    std::uint32_t instruments_;
    const RunClock* clock_;
    std::array<CommandRing*, k_shards_max> commands_{};
    std::size_t shards_;
    journal::JournalWriter* journal_;
    std::size_t turn_;
    Timestamp first_{};
    std::uint64_t refused_ = 0;
};

}  // namespace damrak::lab::pipeline
