#include "support/simulation/fix_process.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include <damrak/gateway/fix/fix_gateway.hpp>
#include <damrak/gateway/fix/missing_reports.hpp>

#include "support/simulation/gateways_process.hpp"

namespace damrak::simulation {

namespace {

/// The store of a session, which may crash before and after each write.
class MortalStore {
  public:
    using Files = session::fix::MessageStore;

    MortalStore(std::unique_ptr<Files> files, const std::function<void()>& place,
                const std::function<bool()>& is_full)
        : files_(std::move(files)), place_(&place), is_full_(&is_full) {}

    [[nodiscard]] std::span<char> claim(std::size_t maximum) {
        return (*is_full_)() ? std::span<char>{} : files_->claim(maximum);
    }
    std::span<const char> commit(std::uint64_t sequence, std::span<const char> message,
                                 const session::fix::Kept& kept) {
        (*place_)();
        const auto result = files_->commit(sequence, message, kept);
        (*place_)();
        return result;
    }
    [[nodiscard]] std::optional<session::fix::Stored> find(std::uint64_t sequence) const {
        return files_->find(sequence);
    }
    [[nodiscard]] std::uint64_t next_outgoing() const { return files_->next_outgoing(); }
    [[nodiscard]] std::uint64_t next_incoming() const { return files_->next_incoming(); }
    void set_next_outgoing(std::uint64_t sequence, Timestamp now) {
        files_->set_next_outgoing(sequence, now);
    }
    void set_next_incoming(std::uint64_t sequence, Timestamp now) {
        (*place_)();
        files_->set_next_incoming(sequence, now);
    }
    void take_incoming(std::uint64_t next, std::span<const char> message, Timestamp now) {
        (*place_)();
        files_->take_incoming(next, message, now);
    }
    void reset(Timestamp now) { files_->reset(now); }
    [[nodiscard]] Timestamp began() const { return files_->began(); }
    [[nodiscard]] session::fix::EventPosition last_position() const {
        return files_->last_position();
    }
    [[nodiscard]] std::string trouble() const { return files_->trouble(); }

  private:
    std::unique_ptr<Files> files_;
    const std::function<void()>* place_;
    const std::function<bool()>* is_full_;
};
static_assert(session::fix::Store<MortalStore>);

template <class Exchange>
using FixGateway = gateway::fix::FixGateway<simulation::HostNetwork, Exchange, MortalStore>;

template <class Exchange>
class FixProcess final : public GatewaysProcess<Exchange, FixGateway<Exchange>> {
    using Base = GatewaysProcess<Exchange, FixGateway<Exchange>>;

  public:
    FixProcess(simulation::Network& network, simulation::Disk& disk,
               const simulation::VirtualClock& clock, const FixSetup& setup,
               std::function<void()> place)
        : Base(disk, clock, setup, std::move(place),
               {.config = setup.gateway,
                .application = setup.application,
                .storing = {.open = [this, &setup](const std::filesystem::path& folder)
                                -> std::expected<std::unique_ptr<MortalStore>, std::string> {
                    auto files = session::fix::MessageStore::open(*this->disk_, folder, setup.store,
                                                                  this->time());
                    if (!files) return std::unexpected{std::move(files.error())};
                    return std::make_unique<MortalStore>(*std::move(files), this->place_,
                                                         setup.store_is_full);
                }},
                .network = simulation::HostNetwork{network}}) {}

    [[nodiscard]] std::uint64_t missing_reported() const override {
        return this->gateway().application().missing_reported();
    }

  private:
    void note_all_reported(std::uint64_t sequence) override {
        this->gateway().application().note_reported(sequence);
    }
    [[nodiscard]] journal::Result<void> open_files() override {
        return this->gateway().open_application(*this->disk_, this->time());
    }
    [[nodiscard]] std::uint64_t latest_snapshot() const override {
        if (this->setup_->plant.trusts_snapshots) return UINT64_MAX;
        return this->gateway().application().reported_position();
    }
    void follow_replay(exchange::FollowedState& state) override {
        gateway::fix::report_what_is_missing(this->gateway().application(), state);
        if (this->setup_->plant.forgets_reports) state.observer().tell_fix_events({});
    }
    void note_records(std::span<const journal::Record> records) override {
        if (this->setup_->plant.forgets_requests) return;
        for (const journal::Record& record : records)
            this->gateway().application().note_record(record);
    }
    [[nodiscard]] journal::Result<void> open_gateways() override {
        return this->gateway().listen();
    }
};

}  // namespace

std::unique_ptr<SimulatedProcess> make_fix_process(simulation::Network& network,
                                                   simulation::Disk& disk,
                                                   const simulation::VirtualClock& clock,
                                                   const FixSetup& setup,
                                                   std::function<void()> place) {
    if (setup.pipeline)
        return std::make_unique<FixProcess<PipelinedExchange>>(network, disk, clock, setup,
                                                               std::move(place));
    return std::make_unique<FixProcess<InlineExchange>>(network, disk, clock, setup,
                                                        std::move(place));
}

}  // namespace damrak::simulation
