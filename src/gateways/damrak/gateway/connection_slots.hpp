// The connections of a gateway. Each is allocated when first needed and reused after it ended.
// Owned by a gateway, its thread alone. Their addresses do not change; taking one is O(1), and
// allocates only if more are open than ever before.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include <damrak/domain/identifiers.hpp>

namespace damrak::gateway {

/// Number of a connection of a gateway, from 1; reused for another client after it ended.
using ConnectionNumber = Identifier<struct ConnectionNumberTag, std::uint32_t>;

}  // namespace damrak::gateway

namespace damrak::gateway::detail {

template <class Connection>
class ConnectionSlots {
  public:
    /// Reserves room for `most` connections; there may be more.
    void reserve(std::size_t most) {
        all_.reserve(most);
        free_.reserve(most);
    }
    [[nodiscard]] Connection& take(std::size_t input_bytes, std::size_t output_bytes) {
        if (free_.empty()) {
            const ConnectionNumber number{static_cast<std::uint32_t>(all_.size() + 1)};
            all_.push_back(std::make_unique<Connection>(number, input_bytes, output_bytes));
            return *all_.back();
        }
        Connection& connection = *free_.back();
        free_.pop_back();
        return connection;
    }
    void give_back(Connection& connection) { free_.push_back(&connection); }
    [[nodiscard]] Connection& at(ConnectionNumber number) { return *all_[number.value - 1]; }
    /// All connections, in use or not.
    [[nodiscard]] const std::vector<std::unique_ptr<Connection>>& all() const { return all_; }

  private:
    std::vector<std::unique_ptr<Connection>> all_;
    std::vector<Connection*> free_;
};

}  // namespace damrak::gateway::detail
