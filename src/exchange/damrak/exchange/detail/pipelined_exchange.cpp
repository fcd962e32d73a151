#include <damrak/exchange/trade_with.hpp>

namespace damrak::exchange {

template class detail::PipelinedTrading<standard_exchange::Gateways>;

}  // namespace damrak::exchange
