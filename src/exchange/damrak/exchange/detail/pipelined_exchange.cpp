#include <damrak/exchange/trade_with.hpp>

namespace damrak::exchange {

template class detail::PipelinedTrading<StandardGateways>;

}  // namespace damrak::exchange
