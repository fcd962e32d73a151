// An application of FIX sessions that accepts orders, for tests of clients: every fourth order is
// filled at once, the others rest until they are cancelled or replaced. One thread.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include <damrak/session/fix/session.hpp>

namespace damrak::testing {

class FixMarket {
  public:
    using Message = fix_codec::Message;
    using Reply = session::fix::Reply;

    void on_logon(auto& /*session*/) {}
    void on_logout(auto& /*session*/, session::fix::Ended /*why*/, std::string_view /*text*/) {
        left += 1;
    }
    Reply on_message(auto& session, const Message& message) {
        namespace tag = fix_codec::tag;
        const Key name{session.settings().name.target_comp_id,
                       message.text_or_empty(tag::cl_ord_id)};
        if (message.msg_type() == "D") {
            const auto quantity = message.integer(tag::order_qty);
            if (refuse_all || !quantity) {
                report(session, message, {}, '8', '8');
            } else {
                orders += 1;
                const Order order{.quantity = *quantity};
                report(session, message, order, '0', '0');
                const bool fills_now = orders % 4 == 0 || !message.has(tag::price);
                if (fills_now) {
                    fills += 1;
                    report(session, message, {*quantity, *quantity}, 'F', '2', *quantity);
                } else {
                    book_[name] = order;
                }
            }
            return Reply::accept();
        }
        const Key old{name.first, message.text_or_empty(tag::orig_cl_ord_id)};
        const auto found = book_.find(old);
        if (found == book_.end()) {
            not_found += 1;
            refuse(session, message, '8', 1);
            return Reply::accept();
        }
        if (message.msg_type() == "G" && late_every > 0 && ++asked_ % late_every == 0) {
            late += 1;
            refuse(session, message, '0', 0);
            return Reply::accept();
        }
        Order order = found->second;
        book_.erase(found);
        if (message.msg_type() == "F") {
            cancels += 1;
            report(session, message, {.quantity = 0}, '4', '4');
        } else {
            replaces += 1;
            order.quantity = message.integer(tag::order_qty).value_or(0);
            book_[name] = order;
            report(session, message, order, '5', '0');
        }
        return Reply::accept();
    }

    [[nodiscard]] std::size_t resting() const { return book_.size(); }

    bool refuse_all = false;
    std::uint64_t late_every = 0;  ///< one replace in this many is too late; the order stays
    std::uint64_t late = 0;
    std::uint64_t orders = 0;
    std::uint64_t fills = 0;
    std::uint64_t cancels = 0;
    std::uint64_t replaces = 0;
    std::uint64_t not_found = 0;
    std::uint64_t left = 0;

  private:
    using Key = std::pair<std::string, std::string>;
    struct Order {
        std::int64_t quantity = 0;
        std::int64_t filled = 0;
    };

    static void refuse(auto& session, const Message& message, char status, int reason) {
        namespace tag = fix_codec::tag;
        session.send("9", session.now(), [&](fix_codec::MessageWriter& reject) {
            reject.put(tag::cl_ord_id, message.text_or_empty(tag::cl_ord_id));
            reject.put(tag::order_id, "NONE").put_char(tag::ord_status, status);
            reject.put(tag::orig_cl_ord_id, message.text_or_empty(tag::orig_cl_ord_id));
            reject.put(tag::cxl_rej_reason, reason);
            reject.put_char(tag::cxl_rej_response_to, message.msg_type() == "F" ? '1' : '2');
        });
    }
    /// Market orders trade at 1.00, others at their price.
    void report(auto& session, const Message& message, const Order& order, char type, char status,
                std::int64_t traded = 0) {
        namespace tag = fix_codec::tag;
        // Before FIX.4.3 the type of a fill was its status, and each report had a transaction type.
        const bool old = session.settings().name.begin_string < fix_codec::BeginString::fix43;
        if (old && type == 'F') type = status;
        session.send("8", session.now(), [&](fix_codec::MessageWriter& report) {
            if (old) report.put_char(tag::exec_trans_type, '0');
            report.put(tag::avg_px, order.filled > 0 ? 1 : 0);
            report.put(tag::cl_ord_id, message.text_or_empty(tag::cl_ord_id));
            report.put(tag::cum_qty, order.filled).put(tag::exec_id, ++executions_);
            report.put(tag::order_id, orders + 1).put_char(tag::ord_status, status);
            if (message.has(tag::orig_cl_ord_id))
                report.put(tag::orig_cl_ord_id, message.text_or_empty(tag::orig_cl_ord_id));
            report.put(tag::side, message.text_or_empty(tag::side));
            report.put(tag::symbol, message.text_or_empty(tag::symbol));
            report.put_char(tag::exec_type, type);
            report.put(tag::leaves_qty, order.quantity - order.filled);
            report.put_timestamp(tag::transact_time, session.now(),
                                 fix_codec::TimePrecision::microseconds);
            if (traded > 0) {
                const std::string_view price = message.text_or_empty(tag::price);
                report.put(tag::last_qty, traded).put(tag::last_px, price.empty() ? "1.00" : price);
            }
            if (type == '8') report.put(tag::text, "closed for today");
        });
    }

    std::uint64_t asked_ = 0;
    std::map<Key, Order> book_;
    std::uint64_t executions_ = 0;
};

}  // namespace damrak::testing
