// Two sessions, an initiator and an acceptor, over a link that breaks, delays, fragments and
// corrupts bytes, while their processes crash and restart. Every message of each application must
// arrive at the other one, once and in order. Virtual time, one seed per run.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <damrak/base/random.hpp>
#include <damrak/session/fix/memory_store.hpp>
#include <damrak/session/fix/session.hpp>

#include "support/test_size.hpp"

namespace damrak::session::fix::lossy_link_test {
namespace {

namespace tag = fix_codec::tag;
using fix_codec::BeginString;

constexpr std::int64_t k_millisecond_ns = 1'000'000;

struct Application {
    std::vector<std::string> received;

    template <class S>
    void on_logon(S& /*session*/) {}
    template <class S>
    void on_logout(S& /*session*/, Ended /*reason*/, std::string_view /*text*/) {}
    template <class S>
    Reply on_message(S& /*session*/, const fix_codec::Message& message) {
        received.emplace_back(message.text_or_empty(tag::cl_ord_id));
        return Reply::accept();
    }
};

/// A process and its connection.
struct Side {
    using FixSession = Session<Application, MemoryStore>;

    Side(const SessionSettings& chosen, std::size_t output_bytes)
        : settings(chosen), memory(output_bytes), session(make()) {}

    [[nodiscard]] std::unique_ptr<FixSession> make() {
        return std::make_unique<FixSession>(application, store, tools, settings);
    }
    void connect(Timestamp now) {
        out = OutputBuffer{memory};
        inbox.clear();
        session->connect(out, now);
    }
    void send(Timestamp now) {
        const std::string id = settings.name.sender_comp_id + std::to_string(sent.size());
        const bool kept = session->send("D", now, [&](fix_codec::MessageWriter& writer) {
            writer.put(tag::cl_ord_id, id)
                .put_char(tag::handl_inst, '1')
                .put(tag::order_qty, 100)
                .put_char(tag::ord_type, '1')
                .put_char(tag::side, '1')
                .put(tag::symbol, "INTC");
            if (settings.name.begin_string >= BeginString::fix42)
                writer.put_timestamp(tag::transact_time, now, settings.time_precision);
        });
        EXPECT_TRUE(kept);
        sent.push_back(id);
    }
    void crash() { session = make(); }

    SessionSettings settings;
    SessionTools tools;
    MemoryStore store{{.bytes = std::size_t{1} << 20U, .messages = 4'096}};
    std::vector<std::byte> memory;
    OutputBuffer out{{}};
    Application application;
    std::unique_ptr<FixSession> session;
    std::string inbox;  ///< arrived, not processed yet
    std::vector<std::string> sent;
};

class World {
  public:
    explicit World(std::uint64_t seed)
        : random_(seed),
          initiator_(settings(Role::initiator), 20'000),
          acceptor_(settings(Role::acceptor), 20'000) {}

    void run() {
        troubled_ = true;
        for (int step = 0; step < 3'000; ++step) step_on();
        troubled_ = false;
        for (int step = 0; step < 12'000; ++step) step_on();
    }
    void check() const {
        EXPECT_EQ(acceptor_.application.received, initiator_.sent);
        EXPECT_EQ(initiator_.application.received, acceptor_.sent);
        EXPECT_GT(initiator_.sent.size(), 10U);
        EXPECT_GT(breaks_, 0U);
        EXPECT_TRUE(initiator_.session->logged_on() && acceptor_.session->logged_on());
    }

  private:
    // Settings that both sides must agree on are drawn once, the others per side.
    [[nodiscard]] SessionSettings settings(Role role) {
        const auto version = static_cast<BeginString>(agreed_version_);
        const bool initiator = role == Role::initiator;
        SessionSettings made;
        made.name = {.begin_string = version,
                     .sender_comp_id = initiator ? "CLIENT" : "DAMRAK",
                     .target_comp_id = initiator ? "DAMRAK" : "CLIENT",
                     .sender_sub_id = {},
                     .target_sub_id = {}};
        made.role = role;
        made.heartbeat_s = 1;
        made.next_expected = version >= BeginString::fix44 && random_.coin();
        made.resend_request_messages = random_.coin() ? 0 : 1 + random_.below(5);
        made.resend_batch_messages = random_.coin() ? 256 : 1 + random_.below(4);
        made.early_bytes = random_.coin() ? 65'536 : 600;
        made.maximum_message_bytes = 1'024;
        return checked(made).value();
    }

    void step_on() {
        now_ += Timestamp{(1 + random_.below(20)) * k_millisecond_ns};
        if (!connected_) maybe_connect();
        for (Side* side : {&initiator_, &acceptor_}) {
            if (troubled_ && random_.below(60) == 0) side->send(now_);
            side->session->on_time(now_);
        }
        if (!connected_) return;
        carry(initiator_, acceptor_);
        carry(acceptor_, initiator_);
        const bool ended =
            initiator_.session->ended() != Ended::no || acceptor_.session->ended() != Ended::no;
        if (ended || (troubled_ && random_.below(80) == 0)) break_link();
    }

    void maybe_connect() {
        if (random_.below(10) != 0) return;
        connected_ = true;
        acceptor_.connect(now_);
        initiator_.connect(now_);
    }

    /// Transfers some of the pending bytes, sometimes with one byte corrupted; the other side
    /// processes them.
    void carry(Side& from, Side& to) {
        const auto waiting = from.out.readable();
        const auto count = random_.coin()
                               ? waiting.size()
                               : std::min<std::size_t>(waiting.size(), random_.below(300));
        std::string bytes{reinterpret_cast<const char*>(waiting.data()), count};
        from.out.consume(count);
        if (troubled_ && !bytes.empty() && random_.below(300) == 0)
            bytes[random_.below(static_cast<std::uint32_t>(bytes.size()))] ^= 1;
        to.inbox += bytes;
        const auto received = to.session->receive(std::as_bytes(std::span{to.inbox}), now_);
        to.inbox.erase(0, received.consumed_bytes);
    }

    /// Loses data in transit; a process may crash with it, and then sends nothing more.
    void break_link() {
        connected_ = false;
        ++breaks_;
        for (Side* side : {&initiator_, &acceptor_}) {
            if (troubled_ && random_.below(4) == 0) {
                side->crash();
            } else {
                side->session->close(now_);
            }
        }
    }

    RandomStream random_;
    std::uint32_t agreed_version_ = random_.below(6);
    Timestamp now_{1'767'607'200'000'000'000};  // 2026-01-05 10:00:00
    Side initiator_;
    Side acceptor_;
    bool connected_ = false;
    bool troubled_ = true;
    std::uint64_t breaks_ = 0;
};

class LossyLink : public ::testing::TestWithParam<std::uint64_t> {};

TEST_P(LossyLink, EveryMessageArrivesOnceAndInOrder) {
    for (std::uint64_t seed = GetParam() * 40; seed < GetParam() * 40 + 40; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        World world{seed};
        world.run();
        world.check();
        if (HasFailure()) return;
    }
}

INSTANTIATE_TEST_SUITE_P(Seeds, LossyLink,
                         ::testing::Range<std::uint64_t>(0, test_size::scaled(std::uint64_t{8})));

}  // namespace
}  // namespace damrak::session::fix::lossy_link_test
