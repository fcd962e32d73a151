#include <damrak/gateway/fix/detail/instruments.hpp>

#include <expected>

#include <damrak/fix_codec/tags.hpp>

namespace damrak::gateway::fix {

void FixInstruments::note(const InstrumentDefinition& definition) {
    definitions_[definition.id.value - 1U] = definition;
    ids_[definition.symbol] = definition.id;
}

const InstrumentDefinition* FixInstruments::by_symbol(std::string_view symbol) const {
    if (symbol.size() > sizeof(Symbol)) return nullptr;
    const auto found = ids_.find(Symbol::of(symbol));
    return found == ids_.end() ? nullptr : &definition(found->second);
}

const InstrumentDefinition* FixInstruments::by_isin(std::string_view isin) const {
    const auto found = isins_.find(isin);
    return found == isins_.end() ? nullptr : by_symbol(found->second);
}

detail::Asked<const InstrumentDefinition*> FixInstruments::named_in(
    const fix_codec::Message& message) const {
    namespace tag = fix_codec::tag;
    constexpr int k_unknown = 1;
    const auto refuse = [](detail::FixText text) {
        return std::unexpected{detail::Refusal{.code = k_unknown, .text = text}};
    };
    const std::string_view symbol = message.text_or_empty(tag::symbol);
    const bool has_symbol = !symbol.empty() && symbol != "[N/A]";
    const InstrumentDefinition* const of_symbol = by_symbol(symbol);
    if (has_symbol && of_symbol == nullptr)
        return refuse(detail::FixText{"Symbol {}: no such instrument", symbol});
    const auto id = message.text(tag::security_id);
    if (!id && !has_symbol)
        return refuse(detail::FixText{"Symbol (55) or SecurityID (48) is missing"});
    if (!id) [[likely]]
        return of_symbol;
    const std::string_view source = message.text_or_empty(tag::security_id_source);
    if (source != "4" && source != "8")
        return refuse(detail::FixText{
            "SecurityIDSource {}: here 4 and 8 are (ISIN, symbol of the exchange)", source});
    const InstrumentDefinition* const of_id = source == "8" ? by_symbol(*id) : by_isin(*id);
    if (of_id == nullptr) return refuse(detail::FixText{"SecurityID {}: no such instrument", *id});
    if (has_symbol && of_id != of_symbol)
        return refuse(detail::FixText{"SecurityID {}: it is not that of {}", *id, symbol});
    return of_id;
}

std::vector<const InstrumentDefinition*> FixInstruments::all() const {
    std::vector<const InstrumentDefinition*> all;
    for (const InstrumentDefinition& one : definitions_)
        if (one.id) all.push_back(&one);
    return all;
}

}  // namespace damrak::gateway::fix
