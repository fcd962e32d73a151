-- Wireshark dissector of the MiniExchange protocol, versions 1 (published and capture profile) and 2.
--
--   wireshark -X lua_script:tools/wireshark/damrak_binary.lua
--   tshark -X lua_script:tools/wireshark/damrak_binary.lua -r capture.pcap -V
--
-- Messages that TCP split or merged are put together again. Other ports than 12345: preferences of
-- the protocol, or -d tcp.port==N,damrak_binary. Layouts: docs/protocols/binary.md.
--
-- Also the market data feed of version 2 (damrak_l2), UDP port 9001 or -d udp.port==N,damrak_l2.
-- Layouts: docs/protocols/l2-multicast.md.
--
-- And orders in UDP datagrams (damrak_packet), UDP port 26402 or -d udp.port==N,damrak_packet.
-- Layouts: docs/protocols/packet.md.

-- The fields of a protocol as a list, from a table by name.
local function values_of(by_name)
    local list = {}
    for _, value in pairs(by_name) do list[#list + 1] = value end
    return list
end

-- Dissects what goes to or from the port of a preference, also when it is changed.
local function follow_port(followed, ports)
    local current = followed.prefs.port
    ports:add(current, followed)
    function followed.prefs_changed()
        if current == followed.prefs.port then return end
        ports:remove(current, followed)
        current = followed.prefs.port
        ports:add(current, followed)
    end
end

local protocol = Proto("damrak_binary", "MiniExchange Protocol")
protocol.prefs.port = Pref.uint("TCP port", 12345, "Port of the binary gateway")

local HEADER_LENGTH = 16

local versions = { [1] = true, [2] = true }
local sides = { [0] = "buy", [1] = "sell" }
local order_types = {
    [0] = "limit", [1] = "market", [2] = "market to limit", [3] = "stop", [4] = "stop limit",
}
local contingencies = { [1] = "one cancels the other", [2] = "one triggers the other" }
local times_in_force = {
    [0] = "good till cancelled", [1] = "fill or kill", [2] = "end of day", [3] = "good till date",
    [4] = "at the opening", [5] = "at the close", [6] = "at the next auction",
}
local error_codes = {
    [1] = "unknown type", [2] = "payload too short", [3] = "payload too long",
    [4] = "wrong version", [5] = "too many messages", [6] = "wrong client id",
}
local hello_statuses = {
    [1] = "accepted", [3] = "invalid API key", [4] = "out of order", [5] = "ill-formed",
}
local order_statuses = {
    [1] = "accepted", [2] = "invalid", [3] = "out of order", [4] = "not authenticated",
}
local change_statuses = {
    [1] = "accepted", [2] = "invalid", [3] = "not found", [4] = "not authenticated",
    [5] = "out of order",
}
local v2_statuses = { [1] = "accepted", [2] = "rejected" }
local v2_order_statuses = {
    [1] = "new", [2] = "rejected", [3] = "partially filled", [4] = "filled", [5] = "cancelled",
}
local changes = { [1] = "cancelled", [2] = "triggered", [3] = "triggered, pending" }

local field = {}
local function define(name, label, make, ...)
    field[name] = make("damrak_binary." .. name, label, ...)
end
define("type", "Type", ProtoField.uint8)
define("version", "Version", ProtoField.uint8)
define("payload_length", "Payload length", ProtoField.uint16)
define("client_sequence", "Client sequence", ProtoField.uint32)
define("server_sequence", "Server sequence", ProtoField.uint32)
define("message", "Message", ProtoField.string)
define("client_id", "Client id", ProtoField.uint64)
define("api_key", "API key", ProtoField.bytes)
define("order_id", "Order id", ProtoField.uint64)
define("new_order_id", "New order id", ProtoField.uint64)
define("client_order_id", "Client order id", ProtoField.uint64)
define("trade_id", "Trade id", ProtoField.uint64)
define("instrument", "Instrument", ProtoField.uint32)
define("side", "Side", ProtoField.uint8, base.DEC, sides)
define("order_type", "Order type", ProtoField.uint8, base.DEC, order_types)
define("time_in_force", "Time in force", ProtoField.uint8, base.DEC, times_in_force)
define("quantity", "Quantity", ProtoField.int64)
define("price", "Price (0.01)", ProtoField.int64)
define("good_till", "Good till (us)", ProtoField.uint64)
define("time", "Server time (us)", ProtoField.uint64)
define("status", "Status", ProtoField.uint8)
define("stop_price", "Stop price (0.01)", ProtoField.int64)
define("other_order_id", "Other order id", ProtoField.uint64)
define("contingency", "Contingency", ProtoField.uint8, base.DEC, contingencies)
define("bid_quantity", "Bid quantity", ProtoField.int64)
define("bid_price", "Bid price (0.01)", ProtoField.int64)
define("ask_quantity", "Ask quantity", ProtoField.int64)
define("ask_price", "Ask price (0.01)", ProtoField.int64)
define("bid_order_id", "Bid order id", ProtoField.uint64)
define("ask_order_id", "Ask order id", ProtoField.uint64)
define("maximum_quantity", "Maximum quantity", ProtoField.int64)
define("window", "Window (us)", ProtoField.uint64)
define("lost_quantity", "Lost quantity", ProtoField.int64)
define("change", "Change", ProtoField.uint8, base.DEC, changes)
define("reason", "Reason", ProtoField.uint8)
define("error_code", "Error", ProtoField.uint16, base.DEC, error_codes)

protocol.fields = values_of(field)

local malformed = ProtoExpert.new("damrak_binary.malformed", "Malformed message",
                                  expert.group.MALFORMED, expert.severity.ERROR)
local refused = ProtoExpert.new("damrak_binary.refused", "Refused",
                                expert.group.RESPONSE_CODE, expert.severity.NOTE)
protocol.experts = { malformed, refused }

-- A field is { name, offset, width }; a status field carries its meanings as a fourth element.
local v1 = {
    [1] = { "HELLO", 16, { "api_key", 0, 16 } },
    [2] = { "HELLO_ACK", 16, { "client_id", 0, 8 }, { "status", 8, 1, hello_statuses } },
    [3] = { "HEARTBEAT", 8, { "client_id", 0, 8 } },
    [4] = { "LOGOUT", 8, { "client_id", 0, 8 } },
    [5] = { "LOGOUT_ACK", 16, { "client_id", 0, 8 }, { "status", 8, 1, hello_statuses } },
    [6] = { "SESSION_TIMEOUT", 16, { "client_id", 0, 8 }, { "time", 8, 8 } },
    [10] = { "NEW_ORDER", 40, { "client_id", 0, 8 }, { "instrument", 8, 4 }, { "side", 12, 1 },
             { "order_type", 13, 1 }, { "time_in_force", 14, 1 }, { "quantity", 16, 8 },
             { "price", 24, 8 }, { "good_till", 32, 8 } },
    [11] = { "ORDER_ACK", 48, { "client_id", 0, 8 }, { "order_id", 8, 8 }, { "price", 16, 8 },
             { "quantity", 24, 8 }, { "time", 32, 8 }, { "instrument", 40, 4 },
             { "status", 44, 1, order_statuses } },
    [12] = { "CANCEL_ORDER", 16, { "client_id", 0, 8 }, { "order_id", 8, 8 } },
    [13] = { "CANCEL_ACK", 24, { "client_id", 0, 8 }, { "order_id", 8, 8 },
             { "status", 16, 1, change_statuses } },
    [14] = { "MODIFY_ORDER", 32, { "client_id", 0, 8 }, { "order_id", 8, 8 },
             { "quantity", 16, 8 }, { "price", 24, 8 } },
    [15] = { "MODIFY_ACK", 48, { "client_id", 0, 8 }, { "order_id", 8, 8 },
             { "new_order_id", 16, 8 }, { "quantity", 24, 8 }, { "price", 32, 8 },
             { "status", 40, 1, change_statuses } },
    [20] = { "TRADE", 48, { "client_id", 0, 8 }, { "order_id", 8, 8 }, { "trade_id", 16, 8 },
             { "quantity", 24, 8 }, { "price", 32, 8 }, { "time", 40, 8 } },
    [100] = { "ERROR", 16, { "error_code", 0, 2 } },
}
local v2 = {
    [1] = { "HELLO", 8 },
    [2] = { "HELLO_ACK", 16, { "client_id", 0, 8 }, { "status", 8, 1, v2_statuses } },
    [3] = { "LOGOUT", 8, { "client_id", 0, 8 } },
    [4] = { "LOGOUT_ACK", 16, { "client_id", 0, 8 }, { "status", 8, 1, v2_statuses } },
    [10] = { "NEW_ORDER", 48, { "client_id", 0, 8 }, { "client_order_id", 8, 8 },
             { "instrument", 16, 4 }, { "side", 20, 1 }, { "order_type", 21, 1 },
             { "time_in_force", 22, 1 }, { "quantity", 24, 8 }, { "price", 32, 8 },
             { "good_till", 40, 8 } },
    [11] = { "ORDER_ACK", 56, { "client_id", 0, 8 }, { "order_id", 8, 8 },
             { "client_order_id", 16, 8 }, { "price", 24, 8 }, { "quantity", 32, 8 },
             { "time", 40, 8 }, { "instrument", 48, 4 }, { "status", 52, 1, v2_order_statuses } },
    [12] = { "CANCEL_ORDER", 32, { "client_id", 0, 8 }, { "order_id", 8, 8 },
             { "client_order_id", 16, 8 }, { "instrument", 24, 4 } },
    [13] = { "CANCEL_ACK", 32, { "client_id", 0, 8 }, { "order_id", 8, 8 },
             { "client_order_id", 16, 8 }, { "instrument", 24, 4 },
             { "status", 28, 1, v2_statuses } },
    [14] = { "MODIFY_ORDER", 48, { "client_id", 0, 8 }, { "order_id", 8, 8 },
             { "client_order_id", 16, 8 }, { "quantity", 24, 8 }, { "price", 32, 8 },
             { "instrument", 40, 4 } },
    [15] = { "MODIFY_ACK", 56, { "client_id", 0, 8 }, { "order_id", 8, 8 },
             { "new_order_id", 16, 8 }, { "client_order_id", 24, 8 }, { "quantity", 32, 8 },
             { "price", 40, 8 }, { "instrument", 48, 4 }, { "status", 52, 1, change_statuses } },
    [16] = { "TRADE", 56, { "client_id", 0, 8 }, { "order_id", 8, 8 },
             { "client_order_id", 16, 8 }, { "trade_id", 24, 8 }, { "quantity", 32, 8 },
             { "price", 40, 8 }, { "time", 48, 8 } },
    [30] = { "LINKED_ORDER", 64, { "client_id", 0, 8 }, { "client_order_id", 8, 8 },
             { "instrument", 16, 4 }, { "side", 20, 1 }, { "order_type", 21, 1 },
             { "time_in_force", 22, 1 }, { "contingency", 23, 1 }, { "quantity", 24, 8 },
             { "price", 32, 8 }, { "good_till", 40, 8 }, { "stop_price", 48, 8 },
             { "other_order_id", 56, 8 } },
    [31] = { "QUOTE", 56, { "client_id", 0, 8 }, { "client_order_id", 8, 8 },
             { "instrument", 16, 4 }, { "bid_quantity", 24, 8 }, { "bid_price", 32, 8 },
             { "ask_quantity", 40, 8 }, { "ask_price", 48, 8 } },
    [32] = { "QUOTE_ACK", 64, { "client_id", 0, 8 }, { "client_order_id", 8, 8 },
             { "bid_order_id", 16, 8 }, { "ask_order_id", 24, 8 }, { "bid_quantity", 32, 8 },
             { "ask_quantity", 40, 8 }, { "time", 48, 8 }, { "instrument", 56, 4 },
             { "status", 60, 1, v2_statuses }, { "reason", 61, 1 } },
    [33] = { "QUOTE_PROTECTION", 32, { "client_id", 0, 8 }, { "instrument", 8, 4 },
             { "maximum_quantity", 16, 8 }, { "window", 24, 8 } },
    [34] = { "QUOTE_PROTECTION_ACK", 16, { "client_id", 0, 8 }, { "instrument", 8, 4 },
             { "status", 12, 1, v2_statuses }, { "reason", 13, 1 } },
    [35] = { "ORDER_CHANGED", 56, { "client_id", 0, 8 }, { "order_id", 8, 8 },
             { "client_order_id", 16, 8 }, { "lost_quantity", 24, 8 }, { "quantity", 32, 8 },
             { "time", 40, 8 }, { "instrument", 48, 4 }, { "change", 52, 1 },
             { "reason", 53, 1 } },
    [100] = { "ERROR", 16, { "error_code", 0, 2 } },
}
local messages = { [1] = v1, [2] = v2 }

-- An order's acknowledgement in version 2 tells its outcome: only "rejected" is a refusal.
local function is_refusal(version, type, status)
    if version == 2 and type == 11 then return status == 2 end
    return status ~= 1
end

local function add_field(tree, payload, entry, version, type)
    local name, offset, width, meanings = entry[1], entry[2], entry[3], entry[4]
    local bytes = payload(offset, width)
    local item = tree:add(field[name], bytes)
    if not meanings then return nil end
    local status = bytes:uint()
    local meaning = meanings[status] or "unknown"
    item:append_text(" (" .. meaning .. ")")
    if is_refusal(version, type, status) then
        item:add_proto_expert_info(refused, "Refused: " .. meaning)
    end
    return meaning
end

local function dissect_message(buffer, root)
    local type, version = buffer(0, 1):uint(), buffer(1, 1):uint()
    local length = buffer(2, 2):uint()
    local layout = messages[version][type]
    local name = layout and layout[1] or ("unknown type " .. type)
    local tree = root:add(protocol, buffer(), "MiniExchange v" .. version .. " " .. name)
    tree:add(field.type, buffer(0, 1)):append_text(" (" .. name .. ")")
    tree:add(field.version, buffer(1, 1))
    tree:add(field.payload_length, buffer(2, 2))
    tree:add(field.client_sequence, buffer(4, 4))
    tree:add(field.server_sequence, buffer(8, 4))
    tree:add(field.message, name):set_generated()

    local told = name
    if not layout then
        tree:add_proto_expert_info(malformed, "Unknown type")
    elseif length < layout[2] then
        tree:add_proto_expert_info(malformed, "Payload shorter than that of " .. name)
    else
        local payload = buffer(HEADER_LENGTH)
        for i = 3, #layout do
            local meaning = add_field(tree, payload, layout[i], version, type)
            if meaning then told = name .. " (" .. meaning .. ")" end
        end
    end
    return told
end

function protocol.dissector(buffer, packet, root)
    packet.cols.protocol = "MINIEXCHANGE"
    local told = {}
    local offset = 0
    while offset < buffer:len() do
        local left = buffer:len() - offset
        if left < HEADER_LENGTH then
            packet.desegment_offset = offset
            packet.desegment_len = DESEGMENT_ONE_MORE_SEGMENT
            break
        end
        if not versions[buffer(offset + 1, 1):uint()] then
            root:add(protocol, buffer(offset), "MiniExchange: not of version 1 or 2")
                :add_proto_expert_info(malformed, "Unknown version")
            told[#told + 1] = "unknown version"
            break
        end
        local length = HEADER_LENGTH + buffer(offset + 2, 2):uint()
        if left < length then
            packet.desegment_offset = offset
            packet.desegment_len = length - left
            break
        end
        told[#told + 1] = dissect_message(buffer(offset, length):tvb(), root)
        offset = offset + length
    end
    packet.cols.info:set(table.concat(told, ", "))
    return buffer:len()
end

follow_port(protocol, DissectorTable.get("tcp.port"))

-- The market data feed: one message a datagram.
local feed = Proto("damrak_l2", "MiniExchange Market Data")
feed.prefs.port = Pref.uint("UDP port", 9001, "Port of the L2 multicast")

local phases = { [0] = "continuous", "pre-open", "call", "closed", "at last" }
local calls = { [0] = "intraday", "opening", "closing", "interruption", "reopening" }
local causes = { [0] = "none", "limit up or down", "market-wide breaker, level 1",
                 "market-wide breaker, level 2", "market-wide breaker, level 3", "volatility" }

local feed_field = {
    sequence = ProtoField.uint64("damrak_l2.sequence", "Sequence"),
    instrument = ProtoField.uint32("damrak_l2.instrument", "Instrument"),
    payload_length = ProtoField.uint16("damrak_l2.payload_length", "Payload length"),
    type = ProtoField.uint8("damrak_l2.type", "Type", base.DEC, { [0] = "delta", [1] = "snapshot" }),
    version = ProtoField.uint8("damrak_l2.version", "Version"),
    price = ProtoField.int64("damrak_l2.price", "Price (0.01)"),
    quantity = ProtoField.uint64("damrak_l2.quantity", "Quantity"),
    action = ProtoField.uint8("damrak_l2.action", "Action", base.DEC,
                              { [0] = "add", [1] = "reduce" }),
    side = ProtoField.uint8("damrak_l2.side", "Side", base.DEC, sides),
    bids = ProtoField.uint16("damrak_l2.bids", "Bid levels"),
    asks = ProtoField.uint16("damrak_l2.asks", "Ask levels"),
    phase = ProtoField.uint8("damrak_l2.phase", "Phase", base.DEC, phases),
    call = ProtoField.uint8("damrak_l2.call", "Call", base.DEC, calls),
    cause = ProtoField.uint8("damrak_l2.cause", "Cause", base.DEC, causes),
    halted = ProtoField.bool("damrak_l2.halted", "Halted"),
}
feed.fields = values_of(feed_field)
local feed_malformed = ProtoExpert.new("damrak_l2.malformed", "Malformed datagram",
                                       expert.group.MALFORMED, expert.severity.ERROR)
feed.experts = { feed_malformed }

local FEED_HEADER, DELTA, SNAPSHOT, LEVEL = 16, 24, 8, 16

local function add_delta(tree, payload)
    tree:add(feed_field.price, payload(0, 8))
    tree:add(feed_field.quantity, payload(8, 8))
    tree:add(feed_field.action, payload(16, 1))
    tree:add(feed_field.side, payload(17, 1))
    return (payload(16, 1):uint() == 0 and "add " or "reduce ") .. payload(8, 8):uint64() ..
        " at " .. payload(0, 8):uint64()
end

local function add_levels(tree, payload, name, offset, count)
    for i = 0, count - 1 do
        local bytes = payload(offset + i * LEVEL, LEVEL)
        local level = tree:add(bytes, name .. " " .. (i + 1))
        level:add(feed_field.price, bytes(0, 8))
        level:add(feed_field.quantity, bytes(8, 8))
    end
end

local function dissect_feed(buffer, tree)
    local length, kind = buffer(12, 2):uint(), buffer(14, 1):uint()
    if buffer(15, 1):uint() ~= 1 then return nil, "Unknown version" end
    if buffer:len() < FEED_HEADER + length then return nil, "Shorter than its header says" end
    if length == 0 then return nil, "No payload" end
    local payload = buffer(FEED_HEADER, length)
    if kind == 0 and length == DELTA then return add_delta(tree, payload) end
    if kind ~= 1 or length < SNAPSHOT then return nil, "Unknown type, or wrong length" end
    local bids, asks = payload(0, 2):uint(), payload(2, 2):uint()
    tree:add(feed_field.bids, payload(0, 2))
    tree:add(feed_field.asks, payload(2, 2))
    tree:add(feed_field.phase, payload(4, 1))
    tree:add(feed_field.call, payload(5, 1))
    tree:add(feed_field.cause, payload(6, 1))
    tree:add(feed_field.halted, payload(7, 1))
    if length ~= SNAPSHOT + (bids + asks) * LEVEL then return nil, "Wrong length" end
    add_levels(tree, payload, "Bid", SNAPSHOT, bids)
    add_levels(tree, payload, "Ask", SNAPSHOT + bids * LEVEL, asks)
    return "snapshot, " .. bids .. " bids, " .. asks .. " asks"
end

function feed.dissector(buffer, packet, root)
    if buffer:len() < FEED_HEADER then return 0 end
    packet.cols.protocol = "MINIEXCHANGE-L2"
    local tree = root:add(feed, buffer(), "MiniExchange Market Data")
    tree:add(feed_field.sequence, buffer(0, 8))
    tree:add(feed_field.instrument, buffer(8, 4))
    tree:add(feed_field.payload_length, buffer(12, 2))
    tree:add(feed_field.type, buffer(14, 1))
    tree:add(feed_field.version, buffer(15, 1))
    local told, wrong = dissect_feed(buffer, tree)
    if wrong then tree:add_proto_expert_info(feed_malformed, wrong) end
    packet.cols.info:set("instrument " .. buffer(8, 4):uint() .. ", " .. (told or wrong))
    return buffer:len()
end

local udp_ports = DissectorTable.get("udp.port")
follow_port(feed, udp_ports)

-- Orders in UDP datagrams: the public packet of 18 bytes, its twin of 24, the public trade of 16,
-- and the extended format in both directions.
local packet_protocol = Proto("damrak_packet", "Damrak Packet Orders")
packet_protocol.prefs.port = Pref.uint("UDP port", 26402, "Port of the UDP gateway")

local packet_sides = { [0] = "sell", [1] = "buy" }
local actions = { [1] = "new", [2] = "cancel", [3] = "modify" }
local packet_types = {
    [0] = "limit", [1] = "market", [2] = "stop", [3] = "stop limit", [4] = "market to limit",
    [5] = "trailing stop", [6] = "trailing stop limit", [7] = "primary peg", [8] = "market peg",
    [9] = "midpoint peg", [10] = "imbalance-only limit",
}
local packet_times = {
    [0] = "day", [1] = "good till cancelled", [2] = "good till date", [3] = "immediate or cancel",
    [4] = "fill or kill", [5] = "at the opening", [6] = "at the close", [7] = "at the next auction",
}
local kinds = { [1] = "orders", [2] = "begin", [3] = "replies" }
local replies = {
    [1] = "accepted", [2] = "rejected", [3] = "executed", [4] = "cancelled", [5] = "modified",
    [6] = "begun",
}

local packet_field = {}
local function define_packet(name, label, make, ...)
    packet_field[name] = make("damrak_packet." .. name, label, ...)
end
define_packet("format", "Format", ProtoField.string)
define_packet("version", "Version", ProtoField.uint8)
define_packet("kind", "Kind", ProtoField.uint8, base.DEC, kinds)
define_packet("count", "Count", ProtoField.uint16)
define_packet("sequence", "Sequence", ProtoField.uint32)
define_packet("key", "Participant key", ProtoField.bytes)
define_packet("order_id", "Order id of the sender", ProtoField.uint64)
define_packet("exchange_id", "Order id of the exchange", ProtoField.uint64)
define_packet("trade_id", "Trade id", ProtoField.uint64)
define_packet("bid_id", "Bid id", ProtoField.uint32)
define_packet("ask_id", "Ask id", ProtoField.uint32)
define_packet("price", "Price (0.01)", ProtoField.uint32)
define_packet("stop_price", "Stop price (0.01)", ProtoField.uint32)
define_packet("quantity", "Quantity", ProtoField.uint32)
define_packet("remaining", "Remaining", ProtoField.uint32)
define_packet("instrument", "Instrument", ProtoField.uint32)
define_packet("expire", "Expires (s)", ProtoField.uint32)
define_packet("action", "Type", ProtoField.uint32, base.DEC, actions)
define_packet("side", "Side", ProtoField.uint32, base.DEC, packet_sides)
define_packet("order_type", "Order type", ProtoField.uint8, base.DEC, packet_types)
define_packet("time_in_force", "Time in force", ProtoField.uint8, base.DEC, packet_times)
define_packet("reply", "Reply", ProtoField.uint8, base.DEC, replies)
define_packet("reason", "Reason", ProtoField.uint8)
define_packet("time", "Time (ns)", ProtoField.uint64)
packet_protocol.fields = values_of(packet_field)
local packet_malformed = ProtoExpert.new("damrak_packet.malformed", "Malformed datagram",
                                         expert.group.MALFORMED, expert.severity.ERROR)
local packet_refused = ProtoExpert.new("damrak_packet.refused", "Refused",
                                       expert.group.RESPONSE_CODE, expert.severity.NOTE)
packet_protocol.experts = { packet_malformed, packet_refused }

-- Entries of { name, offset, width }, in the order of their offsets.
-- The public packet and its twin differ in the width of the last two.
local function public_order(width)
    return {
        { "sequence", 0, 4 }, { "order_id", 4, 4 }, { "price", 8, 4 }, { "quantity", 12, 4 },
        { "action", 16, width }, { "side", 16 + width, width },
    }
end
local PACKED, WORDS = public_order(1), public_order(4)
local PUBLIC_TRADE = {
    { "bid_id", 0, 4 }, { "ask_id", 4, 4 }, { "price", 8, 4 }, { "quantity", 12, 4 },
}
local ORDER = {
    { "order_id", 0, 8 }, { "price", 8, 4 }, { "quantity", 12, 4 }, { "instrument", 16, 4 },
    { "stop_price", 20, 4 }, { "expire", 24, 4 }, { "action", 28, 1 }, { "side", 29, 1 },
    { "order_type", 30, 1 }, { "time_in_force", 31, 1 },
}
local REPLY = {
    { "reply", 0, 1 }, { "side", 1, 1 }, { "reason", 2, 1 }, { "sequence", 4, 4 },
    { "order_id", 8, 8 }, { "exchange_id", 16, 8 }, { "trade_id", 24, 8 }, { "price", 32, 4 },
    { "quantity", 36, 4 }, { "remaining", 40, 4 }, { "instrument", 44, 4 }, { "time", 48, 8 },
}
local MAGIC, REQUEST_HEADER, REPLY_HEADER = 0x444D524B, 32, 16

local function add_entries(tree, bytes, layout, little)
    for _, entry in ipairs(layout) do
        local part = bytes(entry[2], entry[3])
        if little then
            tree:add_le(packet_field[entry[1]], part)
        else
            tree:add(packet_field[entry[1]], part)
        end
    end
end

local function describe_order(action, side, quantity, price)
    return (actions[action] or "unknown type") .. " " .. (packet_sides[side] or "unknown side") ..
        " " .. quantity .. " at " .. price
end

local function check_order(tree, action, side)
    if not actions[action] then tree:add_proto_expert_info(packet_malformed, "Unknown type") end
    if not packet_sides[side] then tree:add_proto_expert_info(packet_malformed, "Unknown side") end
end

local function dissect_public(bytes, tree)
    if bytes:len() == 16 then
        tree:add(packet_field.format, "trade"):set_generated()
        add_entries(tree, bytes, PUBLIC_TRADE, false)
        return "trade " .. bytes(12, 4):uint() .. " at " .. bytes(8, 4):uint()
    end
    local packed = bytes:len() == 18
    tree:add(packet_field.format, packed and "packed" or "words"):set_generated()
    add_entries(tree, bytes, packed and PACKED or WORDS, not packed)
    local action = packed and bytes(16, 1):uint() or bytes(16, 4):le_uint()
    local side = packed and bytes(17, 1):uint() or bytes(20, 4):le_uint()
    check_order(tree, action, side)
    if packed then
        return describe_order(action, side, bytes(12, 4):uint(), bytes(8, 4):uint())
    end
    return describe_order(action, side, bytes(12, 4):le_uint(), bytes(8, 4):le_uint())
end

local function add_items(tree, bytes, header, layout, count, length)
    local told = {}
    for i = 0, count - 1 do
        local item = bytes(header + i * length, length)
        if layout == ORDER then
            local text = describe_order(item(28, 1):uint(), item(29, 1):uint(),
                                        item(12, 4):uint(), item(8, 4):uint())
            local branch = tree:add(item, "Order: " .. text)
            add_entries(branch, item, ORDER, false)
            check_order(branch, item(28, 1):uint(), item(29, 1):uint())
            told[#told + 1] = text
        else
            local text = replies[item(0, 1):uint()] or "unknown reply"
            local branch = tree:add(item, "Reply: " .. text)
            add_entries(branch, item, REPLY, false)
            if text == "rejected" then
                branch:add_proto_expert_info(packet_refused, "Refused: " .. item(2, 1):uint())
            end
            told[#told + 1] = text
        end
    end
    return table.concat(told, ", ")
end

local function dissect_extended(bytes, tree)
    if bytes:len() < REPLY_HEADER or bytes(0, 4):uint() ~= MAGIC then
        return nil, "Neither a length of the public formats nor the extended header"
    end
    if bytes(4, 1):uint() ~= 1 then return nil, "Unknown version" end
    local kind, count = bytes(5, 1):uint(), bytes(6, 2):uint()
    if not kinds[kind] then return nil, "Unknown kind" end
    local header = kind == 3 and REPLY_HEADER or REQUEST_HEADER
    local layout, length = ORDER, 32
    if kind == 3 then layout, length = REPLY, 56 end
    if bytes:len() ~= header + count * length then return nil, "Wrong length" end
    tree:add(packet_field.format, "extended"):set_generated()
    tree:add(packet_field.version, bytes(4, 1))
    tree:add(packet_field.kind, bytes(5, 1))
    tree:add(packet_field.count, bytes(6, 2))
    tree:add(packet_field.sequence, bytes(8, 4))
    if kind ~= 3 then tree:add(packet_field.key, bytes(16, 16)) end
    if count == 0 then return kinds[kind] end
    return kinds[kind] .. ": " .. add_items(tree, bytes, header, layout, count, length)
end

function packet_protocol.dissector(buffer, packet, root)
    packet.cols.protocol = "DAMRAK-PACKET"
    local tree = root:add(packet_protocol, buffer(), "Damrak Packet Orders")
    local length = buffer:len()
    local bytes = buffer()
    local told, wrong
    if length == 16 and bytes(0, 4):uint() ~= MAGIC or length == 18 or length == 24 then
        told = dissect_public(bytes, tree)
    else
        told, wrong = dissect_extended(bytes, tree)
    end
    if wrong then tree:add_proto_expert_info(packet_malformed, wrong) end
    packet.cols.info:set(told or wrong)
    return length
end

follow_port(packet_protocol, udp_ports)
