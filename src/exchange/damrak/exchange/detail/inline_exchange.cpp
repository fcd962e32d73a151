#include <damrak/exchange/trade_with.hpp>

namespace damrak::exchange {

template class detail::InlineTrading<StandardGateways>;

}  // namespace damrak::exchange
