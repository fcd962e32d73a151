#include "support/simulation/fix_counterparty.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include <damrak/fix_codec/tags.hpp>

namespace damrak::simulation {

namespace {

namespace tag = fix_codec::tag;
using fix_codec::BeginString;
using session::fix::Ended;

session::fix::SessionSettings settings_of(std::uint32_t number, RandomStream& random) {
    constexpr std::array k_versions{BeginString::fix42, BeginString::fix44, BeginString::fixt11};
    session::fix::SessionSettings settings;
    settings.name = {.begin_string = k_versions.at(random.below(3)),
                     .sender_comp_id = fmt::format("C{}", number),
                     .target_comp_id = "DAMRAK",
                     .sender_sub_id = {},
                     .target_sub_id = {}};
    settings.role = session::fix::Role::initiator;
    settings.heartbeat_s = 1;
    settings.next_expected = settings.name.begin_string >= BeginString::fix44 && random.coin();
    settings.resend_request_messages = random.coin() ? 0 : 1 + random.below(5);
    settings.early_bytes = random.coin() ? 65'536 : 600;
    settings.maximum_message_bytes = 1'024;
    return session::fix::checked(settings).value();
}

}  // namespace

FixCounterparty::FixCounterparty(std::uint32_t number, std::uint64_t seed, Timestamp now)
    : random_(seed),
      settings_(settings_of(number, random_)),
      store_({.bytes = std::size_t{1} << 20U, .messages = 8'192}, now),
      memory_(16'384),
      session_(std::make_unique<Session>(*this, store_, tools_, settings_)),
      rules_{.most_delay_ns = 1'000'000 + random_.below(20'000'000),
             .window_bytes = 2'000 + random_.below(6'000),
             .part_percent = random_.below(60)} {}

std::optional<std::string> FixCounterparty::step(simulation::Network& network, Timestamp now,
                                                 bool troubled) {
    if (!socket_.open()) {
        if (random_.below(6) == 0) connect(network, now);
    } else {
        move_bytes(now);
    }
    if (troubled) trade(now);
    session_->on_time(now);
    if (socket_.open()) {
        const Ended ended = session_->ended();
        if (ended == Ended::bad_sequence || ended == Ended::logon_refused)
            complain(fmt::format("its session ended: {}", session_->ended_text()));
        if (ended != Ended::no || (troubled && random_.below(150) == 0))
            lose(now, troubled && random_.below(4) == 0);
    }
    if (!complaint_) return std::nullopt;
    return fmt::format("{}: {}", name(), *complaint_);
}

void FixCounterparty::complain(std::string what) {
    if (!complaint_) complaint_ = std::move(what);
}

void FixCounterparty::connect(simulation::Network& network, Timestamp now) {
    socket_ = network.connect(rules_);
    if (!socket_.open()) return;
    if (settings_.reset_on_logon) {
        // Drops unsent orders.
        earlier_orders_ = orders_.size();
        earlier_reports_ = reports_.size();
        highest_ = 0;
        numbers_.clear();
    }
    out_ = session::OutputBuffer{memory_};
    inbox_.clear();
    heard_.clear();
    session_->connect(out_, now);
}

void FixCounterparty::move_bytes(Timestamp now) {
    std::array<std::byte, 4'096> room{};
    const auto got = socket_.receive(room);
    hear(std::span{room}.first(got.bytes));
    const auto received = session_->receive(std::as_bytes(std::span{inbox_}), now);
    inbox_.erase(0, received.consumed_bytes);
    const auto waiting = out_.readable();
    if (!waiting.empty()) out_.consume(socket_.send(waiting));
    if (got.closed && session_->ended() == Ended::no) lose(now, false);
}

/// Receives all bytes of the connection, whatever the session makes of them.
void FixCounterparty::hear(std::span<const std::byte> bytes) {
    const std::string_view text{reinterpret_cast<const char*>(bytes.data()), bytes.size()};
    inbox_ += text;
    heard_ += text;
    for (;;) {
        Message message;
        const auto scan = decoder_.scan(heard_, message);
        if (scan.status == fix_codec::Scan::Status::need_more) return;
        if (scan.status != fix_codec::Scan::Status::message) return complain("garbled bytes");
        check(message);
        heard_.erase(0, scan.bytes);
    }
}

/// A number is sent once without PossDupFlag, and numbers increase; a report never changes its
/// number.
void FixCounterparty::check(const Message& message) {
    const bool again = message.text_or_empty(tag::poss_dup_flag) == "Y";
    const std::uint64_t number = message.sequence();
    if (!again && number <= highest_)
        complain(fmt::format("number {} came without PossDupFlag after {}", number, highest_));
    if (again && number > highest_)
        complain(fmt::format("number {} came as a duplicate before it was sent", number));
    highest_ = std::max(highest_, number);
    duplicates_ += std::uint64_t{again};
    if (message.msg_type() != "8") return;
    const std::string report{message.text_or_empty(tag::exec_id)};
    const auto [found, is_new] = numbers_.emplace(report, number);
    if (!is_new && found->second != number)
        complain(
            fmt::format("report {} came as number {} and as {}", report, found->second, number));
}

void FixCounterparty::on_admin(Session& /*session*/, const Message& message) {
    if (message.msg_type() == "3")
        complain(fmt::format("refused: {}", message.text_or_empty(tag::text)));
}

session::fix::Reply FixCounterparty::on_message(Session& /*session*/, const Message& message) {
    const std::string_view type = message.msg_type();
    if (type == "j") complain(fmt::format("refused: {}", message.text_or_empty(tag::text)));
    if (type != "8") return session::fix::Reply::accept();
    const std::string_view id = message.text_or_empty(tag::exec_id);
    if (id.find('-') != std::string_view::npos) reports_.emplace_back(id);
    const std::string_view status = message.text_or_empty(tag::ord_status);
    const std::string_view name = message.text_or_empty(tag::cl_ord_id);
    // The gateway has no reason to: each order is valid, with a unique name.
    if (status == "8" && id.find('-') == std::string_view::npos)
        complain(fmt::format("order {} was refused: {}", name, message.text_or_empty(tag::text)));
    if (const std::string_view old = message.text_or_empty(tag::orig_cl_ord_id); !old.empty())
        if (const auto found = open_.find(old); found != open_.end()) open_.erase(found);
    if (status == "0" || status == "1") {
        open_[std::string{name}] = {.side = message.text_or_empty(tag::side).front(),
                                    .symbol = std::string{message.text_or_empty(tag::symbol)}};
    } else if (const auto found = open_.find(name); found != open_.end()) {
        open_.erase(found);
    }
    return session::fix::Reply::accept();
}

std::string FixCounterparty::next_name() { return fmt::format("{}-{}", name(), ++requests_); }

/// With or without a connection: messages that cannot be sent now are sent on request.
void FixCounterparty::trade(Timestamp now) {
    if (random_.below(25) == 0) send_order(now);
    if (random_.below(80) == 0 && !open_.empty()) send_cancel(now);
}

void FixCounterparty::send_order(Timestamp now) {
    const std::string name = next_name();
    const bool kept = session_->send("D", now, [&](fix_codec::MessageWriter& writer) {
        writer.put(tag::cl_ord_id, name).put_char(tag::handl_inst, '1');
        writer.put(tag::symbol, random_.coin() ? "TEST" : "AAPL");
        writer.put_char(tag::side, random_.coin() ? '1' : '2');
        writer.put_timestamp(tag::transact_time, now, settings_.time_precision);
        writer.put(tag::order_qty, 1 + random_.below(50)).put_char(tag::ord_type, '2');
        writer.put_decimal(tag::price, 995 + random_.below(10), 2);
        if (random_.below(4) == 0) writer.put_char(tag::time_in_force, '3');
    });
    if (kept) orders_.push_back(name);
}

void FixCounterparty::send_cancel(Timestamp now) {
    auto order = open_.begin();
    std::advance(order, random_.below(static_cast<std::uint32_t>(open_.size())));
    const std::string name = next_name();
    static_cast<void>(session_->send("F", now, [&](fix_codec::MessageWriter& writer) {
        writer.put(tag::orig_cl_ord_id, order->first).put(tag::cl_ord_id, name);
        writer.put(tag::symbol, order->second.symbol).put_char(tag::side, order->second.side);
        writer.put_timestamp(tag::transact_time, now, settings_.time_precision);
        writer.put(tag::order_qty, 1);
    }));
}

void FixCounterparty::start_over(Timestamp now) {
    if (socket_.open()) lose(now, false);
    started_over_ = settings_.reset_on_logon = true;
}

void FixCounterparty::lose(Timestamp now, bool dies) {
    ++losses_;
    const std::uint32_t how = random_.below(10);
    if (how < 5)
        socket_.close();
    else if (how < 9)
        socket_.reset();
    else
        socket_.vanish();
    socket_ = {};
    if (!dies) return session_->close(now);
    ++deaths_;
    session_ = std::make_unique<Session>(*this, store_, tools_, settings_);
}

}  // namespace damrak::simulation
