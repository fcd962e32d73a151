#include "quickfix_decode.hpp"

#include <sstream>

#include <quickfix/DataDictionary.h>
#include <quickfix/FixFields.h>
#include <quickfix/Message.h>

namespace damrak_quickfix {

struct Decoder::Dictionaries {
    FIX::DataDictionary transport;
    FIX::DataDictionary application;
};

Decoder::Decoder(const std::string& transport_xml, const std::string& application_xml)
    : dictionaries_(new Dictionaries) {
    std::istringstream transport(transport_xml);
    std::istringstream application(application_xml);
    dictionaries_->transport.readFromStream(transport);
    dictionaries_->application.readFromStream(application);
}

Decoder::~Decoder() = default;

std::uint64_t Decoder::read(const char* bytes, std::size_t size, bool validate) const {
    const FIX::Message message(std::string(bytes, size), dictionaries_->transport,
                               dictionaries_->application, true);
    if (validate)
        FIX::DataDictionary::validate(message, &dictionaries_->transport,
                                      &dictionaries_->application);
    FIX::ClOrdID client_id;
    FIX::OrderID order_id;
    FIX::OrderQty quantity;
    FIX::Price price;
    FIX::LastPx last_price;
    FIX::LastQty last_quantity;
    FIX::ExecType type;
    FIX::OrdStatus status;
    message.getField(client_id);
    message.getField(order_id);
    message.getField(quantity);
    message.getField(price);
    message.getField(last_price);
    message.getField(last_quantity);
    message.getField(type);
    message.getField(status);
    return client_id.getValue().size() + order_id.getValue().size() +
           static_cast<std::uint64_t>(quantity.getValue() + price.getValue() +
                                      last_price.getValue() + last_quantity.getValue()) +
           static_cast<std::uint64_t>(type.getValue()) +
           static_cast<std::uint64_t>(status.getValue());
}

}  // namespace damrak_quickfix
