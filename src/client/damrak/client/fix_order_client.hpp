// A connection to the FIX gateway that is kept up (order_client.hpp): a session that logs on,
// reconnects with its sequence numbers, and reports when a retry is useless. Used by `damrak term
// --fix` and `damrak sim join`. For messages of one's own take FixClient.
#pragma once

#include <cstdint>
#include <expected>
#include <memory>
#include <string>

#include <damrak/client/fix_client.hpp>
#include <damrak/client/fix_order_entry.hpp>
#include <damrak/client/order_client.hpp>
#include <damrak/net/tls_tcp.hpp>

namespace damrak::client {

/// Where and how an order client connects by FIX, and its comp ids.
struct FixOrderClientSettings {
    std::string version = "fix44";  ///< or fix42, fix50sp2
    std::string comp_id = "CLIENT";
    std::string exchange_comp_id = "DAMRAK";
    std::string user_name{};
    std::string password{};
    bool market_data = true;        ///< asked for over the session
    net::TlsContext::Shared tls{};  ///< null: without TLS
};

class FixOrderClient final : public OrderClient {
  public:
    [[nodiscard]] static std::expected<std::unique_ptr<FixOrderClient>, std::string> make(
        const std::string& host, std::uint16_t port, const FixOrderClientSettings& settings);
    FixOrderClient(const FixOrderClient&) = delete;
    FixOrderClient(FixOrderClient&&) = delete;
    FixOrderClient& operator=(const FixOrderClient&) = delete;
    FixOrderClient& operator=(FixOrderClient&&) = delete;
    ~FixOrderClient() override = default;

    std::size_t do_work(std::int64_t now_ns) override;
    [[nodiscard]] std::int64_t next_step_ns(std::int64_t now_ns) const override;
    void refuse(std::string why) override;
    void log_out() override { client_->logout(); }

    [[nodiscard]] TermGateway& gateway() override { return entry_; }
    [[nodiscard]] std::string where() const override { return where_; }
    [[nodiscard]] State state() const override;
    [[nodiscard]] std::int64_t retry_at_ns() const override { return client_->retry_at().value; }
    [[nodiscard]] const std::string& trouble() const override { return trouble_; }
    [[nodiscard]] std::uint64_t losses() const override { return losses_; }
    [[nodiscard]] pollfd waits_for() const override;

  private:
    using Client = FixClient<FixOrderEntry, session::fix::MemoryStore, net::TlsTcp>;

    explicit FixOrderClient(std::string where);

    void look_at_loss(bool was_up);

    std::string where_;
    session::fix::MemoryStore store_;
    FixOrderEntry entry_;
    std::unique_ptr<Client> client_;
    bool refused_ = false;
    std::uint64_t losses_ = 0;
    std::string trouble_;
};

}  // namespace damrak::client
