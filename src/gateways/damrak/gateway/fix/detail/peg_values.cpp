// What a FIX request says of an order that follows the market: ExecInst and PegInstructions.
#include <cstdlib>
#include <utility>

#include <damrak/fix_codec/tags.hpp>
#include <damrak/gateway/fix/detail/order_values.hpp>

namespace damrak::gateway::fix::detail {

namespace {

using fix_codec::Message;
using fix_codec::ValueError;
namespace tag = fix_codec::tag;

bool follows(const ExecInst& what) { return what.trailing || what.peg != PegReference::none; }

// PegPriceType says the same as the letters of ExecInst.
Asked<ExecInst> read_peg_price_type(const Message& message, const ExecInst& exec_inst) {
    const std::string_view text = message.text_or_empty(tag::peg_price_type);
    if (text.empty()) return exec_inst;
    ExecInst what = exec_inst;
    what.trailing = text == "8";
    what.peg = text == "2"   ? PegReference::midpoint
               : text == "4" ? PegReference::market
               : text == "5" ? PegReference::primary
                             : PegReference::none;
    if (!follows(what))
        return refuse_value(OrderRefusal::k_unsupported,
                            "PegPriceType {}: here 2, 4, 5 and 8 are (mid price, market, primary, "
                            "trailing stop)",
                            text);
    if (follows(exec_inst) && (exec_inst.peg != what.peg || exec_inst.trailing != what.trailing))
        return refuse_value(OrderRefusal::k_unsupported,
                            "ExecInst (18) and PegPriceType (1094) are different");
    return what;
}

Asked<void> check_usual(const Message& message, fix_codec::Tag tag, std::string_view name) {
    const std::string_view text = message.text_or_empty(tag);
    if (text.empty() || text == "0") return {};
    return refuse_value(OrderRefusal::k_unsupported, "{} {}: here 0 is", name, text);
}

Asked<Price> read_offset(const Message& message, const InstrumentDefinition& instrument) {
    const auto value =
        message.decimal(tag::peg_offset_value, static_cast<int>(instrument.price_decimals));
    if (value) return Price{*value};
    if (value.error() == ValueError::absent) return Price{0};
    return refuse_value(OrderRefusal::k_other, "PegOffsetValue {}: it has {} decimals at most",
                        message.text_or_empty(tag::peg_offset_value), instrument.price_decimals);
}

// The offset is added to the price that is followed, but here it only leads away from the market.
Asked<void> set_peg(PegReference reference, Price offset, Command& command) {
    command.flags |= CommandFlags::k_pegged | CommandFlags::k_hidden;
    command.order.peg = reference;
    command.order.offset = {command.side == Side::buy ? -offset.value : offset.value};
    if (command.order.offset.value >= 0) return {};
    return refuse_value(OrderRefusal::k_unsupported,
                        "PegOffsetValue (211): a buy follows at or below its price, a sell at or "
                        "above");
}

}  // namespace

Asked<ExecInst> read_exec_inst(const Message& message) {
    constexpr std::string_view k_for_brokers = "125 ";
    ExecInst result;
    for (const char c : message.text_or_empty(tag::exec_inst)) {
        const bool is_peg = c == 'M' || c == 'P' || c == 'R' || c == 'a';
        if (is_peg && follows(result))
            return refuse_value(OrderRefusal::k_unsupported,
                                "ExecInst (18): M, P, R or a, not two of them");
        if (c == '6') {
            result.post_only = true;
        } else if (c == 'a') {
            result.trailing = true;
        } else if (is_peg) {
            result.peg = c == 'M'   ? PegReference::midpoint
                         : c == 'P' ? PegReference::market
                                    : PegReference::primary;
        } else if (!k_for_brokers.contains(c)) {
            return refuse_value(OrderRefusal::k_unsupported,
                                "ExecInst {}: here 6, M, P, R and a are (participate do not "
                                "initiate, mid price, market, primary, trailing stop)",
                                c);
        }
    }
    return result;
}

Asked<void> read_peg(const Message& message, const ExecInst& exec_inst,
                     const InstrumentDefinition& instrument, const TypeAsked& type,
                     Command& command) {
    const auto what = read_peg_price_type(message, exec_inst);
    if (!what) return std::unexpected{what.error()};
    const bool is_pegged = type.sent == 'P';
    if (is_pegged != (what->peg != PegReference::none))
        return refuse_value(OrderRefusal::k_unsupported,
                            "OrdType P goes with ExecInst M, P or R, or PegPriceType 2, 4 or 5");
    if (what->trailing && !is_stop(type.type))
        return refuse_value(OrderRefusal::k_unsupported,
                            "a trailing stop has OrdType 3 or 4 (stop, stop limit)");
    using Named = std::pair<fix_codec::Tag, std::string_view>;
    for (const auto& [tag, name] :
         {Named{tag::peg_move_type, "PegMoveType"}, Named{tag::peg_offset_type, "PegOffsetType"}})
        if (const auto usual = check_usual(message, tag, name); !usual) return usual;
    const auto offset = read_offset(message, instrument);
    if (!offset) return std::unexpected{offset.error()};
    if (is_pegged) return set_peg(what->peg, *offset, command);
    if (what->trailing) {
        command.flags |= CommandFlags::k_trailing;
        command.order.offset = {std::abs(offset->value)};
        if (offset->value != 0) return {};
        return refuse_value(OrderRefusal::k_other,
                            "a trailing stop needs PegOffsetValue (211), its distance");
    }
    if (!message.has(tag::peg_offset_value)) return {};
    return refuse_value(OrderRefusal::k_unsupported,
                        "PegOffsetValue (211) is for pegged orders and trailing stops");
}

}  // namespace damrak::gateway::fix::detail
