// The logged-in connections of each participant, latest first. If the session that entered an order
// is gone, its reports go to the latest. Part of a gateway, on its thread. O(1) a call, no
// allocation after construction.
#pragma once

#include <cstddef>
#include <vector>

#include <damrak/domain/identifiers.hpp>

namespace damrak::gateway::binary::detail {

/// Base class of a connection: its place in the list.
template <class Connection>
class Logins;

template <class Connection>
class LoginLinks {
  public:
    ParticipantId login{};  ///< the participant it is listed under; zero: not listed
    Connection* earlier_login = nullptr;
    Connection* later_login = nullptr;

  private:
    friend Connection;
    friend Logins<Connection>;
    LoginLinks() = default;
};

template <class Connection>
class Logins {
  public:
    explicit Logins(std::size_t participants) : latest_(participants + 1) {}

    /// Makes the connection the latest one, even if it is listed already.
    void add(Connection& connection, ParticipantId participant) {
        remove(connection);
        Connection*& latest = latest_[participant.value];
        connection.login = participant;
        connection.earlier_login = latest;
        if (latest != nullptr) latest->later_login = &connection;
        latest = &connection;
    }
    void remove(Connection& connection) {
        if (!connection.login) return;
        if (connection.later_login != nullptr)
            connection.later_login->earlier_login = connection.earlier_login;
        else
            latest_[connection.login.value] = connection.earlier_login;
        if (connection.earlier_login != nullptr)
            connection.earlier_login->later_login = connection.later_login;
        static_cast<LoginLinks<Connection>&>(connection) = LoginLinks<Connection>{};
    }
    /// Null if the participant has no connection.
    [[nodiscard]] Connection* latest(ParticipantId participant) const {
        return participant.value < latest_.size() ? latest_[participant.value] : nullptr;
    }

  private:
    std::vector<Connection*> latest_;
};

}  // namespace damrak::gateway::binary::detail
