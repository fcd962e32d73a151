// Two clients send any bytes, in pieces, to sessions around the real engine. Answers must always be
// whole messages with consecutive numbers, and independent of how the bytes were split. The first
// byte selects the rules; then each step begins with a byte that selects the client and its action:
// send raw bytes, send a frame with a corrected header, wait, or leave.
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include <damrak/base/assert.hpp>
#include <damrak/base/byte_order.hpp>

#include "support/binary_exchange.hpp"
#include "support/fuzz_input.hpp"
#include "support/fuzz_target.hpp"

namespace damrak::fuzz_binary_session {

namespace {

using namespace damrak;           // NOLINT(google-build-using-namespace): its own
using namespace damrak::testing;  // NOLINT(google-build-using-namespace)
using wire::binary::Version;

BinaryExchangeOptions options_of(unsigned choice) {
    BinaryExchangeOptions options;
    options.rules.cancel_on_disconnect = (choice & 1U) != 0;
    options.rules.cancel_on_logout = (choice & 2U) != 0;
    if ((choice & 4U) != 0) options.rules.messages_per_second = 1'000;
    options.rules.burst_messages = 5;
    if ((choice & 8U) != 0) options.output_bytes = 512;
    options.deferred = (choice & 16U) != 0;
    if ((choice & 32U) != 0) options.queue_commands = 3;
    return options;
}

class World {
  public:
    World(unsigned choice, bool byte_by_byte)
        : exchange_(options_of(choice)), byte_by_byte_(byte_by_byte) {
        const Version version = (choice & 64U) != 0 ? Version::v2 : Version::v1;
        for (Side& side : sides_) side.client = &exchange_.connect(version);
    }

    void step(FuzzInput& input) {
        const unsigned what = input.byte();
        Side& side = sides_[what & 1U];
        switch (what >> 1U & 3U) {
            case 0:
                send(side, input.take(input.byte()));
                break;
            case 1:
                send_frame(side, input.take(16 + (input.byte() & 63U)));
                break;
            case 2:
                exchange_.now += Timestamp{std::int64_t{input.byte()} * 10'000};
                break;
            default:
                if (!std::exchange(side.gone, true)) exchange_.disconnect(*side.client);
                break;
        }
        exchange_.run();
        for (Side& each : sides_) listen(each);
    }

    void finish() {
        exchange_.engine().check_invariants();
        for (const Side& side : sides_)
            if (!side.gone) DAMRAK_ASSERT(side.client->session().pending() == 0);
    }
    [[nodiscard]] const Bytes& heard(std::size_t side) const { return sides_[side].heard; }

  private:
    struct Side {
        BinaryClient* client = nullptr;
        Bytes heard;
        std::uint32_t answers = 0;
        bool gone = false;
    };

    void send(const Side& side, std::span<const std::byte> bytes) const {
        if (side.gone) return;
        if (!byte_by_byte_) return side.client->send_bytes(bytes);
        for (std::size_t i = 0; i < bytes.size(); ++i) side.client->send_bytes(bytes.subspan(i, 1));
    }
    void send_frame(const Side& side, std::span<const std::byte> bytes) const {
        using namespace wire::binary;
        if (bytes.size() < k_header_length) return;
        Bytes frame(bytes.begin(), bytes.end());
        store_be(frame.data() + k_payload_length_offset,
                 static_cast<std::uint16_t>(frame.size() - k_header_length));
        if (side.client->session().version() != Version::none)
            frame[k_version_offset] = static_cast<std::byte>(side.client->session().version());
        send(side, frame);
    }
    void listen(Side& side) {
        const Bytes bytes = side.client->heard_bytes();
        append(side.heard, bytes);
        for (std::span<const std::byte> rest{bytes}; !rest.empty();) {
            const auto found = wire::binary::scan(rest);
            DAMRAK_ASSERT(found.complete);
            const auto payload =
                rest.subspan(wire::binary::k_header_length, found.header.payload_length);
            DAMRAK_ASSERT(wire::binary::decode(found.header, payload).has_value());
            DAMRAK_ASSERT(found.header.server_sequence == ++side.answers);
            rest = rest.subspan(found.frame_length());
        }
    }

    BinaryExchange exchange_;
    std::array<Side, 2> sides_;
    bool byte_by_byte_;
};

}  // namespace

DAMRAK_FUZZ_TARGET(binary_session)(const std::uint8_t* data, std::size_t size) {
    FuzzInput input{std::as_bytes(std::span{data, size})};
    const unsigned choice = input.byte();
    World whole{choice, false};
    World cut{choice, true};
    for (int step = 0; step < 200 && !input.empty(); ++step) {
        FuzzInput same = input;
        whole.step(input);
        cut.step(same);
    }
    whole.finish();
    cut.finish();
    for (const std::size_t side : {0U, 1U}) DAMRAK_ASSERT(whole.heard(side) == cut.heard(side));
    return 0;
}

}  // namespace damrak::fuzz_binary_session
