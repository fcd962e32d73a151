// The days that can be asked for: the archived ones of a folder, and the feed session under way. A
// day is opened when it is asked for first, and the last few stay open. One thread.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <list>
#include <memory>
#include <string>
#include <vector>

#include <damrak/archive/day.hpp>
#include <damrak/feed/feed_session.hpp>
#include <damrak/market_data_api/query.hpp>

namespace damrak::market_data_api {

/// The feed session under way; null: it has not begun. No function: there is no feed.
using PresentSession = std::function<std::shared_ptr<const feed::FeedSession>()>;

/// A day as it was when it was opened.
struct OpenDay {
    std::string name;  ///< of the session (2026112300), or of the file without its extension
    bool is_present = false;
    archive::Day day;
    std::vector<archive::Instrument> instruments;

    /// Of its content.
    [[nodiscard]] std::string etag() const;
    [[nodiscard]] Result<std::uint16_t> locate(const std::string& symbol) const;
};

class Days {
  public:
    Days(std::filesystem::path folder, PresentSession present)
        : folder_(std::move(folder)), present_(std::move(present)) {}

    /// By name, or by date (2026-11-23: its last session). Where the text is empty, the present
    /// one, also if it has not begun; without a feed the newest.
    [[nodiscard]] Result<std::shared_ptr<const OpenDay>> find(const std::string& text);
    /// Newest first.
    [[nodiscard]] std::vector<std::string> names() const;

  private:
    [[nodiscard]] std::shared_ptr<const feed::FeedSession> present_session() const {
        return present_ ? present_() : nullptr;
    }
    [[nodiscard]] Result<std::shared_ptr<const OpenDay>> open(const std::string& name);

    std::filesystem::path folder_;
    PresentSession present_;
    std::list<std::shared_ptr<const OpenDay>> open_;  ///< the one used last first
};

}  // namespace damrak::market_data_api
