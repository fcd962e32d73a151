// The depth of a day from its first messages: what wire/itch/view_mark.hpp says of System Event O
// and the Stock Directory.
#pragma once

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include <damrak/archive/day_depth.hpp>
#include <damrak/feed/feed_session.hpp>
#include <damrak/wire/itch/messages.hpp>
#include <damrak/wire/itch/view_mark.hpp>
#include <damrak/wire/itch/walk.hpp>

namespace damrak::archive {

class ViewDepth {
  public:
    void on(const wire::itch::SystemEvent& event) {
        marks_.note(event);
        depth_.book_from_ns = marks_.known_from_ns();
        depth_.book_until_ns = marks_.known_until_ns();
    }
    void on(const wire::itch::StockDirectory& directory) {
        if (marks_.are_told()) depth_ = depth_of(directory.tracking_number);
    }
    void on(const auto& /*other*/) {}
    [[nodiscard]] const DayDepth& depth() const { return depth_; }

    /// Of a session whose first messages are there.
    [[nodiscard]] static DayDepth of(std::shared_ptr<const feed::FeedSession> session) {
        ViewDepth first;
        std::vector<std::byte> memory(feed::FeedSession::k_longest_frame);
        feed::FeedReader reader{std::move(session), 1};
        static_cast<void>(wire::itch::walk(reader.read(memory), first));
        return first.depth();
    }

  private:
    wire::itch::ViewMarks marks_;
    DayDepth depth_{};
};

}  // namespace damrak::archive
