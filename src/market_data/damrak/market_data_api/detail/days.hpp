// The days that clients can query: the archived ones of a folder and the current feed session. A
// day is opened on its first query, and the last few stay open. One thread.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <list>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <damrak/archive/day.hpp>
#include <damrak/feed/feed_session.hpp>
#include <damrak/market_data_api/query.hpp>

namespace damrak::market_data_api {

/// The current feed session; null if it has not begun. An empty function means that there is no
/// feed.
using PresentSession = std::function<std::shared_ptr<const feed::FeedSession>()>;

/// A day in its state at opening.
struct OpenDay {
    std::string name;  ///< of the session (2026112300), or of the file without its extension
    bool is_present = false;
    archive::Day day;
    std::vector<archive::Instrument> instruments;

    /// Derived from its content.
    [[nodiscard]] std::string etag() const;
    [[nodiscard]] Result<std::uint16_t> locate(const std::string& symbol) const;
    /// Why instruments may be missing: damage, also of the first block. Empty: none.
    [[nodiscard]] std::string damage() const;
};

/// The name of the day that a text means: a name, or a date (2026-11-23: its last session). An
/// empty text means the current session, even if it has not begun; without a feed, the newest day.
/// `names`: those that there are, newest first.
[[nodiscard]] Result<std::string> name_of_day(
    const std::string& text, const PresentSession& present,
    const std::function<std::vector<std::string>()>& names);
/// Names of the files of a folder that have this extension, newest first.
[[nodiscard]] std::vector<std::string> days_with_extension(const std::filesystem::path& folder,
                                                           std::string_view extension);

class Days {
  public:
    Days(std::filesystem::path folder, PresentSession present)
        : folder_(std::move(folder)), present_(std::move(present)) {}

    /// See name_of_day().
    [[nodiscard]] Result<std::shared_ptr<const OpenDay>> find(const std::string& text);
    /// Whether a day is the current session.
    [[nodiscard]] bool is_present(std::string_view name) const {
        const auto present = present_session();
        return present != nullptr && present->id().text() == name;
    }
    /// Newest first.
    [[nodiscard]] std::vector<std::string> names() const;
    [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }

  private:
    [[nodiscard]] std::shared_ptr<const feed::FeedSession> present_session() const {
        return present_ ? present_() : nullptr;
    }
    [[nodiscard]] Result<std::shared_ptr<const OpenDay>> open(const std::string& name);

    std::filesystem::path folder_;
    PresentSession present_;
    std::list<std::shared_ptr<const OpenDay>> open_;  ///< most recently used first
};

}  // namespace damrak::market_data_api
