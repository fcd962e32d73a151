// A FIX client and a FIX acceptor with small applications, for the tests of both: orders come back
// as executions, and all events are recorded.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <damrak/client/fix_acceptor.hpp>
#include <damrak/client/fix_client.hpp>

namespace damrak::client {

namespace tag = fix_codec::tag;
using Lines = std::vector<std::string>;

inline void put_order(fix_codec::MessageWriter& order, std::string_view name, Timestamp now) {
    order.put(tag::cl_ord_id, name).put_char(tag::handl_inst, '1').put(tag::symbol, "TEST");
    order.put_char(tag::side, '1')
        .put_timestamp(tag::transact_time, now, fix_codec::TimePrecision::milliseconds);
    order.put(tag::order_qty, 100).put_char(tag::ord_type, '2').put(tag::price, "10.01");
}

/// Common part of both sides.
struct Listening {
    void on_logon(auto& session) {
        lines.push_back(fmt::format("{} logged on", session.settings().name.target_comp_id));
    }
    void on_logout(auto& session, session::fix::Ended why, std::string_view text) {
        lines.push_back(fmt::format("{} gone: {}{}{}", session.settings().name.target_comp_id,
                                    session::fix::text(why), text.empty() ? "" : ": ", text));
    }
    [[nodiscard]] Lines take() { return std::exchange(lines, {}); }
    Lines lines{};
};

struct TestMarket : Listening {
    session::fix::Reply on_message(auto& session, const fix_codec::Message& order) {
        const std::string_view name = order.text_or_empty(tag::cl_ord_id);
        lines.push_back(fmt::format("order {}", name));
        ++count;
        session.send("8", session.now(), [&](fix_codec::MessageWriter& report) {
            report.put(tag::avg_px, 0).put(tag::cl_ord_id, name).put(tag::cum_qty, 0);
            report.put(tag::exec_id, count).put(tag::order_id, count);
            report.put_char(tag::ord_status, '0').put_char(tag::side, '1');
            report.put(tag::symbol, "TEST").put_char(tag::exec_type, '0');
            report.put(tag::leaves_qty, 100);
        });
        return session::fix::Reply::accept();
    }
    int count = 0;
};

struct TestTrader : Listening {
    session::fix::Reply on_message(auto& /*session*/, const fix_codec::Message& report) {
        lines.push_back(fmt::format("order {} is {}{}", report.text_or_empty(tag::cl_ord_id),
                                    report.text_or_empty(tag::ord_status),
                                    report.has(tag::poss_dup_flag) ? " again" : ""));
        return session::fix::Reply::accept();
    }
};

inline session::fix::SessionSettings session_of(std::string sender, std::string target) {
    session::fix::SessionSettings settings;
    settings.name = {.sender_comp_id = std::move(sender), .target_comp_id = std::move(target)};
    return settings;
}

}  // namespace damrak::client
