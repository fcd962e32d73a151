#include <damrak/exchange/trade_with.hpp>

namespace damrak::exchange {

template class detail::InlineTrading<standard_exchange::Gateways>;

}  // namespace damrak::exchange
