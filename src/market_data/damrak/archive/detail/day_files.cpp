#include <damrak/archive/detail/day_files.hpp>

#include <algorithm>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include <damrak/archive/day_date.hpp>

namespace damrak::archive {

std::filesystem::path DayFiles::name_of(std::int32_t date) const {
    std::filesystem::path name = import_->to;
    const std::string extension = name.extension();
    name.replace_extension();
    if (date != 0) name += "." + date_text(date);
    if (date == 0 || std::ranges::find(days_, date, &ImportedDay::date) != days_.end())
        name += fmt::format(".{}", days_.size() + 1);
    name += extension;
    return name;
}

std::expected<void, std::string> DayFiles::begin(std::int32_t date, const DayDepth& depth) {
    if (writer_ && import_->only_one)
        return std::unexpected{
            fmt::format("{}: it has more than one day: archive them with damrak archive import, "
                        "and take one",
                        import_->from.string())};
    if (writer_)
        if (auto ended = end_day(); !ended) return ended;
    std::string source = import_->from.filename().string();
    if (date == 0 && !days_.empty()) source += fmt::format(" (session {})", days_.size() + 1);
    ImportedDay day{.file = name_of(date), .date = date};
    auto writer =
        DayWriter::create(day.file, {.date = date, .source = std::move(source), .depth = depth});
    if (!writer) return std::unexpected{std::move(writer.error())};
    day.depth = depth;
    days_.push_back(std::move(day));
    writer_.emplace(*std::move(writer));
    return {};
}

void DayFiles::set_depth(const DayDepth& depth) {
    days_.back().depth = depth;
    writer_->set_depth(depth);
}

std::expected<void, std::string> DayFiles::end_day() {
    auto totals = writer_->close();
    writer_.reset();
    if (!totals) return std::unexpected{std::move(totals.error())};
    days_.back().totals = *totals;
    return {};
}

std::expected<std::vector<ImportedDay>, std::string> DayFiles::close() {
    if (!writer_)
        return std::unexpected{
            fmt::format("{}: it has no messages of a day", import_->from.string())};
    if (auto ended = end_day(); !ended) return std::unexpected{std::move(ended.error())};
    if (days_.size() > 1) return std::move(days_);
    std::error_code error;
    std::filesystem::rename(days_.front().file, import_->to, error);
    if (error) return std::unexpected{fmt::format("{}: {}", import_->to.string(), error.message())};
    days_.front().file = import_->to;
    return std::move(days_);
}

}  // namespace damrak::archive
