// Passes any datagrams to the receiver of a MoldUDP64 feed, at any times, with snapshots in
// between. Messages must arrive in order within a session, each at most once, and the receiver must
// request only missing ones.
//
// A step: a byte for the action and the elapsed time, a byte for the length of a datagram, and the
// datagram.
#include <damrak/client/itch/feed_arbiter.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include <damrak/base/assert.hpp>

#include "support/fuzz_input.hpp"
#include "support/fuzz_target.hpp"

namespace damrak::fuzz_feed_arbiter {

namespace {

using namespace damrak::client;  // NOLINT(google-build-using-namespace): its own
using damrak::wire::moldudp::SessionName;

struct Handler {
    std::uint64_t last = 0;  ///< number of the last message
    bool has_session = false;

    void on_session(const SessionName& /*session*/) {
        last = 0;
        has_session = true;
    }
    void on_message(std::uint64_t number, std::span<const std::byte> /*message*/) {
        DAMRAK_ASSERT(has_session && number > last);
        last = number;
    }
    void on_end_of_session() const { DAMRAK_ASSERT(has_session); }
};

void check(FeedArbiter<Handler>& arbiter, Handler& handler, damrak::Timestamp now) {
    DAMRAK_ASSERT(!handler.has_session || handler.last < arbiter.next());
    const auto request = arbiter.next_request(now);
    if (!request) return;
    DAMRAK_ASSERT(request->session == arbiter.session() && request->sequence == arbiter.next());
    DAMRAK_ASSERT(request->count > 0 && request->count <= arbiter.missing());
    DAMRAK_ASSERT(!arbiter.next_request(now));
}

}  // namespace

DAMRAK_FUZZ_TARGET(feed_arbiter)(const std::uint8_t* data, std::size_t size) {
    damrak::testing::FuzzInput input{std::as_bytes(std::span{data, size})};
    Handler handler;
    FeedArbiter<Handler> arbiter{
        handler,
        {.packets = 1 + input.byte() % 8U, .attempts = 2, .waits_for_join = input.byte() % 2 == 1}};
    damrak::Timestamp now{};
    while (!input.empty()) {
        const unsigned what = input.byte();
        now.value += std::int64_t{what / 4} * 1'000'000;
        if (what % 4 == 3 && arbiter.session()) {
            const std::uint64_t next = arbiter.next() + input.byte();
            handler.last = 0;
            arbiter.join(*arbiter.session(), next, now);
        } else {
            arbiter.on_datagram(input.take(input.byte()), now);
        }
        check(arbiter, handler, now);
    }
    return 0;
}

}  // namespace damrak::fuzz_feed_arbiter
