#include <damrak/session/ouch/request.hpp>

namespace damrak::session::ouch {

Refusal refusal_of(Reason reason) {
    switch (reason) {
        case Reason::unknown_instrument:
            return Refusal::symbol;
        case Reason::invalid_side:
            return Refusal::side;
        case Reason::invalid_quantity:
        case Reason::quantity_off_lot:
        case Reason::quantity_too_large:
            return Refusal::quantity;
        case Reason::invalid_price:
        case Reason::price_off_tick:
        case Reason::price_too_large:
        case Reason::price_too_low:
        case Reason::invalid_quote:
        case Reason::outside_price_band:
            return Refusal::price;
        case Reason::price_through_limit:
            return Refusal::fat_finger;
        case Reason::invalid_time_in_force:
        case Reason::invalid_expire_time:
            return Refusal::time_in_force;
        case Reason::invalid_display_quantity:
            return Refusal::displayed_quantity;
        case Reason::invalid_minimum_quantity:
        case Reason::limit_held_orders:
            return Refusal::minimum_quantity;
        case Reason::instrument_halted:
            return Refusal::halted;
        case Reason::not_in_phase:
            return Refusal::closed;
        case Reason::unknown_participant:
        case Reason::participant_blocked:
            return Refusal::firm;
        case Reason::post_only_would_trade:
            return Refusal::crossed;
        case Reason::limit_order_quantity:
            return Refusal::order_size;
        case Reason::limit_order_notional:
            return Refusal::order_value;
        case Reason::limit_open_orders:
        case Reason::limit_open_notional:
        case Reason::limit_position:
            return Refusal::exposure;
        case Reason::invalid_peg:
        case Reason::limit_pegged_orders:
            return Refusal::pegging;
        case Reason::no_peg_reference:
        case Reason::no_opposite_price:
            return Refusal::quote;
        default:
            return Refusal::other;
    }
}

char code_v42(Refusal refusal) {
    switch (refusal) {
        case Refusal::symbol:
            return 'S';
        case Refusal::quantity:
        case Refusal::order_size:
            return 'Z';
        case Refusal::price:
        case Refusal::fat_finger:
            return 'X';
        case Refusal::display:
            return 'D';
        case Refusal::time_in_force:
            return 'M';
        case Refusal::cross:
            return 'R';
        case Refusal::minimum_quantity:
            return 'N';
        case Refusal::firm:
            return 'L';
        case Refusal::halted:
            return 'H';
        case Refusal::closed:
            return 'C';
        default:
            return 'O';
    }
}

std::uint16_t code_v50(Refusal refusal) {
    switch (refusal) {
        case Refusal::symbol:
            return 0x17;
        case Refusal::side:
            return 0x09;
        case Refusal::quantity:
            return 0x13;
        case Refusal::price:
            return 0x1D;
        case Refusal::display:
            return 0x03;
        case Refusal::iso:
            return 0x08;
        case Refusal::cross:
            return 0x14;
        case Refusal::minimum_quantity:
            return 0x0D;
        case Refusal::displayed_quantity:
            return 0x04;
        case Refusal::pegging:
            return 0x11;
        case Refusal::routing:
            return 0x16;
        case Refusal::handling:
            return 0x1A;
        case Refusal::firm:
            return 0x0C;
        case Refusal::halted:
            return 0x07;
        case Refusal::crossed:
            return 0x12;
        case Refusal::order_size:
            return 0x1E;
        case Refusal::order_value:
            return 0x1F;
        case Refusal::exposure:
            return 0x20;
        case Refusal::closed:
            return 0x02;
        case Refusal::fat_finger:
            return 0x06;
        case Refusal::quote:
            return 0x01;
        default:
            return 0x0F;
    }
}

char cancel_code(Reason reason) {
    switch (reason) {
        case Reason::requested:
        case Reason::mass_cancel:
        case Reason::linked_order:
        case Reason::quote_replaced:
            return 'U';
        case Reason::unfilled_remainder:
        case Reason::fill_or_kill:
        case Reason::minimum_quantity:
            return 'I';
        case Reason::self_trade:
        case Reason::own_order:
            return 'Q';
        case Reason::participant_kill:
            return 'S';
        case Reason::good_till_date:
            return 'T';
        case Reason::end_of_day:
            return 'E';
        case Reason::price_band:
            return 'K';
        case Reason::end_of_batch:
        case Reason::end_of_auction:
            return 'C';
        case Reason::instrument_halted:
            return 'H';
        default:  // a limit of the exchange, or no price to follow
            return 'Z';
    }
}

}  // namespace damrak::session::ouch
