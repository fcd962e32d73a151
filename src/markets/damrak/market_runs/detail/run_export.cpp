#include <damrak/market_runs/detail/run_export.hpp>

#include <string_view>
#include <utility>

#include <fmt/format.h>

#include <damrak/base/csv_cell.hpp>
#include <damrak/telemetry/records.hpp>

namespace damrak::market_runs::detail {
namespace {

constexpr std::size_t k_rows_bytes = std::size_t{1} << 16U;
constexpr double k_export_units = 10'000;

double currency(std::int64_t units) { return static_cast<double>(units) / k_export_units; }

}  // namespace

std::expected<std::unique_ptr<RunExport>, std::string> RunExport::create(
    const std::filesystem::path& folder) {
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (error)
        return std::unexpected{
            fmt::format("{}: cannot be made: {}", folder.string(), error.message())};
    auto events = files::ByteSink::create(folder / "events.csv");
    if (!events) return std::unexpected{events.error()};
    auto made = std::make_unique<RunExport>(folder, *std::move(events));
    made->rows_ =
        "sequence,time_ns,event,instrument,participant,group,order,reference,side,price,quantity,"
        "remaining,displayed,aggressor,on_book\n";
    return made;
}

void RunExport::name(const market_kernel::Market& market) {
    for (const InstrumentDefinition& instrument : market.instruments())
        symbols_.push_back(csv_cell(std::string{instrument.symbol.view()}));
    for (std::uint32_t i = 1; i <= market.participants(); ++i)
        groups_.push_back(csv_cell(market.seat({i}).group));
}

void RunExport::on_event(const Event& event, const CommandStamp& stamp) {
    if (!event.participant) return;  // of the exchange itself
    rows_ +=
        fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}\n", stamp.sequence.value,
                    stamp.timestamp.value, telemetry::k_event_names[event.kind].view(),
                    event.instrument ? symbols_[event.instrument.value - 1] : "",
                    event.participant.value, groups_[event.participant.value - 1],
                    event.order_id.value, event.reference, event.side == Side::buy ? "buy" : "sell",
                    currency(event.price.value), event.quantity.value, event.remaining.value,
                    event.displayed.value, has_flag(event, EventFlags::k_aggressor) ? 1 : 0,
                    has_flag(event, EventFlags::k_on_book) ? 1 : 0);
    if (rows_.size() < k_rows_bytes) return;
    events_.write(rows_);
    rows_.clear();
}

std::expected<void, std::string> RunExport::close(const market_kernel::Market& market) {
    events_.write(rows_);
    if (auto closed = events_.close(); !closed) return closed;
    auto sink = files::ByteSink::create(folder_ / "participants.csv");
    if (!sink) return std::unexpected{sink.error()};
    std::string rows =
        "participant,group,member,instrument,position,cash,fees,messages,trades,volume\n";
    for (std::uint32_t i = 1; i <= market.participants(); ++i) {
        const market_kernel::Account& account = market.account({i});
        for (std::size_t at = 0; at < symbols_.size(); ++at)
            rows += fmt::format("{},{},{},{},{},{},{},{},{},{}\n", i, groups_[i - 1],
                                market.seat({i}).member + 1, symbols_[at],
                                market.position({i}, {static_cast<std::uint32_t>(at + 1)}).value,
                                currency(account.cash), currency(account.fees), account.messages,
                                account.trades, account.volume);
    }
    sink->write(rows);
    return sink->close();
}

}  // namespace damrak::market_runs::detail
