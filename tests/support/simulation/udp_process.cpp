#include "support/simulation/udp_process.hpp"

#include <string>
#include <utility>

#include <damrak/journal/restore.hpp>

namespace damrak::simulation {

UdpProcess::UdpProcess(sim::DatagramNetwork& network, sim::Network& no_network, sim::Disk& disk,
                       const sim::VirtualClock& clock, const UdpSetup& setup,
                       std::function<void()> place)
    : network_(&network),
      disk_(&disk),
      clock_(&clock),
      setup_(&setup),
      place_(std::move(place)),
      doors_(
          {.udp = setup.door, .binary_open = false, .fix_open = false, .udp_open = true},
          setup.engine,
          [](const std::filesystem::path&)
              -> std::expected<std::unique_ptr<session::fix::MemoryStore>, std::string> {
              return std::unexpected{std::string{"its door is closed"}};
          },
          []() -> std::expected<sim::HostPath, std::string> {
              return std::unexpected{std::string{"it is opened by start()"}};
          },
          sim::HostNetwork{no_network}, sim::HostNetwork{no_network}),
      exchange_(setup.engine, relay_) {
    exchange_.keep_ahead = [this] { keep(); };
    exchange_.answers_early = setup.plant.answers_early;
}

journal::Result<void> UdpProcess::restore() {
    // It is large.
    const auto state = std::make_unique<journal::ExchangeState<>>(setup_->engine);
    const journal::JournalIdentity begin{.instance = setup_->instance, .engine = setup_->engine};
    auto restored = journal::restore(*disk_, setup_->journal.directory, begin, *state);
    if (!restored) return std::unexpected{std::move(restored.error())};
    records_ = restored->journal.last_sequence;
    views::UdpClients& clients = doors_.udp()->clients();
    if (records_ > 0) exchange_.take_over(*state, doors_.binary().names(), nullptr, &clients);
    if (setup_->plant.restart_forgets_numbers)
        for (std::uint32_t i = 1; i <= clients.highest_source(); ++i) clients.source(i).window = {};
    auto journal = journal::Journal::open(*disk_, setup_->journal, restored->journal,
                                          restored->identity, time());
    if (!journal) return std::unexpected{std::move(journal.error())};
    journal_ = *std::move(journal);
    return {};
}

journal::Result<void> UdpProcess::start() {
    if (auto done = restore(); !done) return done;
    keep();
    doors_.attach(exchange_);
    exchange_.start(journal_->writer(), time());
    if (records_ == 0)
        for (const Command& command : setup_->opening)
            if (!exchange_.submit(command, {}, time()))
                return std::unexpected{journal_->writer().refusal()};
    // Where there is one door, none has to watch for another.
    doors_.udp()->open(sim::HostPath{*network_});
    return {};
}

void UdpProcess::turn() {
    static_cast<void>(doors_.do_work(0));
    constexpr std::uint64_t k_between = 40;
    views::UdpClients& clients = doors_.udp()->clients();
    if (setup_->plant.forgets_some_numbers && ++turns_ % k_between == 0)
        for (std::uint32_t i = 1; i <= clients.highest_source(); ++i) forget_numbers(i);
}

void UdpProcess::forget_numbers(std::uint32_t source) {
    SequenceWindow& window = doors_.udp()->clients().source(source).window;
    if (!window.started()) return;
    const std::uint32_t highest = window.highest();
    window = {};
    window.note(highest);
}

void UdpProcess::close() {
    while (journal_->writer().kept() == journal::Kept::not_yet) sync();
    doors_.close();
    journal_->syncer().on_close();
}

}  // namespace damrak::simulation
