// Lists by FIX: two orders, of which one cancels or triggers the other. They become two commands,
// and the second one names the order of the first: it is submitted once that is known, in the same
// call or in a later turn. Part of order_entry.hpp.
#pragma once

#include <array>
#include <cstddef>
#include <expected>
#include <string_view>

#include <damrak/fix_codec/dictionary.hpp>
#include <damrak/fix_codec/tags.hpp>
#include <damrak/gateway/fix/detail/order_entry.hpp>
#include <damrak/gateway/fix/detail/requests.hpp>

namespace damrak::gateway::fix {

template <class Exchange, class Store>
session::fix::Reply FixOrderIntake<Exchange, Store>::new_order_list(Client& client,
                                                                    const Message& message) {
    namespace tag = fix_codec::tag;
    const auto& dictionary = fix_codec::Dictionary::of(client.session.appl_version());
    if (!dictionary.has_field("E", tag::contingency_type)) return Reply::unsupported();
    const auto refused = [&](const Refusal& refusal) {
        answer_list(client, message, &refusal);
        return Reply::accept();
    };
    constexpr int k_unsupported = detail::OrderRefusal::k_unsupported;
    if (const auto field = detail::look_at_fields(message, 'E').refused)
        return refused({.code = k_unsupported, .text = not_supported(client, *field)});
    const auto contingency = detail::read_contingency(message);
    if (!contingency) return refused(contingency.error());
    std::size_t count = 0;
    for (const fix_codec::Group& entry : message.groups(*dictionary.group("E", tag::no_orders))) {
        if (count < listed_.size() && !listed_[count].read(message, entry, context_->tools.times))
            return refused({.code = 99,
                            .text = detail::FixText{"an order of a list has at most {} bytes",
                                                    detail::ListedOrder::k_bytes}});
        ++count;
    }
    if (count != listed_.size())
        return refused({.code = k_unsupported,
                        .text = detail::FixText{"a list has two orders here, in one message"}});
    if (is_told_again(client, message)) return Reply::accept();
    std::array<Command, 2> commands{};
    for (std::size_t i = 0; i < count; ++i) {
        auto command = read_listed(client, listed_[i].message());
        if (!command) {
            refuse_listed(client, i, command.error());
            return Reply::accept();
        }
        commands[i] = *command;
    }
    if (const auto checked = detail::check_pair(commands[0], commands[1], *contingency); !checked)
        return refused(checked.error());
    answer_list(client, message, nullptr);
    return submit_list(client, commands, *contingency);
}

/// Of a list that was sent before and says so.
template <class Exchange, class Store>
bool FixOrderIntake<Exchange, Store>::is_told_again(Client& client, const Message& list) {
    namespace tag = fix_codec::tag;
    if (list.text_or_empty(tag::poss_resend) != "Y") return false;
    bool is_known = false;
    for (const detail::ListedOrder& one : listed_) {
        const std::string_view name = one.message().text_or_empty(tag::cl_ord_id);
        if (!is_taken(client, one.message(), name)) continue;
        tell_again(client, one.message(), name);
        is_known = true;
    }
    return is_known;
}

template <class Exchange, class Store>
detail::Asked<Command> FixOrderIntake<Exchange, Store>::read_listed(const Client& client,
                                                                    const Message& order) const {
    namespace tag = fix_codec::tag;
    constexpr int k_duplicate = 6;
    const std::string_view name = order.text_or_empty(tag::cl_ord_id);
    if (name.size() > ClOrdId::k_length)
        return detail::refuse_value(99, "ClOrdID has at most {} characters", ClOrdId::k_length);
    const bool is_first = &order == &listed_[0].message();
    const bool is_other = !is_first && name == listed_[0].message().text_or_empty(tag::cl_ord_id);
    if (is_other || is_taken(client, order, name))
        return detail::refuse_value(k_duplicate, "ClOrdID {} was used before", name);
    const auto instrument = context_->instruments.named_in(order);
    if (!instrument) return std::unexpected{instrument.error()};
    auto command = detail::read_new_order(order, **instrument, false);
    if (!command) return command;
    if (const auto checked = detail::check_listed(*command, **instrument); !checked)
        return std::unexpected{checked.error()};
    command->participant = client.participant;
    return command;
}

/// Both, for what is wrong with one.
template <class Exchange, class Store>
void FixOrderIntake<Exchange, Store>::refuse_listed(Client& client, std::size_t wrong,
                                                    const Refusal& refusal) {
    const Refusal of_other{.code = 99,
                           .text = detail::FixText{"the other order of the list was refused"}};
    for (std::size_t i = 0; i < listed_.size(); ++i)
        refuse_order(client, listed_[i].message(), i == wrong ? refusal : of_other);
}

template <class Exchange, class Store>
session::fix::Reply FixOrderIntake<Exchange, Store>::submit_list(
    Client& client, const std::array<Command, 2>& commands, Contingency contingency) {
    auto& linking = client.linking;
    linking.command = commands[1];
    linking.command.flags |= CommandFlags::k_linked;
    linking.command.order.contingency = contingency;
    const auto note_of = [](const Message& order) {
        return FixNote{.name = {}, .request = 'E', .flags = detail::note_flags(order)};
    };
    const Message& first = listed_[0].message();
    const Message& second = listed_[1].message();
    linking.first = ClOrdId::of(first.text_or_empty(fix_codec::tag::cl_ord_id));
    linking.note = note_of(second);
    if (const auto noted = note_asking(client, linking.asking, linking.command, second,
                                       linking.note, nullptr, true);
        !noted) {
        refuse_listed(client, 1, noted.error());
        return Reply::accept();
    }
    if (const auto submitted = submit(client, commands[0], first, note_of(first), nullptr, true);
        !submitted) {
        refuse_listed(client, 0, submitted.error());
        return Reply::accept();
    }
    linking.waits = client.pending > 0;
    if (!linking.waits) enter_second(client);
    return taken(client);
}

/// What the first order has traded as it came in, the second one has lost.
template <class Exchange, class Store>
void FixOrderIntake<Exchange, Store>::enter_second(Client& client) {
    auto& linking = client.linking;
    linking.waits = false;
    Command& command = linking.command;
    const bool cancels = command.order.contingency == Contingency::one_cancels_other;
    const FixOrder* const first = context_->orders.find(client.participant, linking.first.view());
    if (first == nullptr) return refuse_second(client, "the other order of the list was refused");
    if (first->state == FixOrderState::open) {
        command.new_order_id = first->id;
        if (cancels) command.quantity -= first->executed;
    } else if (first->state == FixOrderState::filled && !cancels) {
        command.flags &= static_cast<CommandFlags::Bits>(~CommandFlags::k_linked);
        command.order.contingency = Contingency::none;
    } else {
        return refuse_second(client, "the other order of the list traded or ended at once");
    }
    if (command.quantity.value <= 0)
        return refuse_second(client, "the other order of the list traded as much at once");
    client.asking = linking.asking;
    dispatch(client, command, linking.note);
}

template <class Exchange, class Store>
void FixOrderIntake<Exchange, Store>::refuse_second(Client& client, std::string_view why) {
    const Command& command = client.linking.command;
    const InstrumentDefinition& instrument = context_->instruments.definition(command.instrument);
    const detail::ReportStyle style = client.style();
    const auto id = context_->own_id(style);
    const detail::Execution execution{.type = detail::Execution::k_rejected,
                                      .status = detail::Execution::k_rejected,
                                      .name = client.linking.asking.name.view(),
                                      .exec_id = id.view(),
                                      .symbol = instrument.symbol.view(),
                                      .price_decimals = instrument.price_decimals,
                                      .side = command.side,
                                      .side_sent = client.linking.note.side_sent(),
                                      .order_type = command.order_type,
                                      .time_in_force = command.time_in_force,
                                      .price = command.price,
                                      .stop = command.order.stop_price,
                                      .ordered = command.quantity,
                                      .time = context_->now,
                                      .reject_reason = 99,
                                      .text = why,
                                      .fields = client.linking.asking.attachment.view()};
    reports_->tell(client, "8", execution.fields,
                   [&](auto& writer) { detail::put_execution(writer, style, execution); });
}

/// Without a refusal: it was received.
template <class Exchange, class Store>
void FixOrderIntake<Exchange, Store>::answer_list(Client& client, const Message& message,
                                                  const Refusal* refusal) {
    const detail::ReportStyle style = client.style();
    reports_->reply_to(client, message, "N", [&](auto& writer) {
        detail::put_list_status(writer, style, message, refusal, context_->now);
    });
}

}  // namespace damrak::gateway::fix
