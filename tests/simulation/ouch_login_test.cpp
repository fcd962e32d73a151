// When an OUCH client learns that it is in: once the journal has its login, so that the exchange
// knows of the connection whatever happens next.
#include <cstdint>
#include <memory>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/commands.hpp"
#include "support/simulation/ouch_process.hpp"
#include "support/simulation/soup_peer.hpp"
#include "support/simulation/world_time.hpp"

namespace damrak::simulation::ouch_login_test {
namespace {

using ::testing::ElementsAre;

/// A pipelined exchange whose other threads do nothing until somebody steps them.
class OuchLogin : public ::testing::Test {
  protected:
    void SetUp() override {
        setup_.journal = {.directory = "data", .segment_bytes = 65'536, .prefault_bytes = 16'384};
        setup_.pipeline = {.shards = 1, .waiting = Waiting::spin};
        setup_.opening = {instrument_command(1, test_stock("TEST"))};
        setup_.beside = [] {};
        setup_.gateway.cancel_on_disconnect = true;
        process_ = make_ouch_process(network_, disk_, clock_, setup_, [] {});
        ASSERT_TRUE(process_->start());
        peer_.begin(network_.connect({}), {.user = "U1"}, {clock_.time_of_day_ns()});
    }
    std::vector<char> hear(bool steps_others) {
        std::vector<char> types;
        for (int i = 0; i < 200; ++i) {
            clock_.advance(k_millisecond_ns);
            network_.advance();
            process_->turn();
            if (steps_others) process_->step_others(random_);
            for (const SoupPacket& packet : peer_.move({clock_.time_of_day_ns()}))
                types.push_back(packet.type);
        }
        return types;
    }

    RandomStream random_{1};
    simulation::VirtualClock clock_{k_morning_ns};
    simulation::Network network_{clock_, random_};
    simulation::Disk disk_{random_};
    OuchSetup setup_;
    std::unique_ptr<SimulatedProcess> process_;
    SoupPeer peer_;
};

TEST_F(OuchLogin, IsAcceptedOnceItIsJournaled) {
    EXPECT_THAT(hear(false), ElementsAre());
    EXPECT_THAT(hear(true), ElementsAre('A'));
}

TEST_F(OuchLogin, ThatIsLostBeforeItIsJournaledLetsTheNextOneIn) {
    EXPECT_THAT(hear(false), ElementsAre());
    peer_.socket().reset();
    EXPECT_THAT(hear(true), ElementsAre());
    peer_.begin(network_.connect({}), {.user = "U1"}, {clock_.time_of_day_ns()});
    EXPECT_THAT(hear(true), ElementsAre('A'));
}

}  // namespace
}  // namespace damrak::simulation::ouch_login_test
