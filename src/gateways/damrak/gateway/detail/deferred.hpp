// The queue of connections that are served after all others: first in, first out, linked through
// the connections' `next_behind`. Owned by a TcpGateway, its thread alone.
#pragma once

#include <cstddef>
#include <utility>

namespace damrak::gateway::detail {

template <class Connection>
class Deferred {
  public:
    void push(Connection& connection) {
        connection.next_behind = nullptr;
        (size_ == 0 ? first_ : last_->next_behind) = &connection;
        last_ = &connection;
        ++size_;
    }
    [[nodiscard]] Connection& pop() {
        --size_;
        return *std::exchange(first_, first_->next_behind);
    }
    [[nodiscard]] std::size_t size() const { return size_; }

  private:
    Connection* first_ = nullptr;
    Connection* last_ = nullptr;
    std::size_t size_ = 0;
};

}  // namespace damrak::gateway::detail
