#include <damrak/market_data_api/detail/days.hpp>

#include <algorithm>
#include <functional>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include <damrak/archive/day_cursor.hpp>
#include <damrak/archive/day_json.hpp>
#include <damrak/market_data_api/detail/routes.hpp>

namespace damrak::market_data_api {

namespace {

constexpr std::size_t k_most_open = 8;

std::string_view digits_of(const std::string& date, std::string& memory) {
    memory.clear();
    for (const char c : date)
        if (c != '-') memory += c;
    return memory;
}

}  // namespace

std::string OpenDay::etag() const { return fmt::format("\"{}-{}\"", name, day.messages()); }

Result<std::uint16_t> OpenDay::locate(const std::string& symbol) const {
    const auto found = std::ranges::find(instruments, symbol, &archive::Instrument::symbol);
    if (found != instruments.end()) return found->locate;
    if (const std::string why = symbol.empty() ? "" : damage(); !why.empty())
        return std::unexpected{
            Problem{.status = 500,
                    .code = "unreadable_day",
                    .message = fmt::format("symbol: what can be read of the day {} has no "
                                           "instrument '{}': {}",
                                           name, symbol, why)}};
    return std::unexpected{
        Problem{.status = symbol.empty() ? 400U : 404U,
                .code = symbol.empty() ? "missing_parameter" : "unknown_instrument",
                .message = symbol.empty()
                               ? std::string{"symbol: which instrument? /v1/instruments lists them"}
                               : fmt::format("symbol: the day {} has no instrument '{}': "
                                             "/v1/instruments lists them",
                                             name, symbol),
                .parameter = "symbol"}};
}

std::string OpenDay::damage() const {
    if (!day.damage().empty()) return day.damage().front();
    const auto first = archive::DayCursor{day}.next();
    return first || first.error().is_unwritten_end ? std::string{} : first.error().text;
}

std::vector<std::string> days_with_extension(const std::filesystem::path& folder,
                                             std::string_view extension) {
    std::vector<std::string> names;
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator{folder, error})
        if (entry.path().extension() == extension) names.push_back(entry.path().stem().string());
    std::ranges::sort(names, std::ranges::greater{});
    return names;
}

std::vector<std::string> Days::names() const {
    std::vector<std::string> names = days_with_extension(folder_, ".dar");
    if (const auto present = present_session())
        if (const std::string name = present->id().text();
            std::ranges::find(names, name) == names.end())
            names.push_back(name);
    std::ranges::sort(names, std::ranges::greater{});
    return names;
}

Result<std::string> name_of_day(const std::string& text, const PresentSession& present,
                                const std::function<std::vector<std::string>()>& names) {
    const auto session = present ? present() : nullptr;
    if (text.empty() && session != nullptr) return session->id().text();
    if (text.empty() && present)
        return std::unexpected{
            Problem{.status = 503,
                    .code = "no_session",
                    .message = "no session of the feed runs: it begins with a trading day. Try "
                               "again, or give a day"}};
    const std::vector<std::string> all = names();
    if (text.empty() && !all.empty()) return all.front();
    std::string memory;
    const std::string_view digits = digits_of(text, memory);
    constexpr std::size_t k_date_digits = 8;
    for (const std::string& name : all)
        if (name == text || (digits.size() == k_date_digits && name.starts_with(digits) &&
                             feed::FeedSessionId::parse(name)))
            return name;
    return std::unexpected{Problem{
        .status = 404,
        .code = "unknown_day",
        .message = text.empty() ? std::string{"there is no day yet: the exchange has no feed, and "
                                              "nothing is archived"}
                                : fmt::format("day: there is no '{}': /v1/days lists them", text),
        .parameter = text.empty() ? "" : "day"}};
}

Result<std::shared_ptr<const OpenDay>> Days::find(const std::string& text) {
    auto name = name_of_day(text, present_, [this] { return names(); });
    if (!name) return std::unexpected{std::move(name.error())};
    return open(*name);
}

Result<std::shared_ptr<const OpenDay>> Days::open(const std::string& name) {
    const auto present = present_session();
    const bool is_present = present != nullptr && present->id().text() == name;
    const auto known = std::ranges::find(open_, name, [](const auto& one) { return one->name; });
    std::shared_ptr<const OpenDay> before;
    if (known != open_.end()) {
        before = *known;
        // A day may have been incomplete when it was opened.
        const bool is_current =
            is_present ? before->day.messages() == present->messages() : before->day.is_complete();
        if (is_current) {
            open_.splice(open_.begin(), open_, known);
            return before;
        }
        open_.erase(known);
    }
    const std::filesystem::path file = folder_ / (name + ".dar");
    auto day = is_present ? archive::Day::open_live(file, present) : archive::Day::open(file);
    if (!day)
        return std::unexpected{
            Problem{.status = 500, .code = "unreadable_day", .message = std::move(day.error())}};
    // Messages never change: only new ones can name further instruments.
    auto instruments = is_present && before != nullptr
                           ? day->instruments(before->instruments, before->day.messages())
                           : day->instruments();
    day->on_block(http::give_way);
    open_.push_front(
        std::make_shared<const OpenDay>(name, is_present, *std::move(day), std::move(instruments)));
    if (open_.size() > k_most_open) open_.pop_back();
    return open_.front();
}

Result<http::Answer> answer_days(const Call& call) {
    std::string json = R"({"days": [)";
    for (const std::string& name : call.days.names()) {
        http::give_way();
        const auto day = call.days.find(name);
        if (!day) continue;  // it was removed, or cannot be read: `damrak archive verify` says why
        const archive::Day& content = (*day)->day;
        if (!json.ends_with('[')) json += ", ";
        archive::append_string(json += R"({"day": )", name);
        archive::append_string(json += R"(, "source": )", content.source());
        json +=
            fmt::format(R"(, "date": {}, "messages": {}, "first_time_ns": {}, "last_time_ns": {}, )"
                        R"("complete": {}, "present": {}, )",
                        content.date(), content.messages(), content.first_time_ns(),
                        content.last_time_ns(), content.is_complete(), (*day)->is_present);
        archive::append_not_known(json, content.depth());
        json += '}';
    }
    return http::Answer{.content_type = "application/json", .body = json + "]}\n"};
}

}  // namespace damrak::market_data_api
