// Limits on open connections: in all, and of one client address. One thread.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <utility>

#include <boost/asio/ip/address.hpp>

namespace damrak::http {

class Places {
  public:
    using Address = boost::asio::ip::address;

    /// A place that is taken until this is destroyed.
    class Place {
      public:
        Place(Places& of, const Address& client) : of_(&of), client_(client) {}
        Place(Place&& other) noexcept
            : of_(std::exchange(other.of_, nullptr)), client_(std::move(other.client_)) {}
        Place& operator=(Place&&) = delete;
        Place(const Place&) = delete;
        Place& operator=(const Place&) = delete;
        ~Place() {
            if (of_ != nullptr) of_->give_back(client_);
        }
        [[nodiscard]] const Address& client() const { return client_; }

      private:
        Places* of_;
        Address client_;
    };

    Places(std::size_t maximum, std::size_t maximum_of_client)
        : maximum_(maximum), maximum_of_client_(maximum_of_client) {}

    /// Nothing if no place is left.
    [[nodiscard]] std::optional<Place> take(const Address& client) {
        std::size_t& of_client = open_of_[client];
        if (open_ < maximum_ && of_client < maximum_of_client_) {
            ++open_;
            ++of_client;
            return std::optional<Place>{std::in_place, *this, client};
        }
        if (of_client == 0) open_of_.erase(client);
        return std::nullopt;
    }

  private:
    void give_back(const Address& client) {
        --open_;
        const auto found = open_of_.find(client);
        if (--found->second == 0) open_of_.erase(found);
    }

    std::size_t maximum_;
    std::size_t maximum_of_client_;
    std::size_t open_ = 0;
    std::map<Address, std::size_t> open_of_;
};

}  // namespace damrak::http
