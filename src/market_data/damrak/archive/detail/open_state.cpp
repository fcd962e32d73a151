#include <damrak/archive/detail/open_state.hpp>

#include <algorithm>
#include <span>

#include <damrak/wire/itch/encode.hpp>

namespace damrak::archive {

namespace itch = wire::itch;

OpenState::OpenState()
    : stock_of_(std::size_t{1} << 16U),
      builder_(std::make_unique<Builder>()),
      flow_(std::make_unique<Flow>(*builder_, order_flow::Selection{})) {}

OpenState::OpenState(OpenState&&) noexcept = default;
OpenState& OpenState::operator=(OpenState&&) noexcept = default;
OpenState::~OpenState() = default;

OpenState::Stock& OpenState::stock(std::uint16_t locate) {
    std::uint32_t& place = stock_of_[locate];
    if (place == 0) {
        stocks_.emplace_back().locate = locate;
        place = static_cast<std::uint32_t>(stocks_.size());
    }
    return stocks_[place - 1];
}

void OpenState::note_stock(const itch::StockDirectory& message) {
    Stock& known = stock(message.stock_locate);
    known.name = message.stock;
    known.directory = message;
    known.has_directory = true;
}

void OpenState::note_stock(const itch::StockTradingAction& message) {
    Stock& known = stock(message.stock_locate);
    known.name = message.stock;
    known.action = message;
    known.has_action = true;
}

std::vector<std::uint16_t> OpenState::locates() const {
    std::vector<std::uint16_t> found;
    found.reserve(stocks_.size());
    for (const Stock& one : stocks_) found.push_back(one.locate);
    std::ranges::sort(found);
    return found;
}

std::uint32_t OpenState::append(std::uint16_t locate, std::vector<std::byte>& frames) const {
    if (stock_of_[locate] == 0) return 0;
    const Stock& one = stocks_[stock_of_[locate] - 1];
    std::uint32_t messages = 0;
    const auto put = [&]<class M>(const M& message) {
        const std::size_t at = frames.size();
        frames.resize(at + itch::k_frame_length<M>);
        itch::encode_frame(message,
                           std::span{frames}.subspan(at).template first<itch::k_frame_length<M>>());
        ++messages;
    };
    if (one.has_directory) put(one.directory);
    if (one.has_action) put(one.action);
    const InstrumentId id = flow_->instrument(locate);
    if (!id || id.value > builder_->instruments()) return messages;
    for (const Side side : {Side::buy, Side::sell})
        builder_->book(id).book.for_each_order(builder_->store(), side, [&](OrderIndex index) {
            const Order& order = builder_->store().order(index);
            put(itch::AddOrder{
                .stock_locate = locate,
                .tracking_number = 0,
                .timestamp_ns = 0,
                .order_ref = order.id.value,
                .side = side,
                .shares = static_cast<std::uint32_t>(order.quantity.value),
                .stock = one.name,
                .price_e4 = static_cast<std::uint32_t>(builder_->price_of(order).value)});
            return true;
        });
    return messages;
}

}  // namespace damrak::archive
