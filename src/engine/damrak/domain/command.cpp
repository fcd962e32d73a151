#include <damrak/domain/command.hpp>

namespace damrak {

InstrumentDefinition definition_of(const Command& command) {
    const InstrumentDetails& details = command.definition;
    InstrumentDefinition definition;
    definition.id = command.instrument;
    definition.symbol = details.symbol;
    definition.tick_bands[0] = {details.minimum_price, details.tick_size};
    definition.price_decimals = details.price_decimals;
    definition.policy = details.policy;
    definition.unpublished = details.unpublished != 0;
    definition.shard_group = details.shard_group;
    definition.lot_size = details.lot_size;
    definition.maximum_price = details.maximum_price;
    definition.maximum_quantity = details.maximum_quantity;
    return definition;
}

}  // namespace damrak
