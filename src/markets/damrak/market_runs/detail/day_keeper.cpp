#include <damrak/market_runs/detail/day_keeper.hpp>

#include <chrono>
#include <utility>

#include <damrak/wire/itch/walk.hpp>

namespace damrak::market_runs::detail {
namespace {

constexpr std::size_t k_block_bytes = std::size_t{1} << 16U;

struct IntoDay {
    archive::DayWriter& writer;
    void on(const auto& message) { writer.add(message); }
};

}  // namespace

std::int32_t date_of(Timestamp time) {
    using namespace std::chrono;
    const year_month_day date{floor<days>(sys_time<nanoseconds>{nanoseconds{time.value}})};
    return static_cast<int>(date.year()) * 10'000 +
           static_cast<std::int32_t>(static_cast<unsigned>(date.month()) * 100 +
                                     static_cast<unsigned>(date.day()));
}

std::expected<std::unique_ptr<DayKeeper>, std::string> DayKeeper::create(
    const std::filesystem::path& path, Timestamp begin) {
    auto writer =
        archive::DayWriter::create(path, {.date = date_of(begin), .source = "populated market"});
    if (!writer) return std::unexpected{writer.error()};
    return std::make_unique<DayKeeper>(*std::move(writer), begin);
}

std::expected<void, std::string> DayKeeper::begin(const Engine& engine,
                                                  std::uint64_t /*position*/) {
    publisher_.emplace(engine.config(), feed::ItchSettings{});
    publisher_->load(engine, false);
    publisher_->begin_session(begin_, block_);
    return {};
}

void DayKeeper::on_command(const Command& command, const CommandStamp& /*stamp*/) {
    publisher_->end_command(block_);
    publisher_->on_command(command);
}

void DayKeeper::on_event(const Event& event, const CommandStamp& stamp) {
    publisher_->on_event(event, stamp, block_);
    if (block_.bytes().size() >= k_block_bytes) write();
}

void DayKeeper::write() {
    IntoDay into{writer_};
    static_cast<void>(wire::itch::walk(block_.bytes(), into));
    block_.clear();
}

std::expected<void, std::string> DayKeeper::close(Timestamp end) {
    publisher_->end_command(block_);
    publisher_->end_session(end, block_);
    write();
    if (auto totals = writer_.close(); !totals) return std::unexpected{totals.error()};
    return {};
}

}  // namespace damrak::market_runs::detail
