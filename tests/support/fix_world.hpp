// A FIX session with an application that answers orders, in virtual time: the basis of the session
// tests, the fuzz target and the scenario files.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <damrak/session/fix/memory_store.hpp>
#include <damrak/session/fix/session.hpp>

#include "support/fix_text.hpp"

namespace damrak::testing {

/// Whether this is a header or trailer field, which an echo leaves to the session.
[[nodiscard]] bool is_envelope_field(fix_codec::Tag tag);

/// Echoes each order with the same fields. Ignores an order with PossResend and a known ClOrdID.
/// Execution reports are not supported; an order of INTC2 is rejected with a tag, one of NONE by a
/// business reject.
class EchoApplication {
  public:
    using Message = fix_codec::Message;

    explicit EchoApplication(const Timestamp& now) : now_(&now) {}

    template <class S>
    void on_logon(S& /*session*/) {
        happened.emplace_back("logon");
    }
    template <class S>
    void on_logout(S& /*session*/, session::fix::Ended reason, std::string_view text) {
        happened.push_back("logout: " + std::string{session::fix::text(reason)} +
                           (text.empty() ? "" : ": ") + std::string{text});
    }
    template <class S>
    void on_admin(S& /*session*/, const Message& message) {
        if (message.msg_type() == "3")
            happened.push_back("reject of " +
                               std::string{message.text_or_empty(fix_codec::tag::ref_seq_num)});
    }
    template <class S>
    session::fix::Reply on_message(S& session, const Message& message) {
        namespace tag = fix_codec::tag;
        using session::fix::BusinessRejectReason;
        using session::fix::Reply;
        if (message.msg_type() != "D") return Reply::unsupported();
        const std::string_view symbol = message.text_or_empty(tag::symbol);
        if (symbol == "INTC2")
            return Reply::reject(tag::symbol, fix_codec::SessionRejectReason::value_incorrect);
        if (symbol == "NONE")
            return Reply::business_reject(BusinessRejectReason::unknown_security, "Unknown symbol",
                                          message.text_or_empty(tag::cl_ord_id));
        const std::string id{message.text_or_empty(tag::cl_ord_id)};
        const bool is_new = known_.insert(id).second;
        if (!is_new && message.text_or_empty(tag::poss_resend) == "Y") return Reply::accept();
        happened.push_back("order " + id);
        if (answers_later) return Reply::wait();
        if (!echoes) return Reply::accept();
        session.send(
            "D", *now_,
            [&](fix_codec::MessageWriter& writer) {
                for (const fix_codec::Field& field : message.fields())
                    if (!is_envelope_field(field.tag)) writer.put(field.tag, message.value(field));
            },
            {}, session::fix::Routing::reversed(message));
        return Reply::accept();
    }

    std::vector<std::string> happened;
    bool echoes = true;
    bool answers_later = false;  ///< each order waits for Session::complete()

  private:
    const Timestamp* now_;
    std::set<std::string, std::less<>> known_;
};

/// The session, its store that outlives it, and its connection.
class FixWorld {
  public:
    using Session = session::fix::Session<EchoApplication, session::fix::MemoryStore>;

    FixWorld(const session::fix::SessionSettings& settings, Timestamp start,
             std::size_t output_bytes = std::size_t{1} << 18U);

    Timestamp now;
    EchoApplication application{now};

    [[nodiscard]] Session& session() { return *session_; }
    [[nodiscard]] session::fix::MemoryStore& store() { return store_; }
    [[nodiscard]] session::fix::SessionTools& tools() { return tools_; }

    void connect();
    /// Passes the bytes to the session, after those that it left before.
    void receive(std::string_view bytes);
    /// Pending output of the session; the other side reads all of it. Closes the connection if the
    /// session asks for it.
    [[nodiscard]] std::string take_output();
    void disconnect();
    /// The process is killed and restarts with the same store.
    void restart();
    [[nodiscard]] bool connected() const { return session_->connected(); }

  private:
    session::fix::SessionSettings settings_;
    session::fix::SessionTools tools_;
    session::fix::MemoryStore store_;
    std::vector<std::byte> memory_;
    session::OutputBuffer out_;
    std::unique_ptr<Session> session_;
    std::string rest_;
};

}  // namespace damrak::testing
