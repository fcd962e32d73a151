// Order entry by FIX: requests become commands, or are answered without one. On the thread of the
// gateways; no allocation, except where a participant cancels more quotes than any did before.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include <damrak/fix_codec/tags.hpp>
#include <damrak/gateway/fix/detail/fields.hpp>
#include <damrak/gateway/fix/detail/lists.hpp>
#include <damrak/gateway/fix/detail/order_values.hpp>
#include <damrak/gateway/fix/detail/quotes.hpp>
#include <damrak/gateway/fix/detail/reporting.hpp>

namespace damrak::gateway::fix {

namespace detail {

/// By which a request names its order.
[[nodiscard]] inline std::string_view target_name(const fix_codec::Message& message) {
    namespace tag = fix_codec::tag;
    return message.text_or_empty(message.has(tag::orig_cl_ord_id) ? tag::orig_cl_ord_id
                                                                  : tag::cl_ord_id);
}

[[nodiscard]] inline OrderId target_id(const fix_codec::Message& message) {
    const auto id = message.integer(fix_codec::tag::order_id);
    return OrderId{id && *id > 0 ? static_cast<std::uint64_t>(*id) : 0};
}

}  // namespace detail

template <class Exchange, class Store>
class FixOrderIntake {
  public:
    using Context = FixContext<Exchange, Store>;
    using Client = ConnectedClient<Exchange, Store>;
    using Sessions = FixSessionTable<Exchange, Store>;
    using Reports = FixReporting<Exchange, Store>;
    using Message = fix_codec::Message;
    using Reply = session::fix::Reply;

    FixOrderIntake(Context& context, Sessions& sessions, Reports& reports)
        : context_(&context), sessions_(&sessions), reports_(&reports) {}

    // detail/requests.hpp
    [[nodiscard]] Reply new_order(Client& client, const Message& message);
    // detail/new_order_list.hpp
    [[nodiscard]] Reply new_order_list(Client& client, const Message& message);
    void enter_second(Client& client);
    // detail/change_order.hpp; `request` is F or G
    [[nodiscard]] Reply change_order(Client& client, const Message& message, char request);
    // detail/order_status.hpp
    [[nodiscard]] Reply order_status(Client& client, const Message& message);
    // detail/mass_requests.hpp
    [[nodiscard]] Reply mass_status(Client& client, const Message& message);
    [[nodiscard]] Reply mass_cancel(Client& client, const Message& message);
    // detail/mass_quotes.hpp
    [[nodiscard]] Reply mass_quote(Client& client, const Message& message);
    [[nodiscard]] Reply quote_cancel(Client& client, const Message& message);
    /// Another session of the participant has a pending request with the same name.
    [[nodiscard]] bool is_under_way(const Client& client, const Message& message) const;

  private:
    using Refusal = detail::Refusal;

    /// A client that asks for more at once would hold up the others.
    static constexpr std::uint32_t k_most_reports = 1'000;
    static constexpr std::uint32_t k_most_looked_at = 65'536;

    [[nodiscard]] bool is_taken(const Client& client, const Message& message,
                                std::string_view name) const {
        return context_->orders.is_taken(client.participant, name) ||
               (client.shares_participant && is_under_way(client, message));
    }
    /// `to_keep`: it has fields that reports repeat, or that say who gets the answer.
    [[nodiscard]] detail::Asked<void> submit(Client& client, const Command& command,
                                             const Message& message, FixNote note,
                                             const FixOrder* order, bool to_keep);
    [[nodiscard]] detail::Asked<void> note_asking(const Client& client,
                                                  typename Client::Asking& asking,
                                                  const Command& command, const Message& message,
                                                  FixNote& note, const FixOrder* order,
                                                  bool to_keep) const;
    /// The command of what the client asks for.
    void dispatch(Client& client, const Command& command, const FixNote& note);
    /// The reply to a request that was submitted. If its answers come later, the session alone
    /// waits for them: a request counts as received once it is in the journal, and the next one may
    /// be about the order that this one makes.
    [[nodiscard]] static Reply taken(const Client& client);
    [[nodiscard]] detail::FixText not_supported(const Client& client, fix_codec::Tag tag) const;
    void refuse_order(Client& client, const Message& message, const Refusal& refusal);

    [[nodiscard]] bool is_told_again(Client& client, const Message& list);
    [[nodiscard]] detail::Asked<Command> read_listed(const Client& client,
                                                     const Message& order) const;
    void refuse_listed(Client& client, std::size_t wrong, const Refusal& refusal);
    [[nodiscard]] Reply submit_list(Client& client, const std::array<Command, 2>& commands,
                                    Contingency contingency);
    void refuse_second(Client& client, std::string_view why);
    void answer_list(Client& client, const Message& message, const Refusal* refusal);

    [[nodiscard]] detail::Asked<void> check_target(const Message& message, const FixOrder& order,
                                                   char request) const;
    [[nodiscard]] const FixOrder* target_of(const Client& client, const Message& message) const;
    [[nodiscard]] std::string_view earlier_name(const Client& client, std::string_view name,
                                                const FixOrder& order) const;
    void refuse_change(Client& client, const Message& message, char request, const FixOrder* order,
                       const Refusal& refusal);

    void tell_again(Client& client, const Message& message, std::string_view name);
    void refuse_status(Client& client, const Message& message, std::string_view text);
    void send_status(Client& client, const Message& message, const FixOrder& order,
                     const detail::Execution& asked);

    [[nodiscard]] Refusal obstacle_to_quotes(const Client& client, const Message& message,
                                             char request) const;
    [[nodiscard]] Reply cancel_all_quotes(Client& client, const Message& message);
    [[nodiscard]] Reply submit_quotes(Client& client, const Message& message, FixNote note);
    [[nodiscard]] Reply refuse_quotes(Client& client, const Message& message,
                                      const Refusal& refusal);
    void answer_quotes(Client& client, const Message& message, detail::QuoteAnswer answer);

    Context* context_;
    Sessions* sessions_;
    Reports* reports_;
    // Of the request that is read:
    std::array<Command, detail::QuoteRun::k_most> quotes_{};
    std::array<detail::ListedOrder, 2> listed_;
    std::vector<InstrumentId> quoted_;  ///< by the participant that cancels all
};

}  // namespace damrak::gateway::fix

#include <damrak/gateway/fix/detail/change_order.hpp>
#include <damrak/gateway/fix/detail/mass_quotes.hpp>
#include <damrak/gateway/fix/detail/mass_requests.hpp>
#include <damrak/gateway/fix/detail/new_order_list.hpp>
#include <damrak/gateway/fix/detail/order_status.hpp>
#include <damrak/gateway/fix/detail/requests.hpp>
