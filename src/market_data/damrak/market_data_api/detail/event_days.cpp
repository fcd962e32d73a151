#include <damrak/market_data_api/detail/event_days.hpp>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <iterator>
#include <span>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include <damrak/archive/day_json.hpp>

namespace damrak::market_data_api {

namespace {

constexpr const char* k_extension = ".events";
constexpr std::size_t k_piece_bytes = 512U << 10U;  // a block can have a million events

std::span<const archive::LoggedInstrument> instruments_of(const EventDays::Events& day) {
    if (!day.file) return {};
    return day.file->instruments();
}

}  // namespace

std::vector<std::string> EventDays::names() const {
    return days_with_extension(folder_, k_extension);
}

bool EventDays::is_present(const Events& day) const {
    const auto present = present_ ? present_() : nullptr;
    return present != nullptr && present->id().text() == day.name;
}

Result<EventDays::Events> EventDays::find(const std::string& text) const {
    auto name = name_of_day(text, present_, [this] { return names(); });
    if (!name) return std::unexpected{std::move(name.error())};
    Events found{.name = *std::move(name), .file = std::nullopt, .missing = {}};
    const bool is_now = is_present(found);
    if (is_now && write_) found.missing = write_();
    const std::filesystem::path path = folder_ / (found.name + k_extension);
    std::error_code error;
    if (is_now && !std::filesystem::exists(path, error) && !error) return found;
    auto file = archive::EventFile::open(path);
    if (!file)
        return std::unexpected{
            Problem{.status = 500, .code = "unreadable_day", .message = std::move(file.error())}};
    file->on_block(http::give_way);
    found.file.emplace(*std::move(file));
    return found;
}

// participant,group,member,…
std::map<std::uint32_t, std::string> EventDays::groups(const std::string& name) const {
    std::map<std::uint32_t, std::string> found;
    std::ifstream file{folder_ / (name + ".participants.csv")};
    for (std::string line; std::getline(file, line);) {
        const std::size_t first = line.find(',');
        std::uint32_t participant = 0;
        const char* const end = line.data() + std::min(first, line.size());
        if (std::from_chars(line.data(), end, participant).ptr != end || participant == 0) continue;
        found[participant] = line.substr(first + 1, line.find(',', first + 1) - first - 1);
    }
    return found;
}

Result<archive::LoggedInstrument> find_instrument(const EventDays::Events& day,
                                                  std::string_view symbol) {
    if (day.file)
        for (const archive::LoggedInstrument& one : day.file->instruments())
            if (one.symbol.view() == symbol) return one;
    return std::unexpected{
        Problem{.status = 404,
                .code = "unknown_instrument",
                .message = fmt::format("symbol: no events of '{}' in {}", symbol, day.name)}};
}

EventLines::EventLines(EventDays::Events events, archive::EventQuestion question)
    : day_(std::move(events)), filter_(std::move(question), instruments_of(day_)) {}

void EventLines::add_error(std::string& piece, const std::string& error) {
    archive::append_string(piece += R"({"error": )", error);
    piece += "}\n";
}

bool EventLines::read(std::string& piece) {
    while (used_ == events_.size() && block_ < day_.file->blocks()) {
        const std::size_t i = block_++;
        if (filter_.may_skip(day_.file->block(i))) continue;
        auto read = day_.file->read_block(i);
        if (!read) add_error(piece, read.error());
        events_ = read ? *std::move(read) : std::vector<archive::LoggedEvent>{};
        used_ = 0;
    }
    return used_ < events_.size();
}

bool EventLines::next(std::string& piece) {
    if (day_.file && !std::exchange(has_begun_, true))
        for (const std::string& damage : day_.file->damage()) add_error(piece, damage);
    while (day_.file && piece.size() < k_piece_bytes && read(piece)) {
        const archive::LoggedEvent& event = events_[used_++];
        if (!filter_.has(event)) continue;
        archive::append_event(piece, event, filter_.instrument(event.event.instrument));
        piece += '\n';
    }
    if (day_.file && (used_ < events_.size() || block_ < day_.file->blocks())) return true;
    if (!day_.missing.empty()) add_error(piece, day_.missing);
    return false;
}

std::string totals_of_participants(EventDays::Events& day,
                                   const std::map<std::uint32_t, std::string>& groups,
                                   const Fees& fees) {
    archive::ParticipantAccounts accounts;
    std::vector<std::string> damage;
    for (std::size_t block = 0; day.file && block < day.file->blocks(); ++block) {
        const auto events = day.file->read_block(block);
        if (events)
            accounts.add(*events, instruments_of(day), fees);
        else
            damage.push_back(events.error());
    }
    if (day.file) std::ranges::copy(day.file->damage(), std::back_inserter(damage));
    if (!day.missing.empty()) damage.push_back(day.missing);
    std::string json = R"({"day": )";
    archive::append_string(json, day.name);
    json += R"(, "participants": )";
    accounts.append_json(json, instruments_of(day), groups);
    json += R"(, "damage": [)";
    for (const std::string& one : damage) {
        if (!json.ends_with('[')) json += ", ";
        archive::append_string(json, one);
    }
    return json + "]}\n";
}

}  // namespace damrak::market_data_api
