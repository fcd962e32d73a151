// Connections in the order of their last activity, to find the silent ones. All share one timeout,
// so the silent ones are at the front: activity moves a connection to the back, O(1), and a look
// for those that are due stops at the first that is not, O(due). One thread, no allocation: the
// nodes are members of what the owner keeps for a connection.
#pragma once

#include <cstdint>

#include <damrak/base/assert.hpp>
#include <damrak/domain/measures.hpp>

namespace damrak::session {

class ActivityList {
  public:
    class Node {
      public:
        Node() = default;
        Node(const Node&) = delete;
        Node& operator=(const Node&) = delete;
        [[nodiscard]] bool listed() const { return next_ != nullptr; }
        [[nodiscard]] Timestamp last_activity() const { return last_; }

      private:
        friend class ActivityList;
        Node* previous_ = nullptr;
        Node* next_ = nullptr;
        Timestamp last_{};
    };

    ActivityList() { ring_.previous_ = ring_.next_ = &ring_; }
    ActivityList(const ActivityList&) = delete;
    ActivityList& operator=(const ActivityList&) = delete;

    void add(Node& node, Timestamp now) {
        DAMRAK_ASSERT(!node.listed());
        append(node, now);
    }
    void remove(Node& node) {
        DAMRAK_ASSERT(node.listed());
        node.previous_->next_ = node.next_;
        node.next_->previous_ = node.previous_;
        node.previous_ = node.next_ = nullptr;
    }
    /// It was active. Times must not decrease from call to call.
    void touch(Node& node, Timestamp now) {
        remove(node);
        append(node, now);
    }

    /// The one that was silent the longest; null: there is none.
    [[nodiscard]] Node* oldest() { return ring_.next_ == &ring_ ? nullptr : ring_.next_; }

    /// Calls `f` for each connection without activity since `limit`, after taking it out. Returns
    /// how many nodes were looked at: those that were due, and one more.
    template <class F>
    std::uint64_t expire(Timestamp limit, F&& f) {
        std::uint64_t looked_at = 0;
        while (ring_.next_ != &ring_) {
            ++looked_at;
            Node& oldest = *ring_.next_;
            if (oldest.last_ > limit) break;
            remove(oldest);
            f(oldest);
        }
        return looked_at;
    }

  private:
    void append(Node& node, Timestamp now) {
        node.last_ = now;
        node.previous_ = ring_.previous_;
        node.next_ = &ring_;
        ring_.previous_->next_ = &node;
        ring_.previous_ = &node;
    }

    Node ring_;  ///< both ends
};

}  // namespace damrak::session
