// A lasting connection to the FIX gateway for `damrak term --fix`: a session of the library that
// logs on, reconnects with its sequence numbers, and reports when a retry is useless.
#pragma once

#include <cstdint>
#include <expected>
#include <memory>
#include <string>

#include <damrak/client/fix_client.hpp>
#include <damrak/client/fix_order_entry.hpp>
#include <damrak/net/tls_tcp.hpp>

#include "term/link.hpp"
#include "tls_options.hpp"

namespace damrak::app {

struct FixLinkSettings {
    std::string version = "fix44";  ///< or fix42, fix50sp2
    std::string comp_id = "TERM";
    std::string exchange_comp_id = "DAMRAK";
    std::string user_name{};
    std::string password{};
    bool market_data = true;  ///< asked for over the session
    TlsOptions tls{};
};

class FixLink final : public Link {
  public:
    [[nodiscard]] static std::expected<std::unique_ptr<FixLink>, std::string> make(
        const std::string& host, std::uint16_t port, const FixLinkSettings& settings);
    FixLink(const FixLink&) = delete;
    FixLink(FixLink&&) = delete;
    FixLink& operator=(const FixLink&) = delete;
    FixLink& operator=(FixLink&&) = delete;
    ~FixLink() override = default;

    void do_work(std::int64_t now_ns) override;
    void refuse(std::string why) override;
    void log_out() override { client_->logout(); }

    [[nodiscard]] client::TermGateway& gateway() override { return entry_; }
    [[nodiscard]] std::string where() const override { return where_; }
    [[nodiscard]] State state() const override;
    [[nodiscard]] std::int64_t retry_at_ns() const override { return client_->retry_at().value; }
    [[nodiscard]] const std::string& trouble() const override { return trouble_; }
    [[nodiscard]] std::uint64_t losses() const override { return losses_; }
    [[nodiscard]] const net::Descriptor& socket() const override {
        return client_->socket().descriptor();
    }
    /// Unsent bytes wait for the next turn.
    [[nodiscard]] bool wants_to_write() const override { return false; }

  private:
    using Client = client::FixClient<client::FixOrderEntry, session::fix::MemoryStore, net::TlsTcp>;

    explicit FixLink(std::string where);

    void look_at_loss(bool was_up);

    std::string where_;
    session::fix::MemoryStore store_;
    client::FixOrderEntry entry_;
    std::unique_ptr<Client> client_;
    bool refused_ = false;
    std::uint64_t losses_ = 0;
    std::string trouble_;
};

}  // namespace damrak::app
