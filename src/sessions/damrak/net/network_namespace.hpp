// Private networks inside this machine: namespaces, and a pair of virtual Ethernet cards between
// two of them. For tests, the laboratory and `damrak load`; needs root and the program `ip`. They
// have no names and vanish with the process, however it ends. Set-up only.
#pragma once

#include <expected>
#include <span>
#include <string>
#include <utility>

#include <damrak/net/tcp.hpp>

namespace damrak::net {

class NetworkNamespace {
  public:
    [[nodiscard]] static std::expected<NetworkNamespace, std::string> make();

    /// Calls `f` with this thread inside the namespace: sockets and processes made there belong to
    /// it.
    template <class F>
    decltype(auto) run(F&& f) const {
        const Visit visit{here_.number()};
        return std::forward<F>(f)();
    }
    [[nodiscard]] int descriptor() const { return here_.number(); }

  private:
    /// Moves this thread into the namespace for the lifetime of the object.
    class Visit {
      public:
        explicit Visit(int where);
        Visit(const Visit&) = delete;
        Visit& operator=(const Visit&) = delete;
        ~Visit();

      private:
        Descriptor home_;
    };

    explicit NetworkNamespace(Descriptor here) : here_(std::move(here)) {}

    Descriptor here_;
};

/// Two namespaces with one card each, connected by a cable.
struct VethPair {
    static constexpr const char* k_interface = "damrak0";  ///< in each
    static constexpr const char* k_left_address = "10.26.4.1";
    static constexpr const char* k_right_address = "10.26.4.2";

    /// Cards with that many queues in each direction. The error says what is missing, such as root.
    [[nodiscard]] static std::expected<VethPair, std::string> make(unsigned queues = 1);

    NetworkNamespace left;
    NetworkNamespace right;
};

/// Runs a program to its end, without its output. Returns whether it succeeded.
[[nodiscard]] bool run_quietly(const std::string& command_line);

}  // namespace damrak::net
