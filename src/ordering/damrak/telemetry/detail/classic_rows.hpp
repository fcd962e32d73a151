// Rows of a run in the format of MiniExchange's server, with its file and column names, so that its
// tools can read them. All values are unsigned; `ts` is a count of the time-stamp counter.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace damrak::telemetry::classic {

struct Timings {
    static constexpr std::string_view k_name = "timings";
    std::uint64_t message_type = 0;
    std::uint64_t received = 0;
    std::uint64_t deserialized = 0;
    std::uint64_t buffered = 0;
    constexpr void fields(auto&& see) const {
        see("messageType", message_type);
        see("tReceived", received);
        see("tDeserialized", deserialized);
        see("tBuffered", buffered);
    }
};

struct Message {
    std::uint64_t ts = 0;
    std::uint64_t fd = 0;
    std::uint64_t client_id = 0;
    std::uint64_t type = 0;
    std::uint64_t ref = 0;
    constexpr void fields(auto&& see) const {
        see("ts", ts);
        see("fd", fd);
        see("clientID", client_id);
        see("type", type);
        see("ref", ref);
    }
};
struct Received : Message {
    static constexpr std::string_view k_name = "recv_messages";
};
struct Sent : Message {
    static constexpr std::string_view k_name = "sent_messages";
};

struct Added {
    static constexpr std::string_view k_name = "added_to_book";
    std::uint64_t ts = 0;
    std::uint64_t order_id = 0;
    std::uint64_t client_id = 0;
    std::uint64_t side = 0;
    std::uint64_t quantity = 0;
    std::uint64_t price = 0;
    std::uint64_t time_in_force = 0;
    std::uint64_t good_till = 0;
    std::uint64_t instrument_id = 0;
    std::uint64_t ref = 0;
    constexpr void fields(auto&& see) const {
        see("ts", ts);
        see("orderID", order_id);
        see("clientID", client_id);
        see("side", side);
        see("qty", quantity);
        see("price", price);
        see("tif", time_in_force);
        see("goodTill", good_till);
        see("instrumentID", instrument_id);
        see("ref", ref);
    }
};

struct Removed {
    static constexpr std::string_view k_name = "removed_from_book";
    std::uint64_t ts = 0;
    std::uint64_t order_id = 0;
    constexpr void fields(auto&& see) const {
        see("ts", ts);
        see("orderID", order_id);
    }
};

struct Cancelled {
    static constexpr std::string_view k_name = "cancelled_orders";
    std::uint64_t ts = 0;
    std::uint64_t client_id = 0;
    std::uint64_t order_id = 0;
    constexpr void fields(auto&& see) const {
        see("ts", ts);
        see("clientID", client_id);
        see("orderID", order_id);
    }
};

struct Modified {
    static constexpr std::string_view k_name = "modified_orders";
    std::uint64_t ts = 0;
    std::uint64_t client_id = 0;
    std::uint64_t old_order_id = 0;
    std::uint64_t new_order_id = 0;
    std::uint64_t new_quantity = 0;
    std::uint64_t new_price = 0;
    std::uint64_t status = 0;
    std::uint64_t instrument_id = 0;
    constexpr void fields(auto&& see) const {
        see("ts", ts);
        see("serverClientID", client_id);
        see("oldOrderID", old_order_id);
        see("newOrderID", new_order_id);
        see("newQty", new_quantity);
        see("newPrice", new_price);
        see("status", status);
        see("instrumentID", instrument_id);
    }
};

struct Traded {
    static constexpr std::string_view k_name = "trades";
    std::uint64_t ts = 0;
    std::uint64_t trade_id = 0;
    std::uint64_t buyer_order_id = 0;
    std::uint64_t seller_order_id = 0;
    std::uint64_t buyer_id = 0;
    std::uint64_t seller_id = 0;
    std::uint64_t quantity = 0;
    std::uint64_t price = 0;
    std::uint64_t timestamp = 0;
    std::uint64_t instrument_id = 0;
    constexpr void fields(auto&& see) const {
        see("ts", ts);
        see("tradeID", trade_id);
        see("buyerOrderID", buyer_order_id);
        see("sellerOrderID", seller_order_id);
        see("buyerID", buyer_id);
        see("sellerID", seller_id);
        see("qty", quantity);
        see("price", price);
        see("timestamp", timestamp);
        see("instrumentID", instrument_id);
    }
};

struct Connected {
    static constexpr std::string_view k_name = "new_connections";
    std::uint64_t ts = 0;
    std::uint64_t fd = 0;
    std::uint64_t port = 0;
    std::array<std::uint64_t, 4> ip{};
    constexpr void fields(auto&& see) const {
        see("ts", ts);
        see("fd", fd);
        see("port", port);
        see("ip0", ip[0]);
        see("ip1", ip[1]);
        see("ip2", ip[2]);
        see("ip3", ip[3]);
    }
};

struct Disconnected {
    static constexpr std::string_view k_name = "disconnects";
    std::uint64_t ts = 0;
    std::uint64_t fd = 0;
    constexpr void fields(auto&& see) const {
        see("ts", ts);
        see("fd", fd);
    }
};

}  // namespace damrak::telemetry::classic
