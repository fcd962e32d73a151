#include <damrak/market_kernel/market.hpp>

#include <algorithm>
#include <utility>

#include <damrak/market_kernel/detail/kernel.hpp>

namespace damrak::market_kernel {

EngineConfig engine_config_of(const MarketSetup& setup) {
    const std::uint32_t orders = setup.exchange.maximum_orders;
    const auto instruments = static_cast<std::uint32_t>(setup.instruments.size());
    const auto seats = static_cast<std::uint32_t>(setup.seats.size());
    const std::uint64_t accounts = std::uint64_t{instruments} * seats;
    return {.maximum_instruments = instruments,
            .maximum_participants = seats,
            .maximum_orders = orders,
            .maximum_extensions = orders,
            .maximum_accounts =
                static_cast<std::uint32_t>(std::min<std::uint64_t>(accounts, 100'000'000)),
            .maximum_levels = 2 * orders,
            .maximum_ladder_nodes = orders + 64 * instruments};
}

class Market::Kernel : public detail::Kernel {
  public:
    using detail::Kernel::Kernel;
};

Market::Market(MarketSetup setup, std::vector<MarketWatcher*> watchers, OptionalJournal journal)
    : kernel_(std::make_unique<Kernel>(std::move(setup), std::move(watchers), std::move(journal))) {
}
Market::~Market() = default;

bool Market::run_until(Timestamp end) { return kernel_->run_until(end); }
void Market::submit(const Command& command) { kernel_->submit(command); }
void Market::scale_latency(ParticipantId participant, double factor) {
    kernel_->scale_latency(participant, factor);
}
void Market::set_service_time(std::int64_t service_ns) {
    kernel_->set_delays(service_ns, kernel_->setup.exchange.delay.taking.fixed_ns);
}
void Market::set_taker_bump(std::int64_t bump_ns) {
    kernel_->set_delays(kernel_->setup.exchange.service_ns, bump_ns);
}
void Market::set_data_outage(ParticipantId participant, bool is_out) {
    kernel_->seat(participant).has_outage = is_out;
}
void Market::set_disconnected(ParticipantId participant, bool is_out) {
    kernel_->set_disconnected(participant, is_out);
}
Fundamentals& Market::fundamentals() { return kernel_->fundamentals; }

Timestamp Market::now() const { return {kernel_->now_ns()}; }
const MarketCounts& Market::counts() const { return kernel_->counts; }
const std::vector<MarketFault>& Market::faults() const { return kernel_->faults; }
std::uint32_t Market::participants() const {
    return static_cast<std::uint32_t>(kernel_->participants());
}
const Seat& Market::seat(ParticipantId participant) const {
    return kernel_->seat(participant).seat();
}
const Account& Market::account(ParticipantId participant) const {
    return kernel_->accounts[participant.value - 1];
}
Quantity Market::position(ParticipantId participant, InstrumentId instrument) const {
    return {kernel_->position(participant, instrument)};
}
const std::vector<InstrumentDefinition>& Market::instruments() const {
    return kernel_->setup.instruments;
}
const views::PublicChange& Market::latest(InstrumentId instrument) const {
    return kernel_->public_side.log(instrument).last();
}
const Engine& Market::engine() const { return kernel_->engine(); }
std::uint64_t Market::hash() const { return kernel_->hash(); }

}  // namespace damrak::market_kernel
