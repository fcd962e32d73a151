// Connections in the order of their last activity, to find idle ones. All share one timeout, so
// idle connections are at the front. Activity moves a connection to the back, O(1). The search for
// idle connections stops at the first active one, O(idle). One thread, no allocation: the nodes are
// members of the owner's connection records.
#pragma once

#include <cstdint>

#include <damrak/base/assert.hpp>
#include <damrak/domain/measures.hpp>

namespace damrak::session {

class ActivityList {
  public:
    /// What an element of the list has.
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
    /// Records activity. Times must not decrease from call to call.
    void touch(Node& node, Timestamp now) {
        remove(node);
        append(node, now);
    }

    /// The connection that has been idle longest; null if there is none.
    [[nodiscard]] Node* oldest() { return ring_.next_ == &ring_ ? nullptr : ring_.next_; }

    /// The first of the `most` that have been idle longest for which this holds; null: none.
    template <class Wanted>
    [[nodiscard]] Node* find(int most, Wanted&& wanted) {
        for (Node* at = ring_.next_; at != &ring_ && most > 0; at = at->next_, --most)
            if (wanted(*at)) return at;
        return nullptr;
    }

    /// Calls `f` for each connection without activity since `limit`, after removing it from the
    /// list. Returns how many nodes were examined: the idle ones and one more.
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
