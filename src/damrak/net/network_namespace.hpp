// Networks of our own inside this machine: namespaces, and a pair of virtual Ethernet cards between
// two of them. For tests, the laboratory and `damrak load`; needs root and the program `ip`. They
// have no names and are gone with their owner, however that ends. Set-up only.
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

    /// Calls `f` with this thread inside: the sockets and processes made there belong here.
    template <class F>
    decltype(auto) run(F&& f) const {
        const Visit visit{here_.number()};
        return std::forward<F>(f)();
    }
    [[nodiscard]] int descriptor() const { return here_.number(); }

  private:
    /// Moves this thread for as long as it lives.
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

/// Two namespaces with a card each, joined by a cable.
struct VethPair {
    static constexpr const char* k_interface = "damrak0";  ///< in each
    static constexpr const char* k_left_address = "10.26.4.1";
    static constexpr const char* k_right_address = "10.26.4.2";

    /// Cards with so many queues each way. An error says what is missing, such as root.
    [[nodiscard]] static std::expected<VethPair, std::string> make(unsigned queues = 1);

    NetworkNamespace left;
    NetworkNamespace right;
};

/// Runs a program to its end; what it says is dropped. Whether it succeeded.
[[nodiscard]] bool run_quietly(const std::string& command_line);

}  // namespace damrak::net
