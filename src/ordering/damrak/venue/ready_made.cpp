#include <damrak/venue/ready_made.hpp>

#include <algorithm>
#include <array>

namespace damrak::venue {

namespace {

constexpr unsigned char k_continuous[] = {
#include "continuous.toml.inc"
};
constexpr unsigned char k_nasdaq_like[] = {
#include "nasdaq-like.toml.inc"
};
constexpr unsigned char k_xetra_like[] = {
#include "xetra-like.toml.inc"
};
constexpr unsigned char k_lse_like[] = {
#include "lse-like.toml.inc"
};
constexpr unsigned char k_tokyo_like[] = {
#include "tokyo-like.toml.inc"
};
constexpr unsigned char k_hong_kong_like[] = {
#include "hong-kong-like.toml.inc"
};
constexpr unsigned char k_cme_like[] = {
#include "cme-like.toml.inc"
};
constexpr unsigned char k_iex_like[] = {
#include "iex-like.toml.inc"
};
constexpr unsigned char k_frequent_batch[] = {
#include "frequent-batch.toml.inc"
};
constexpr unsigned char k_crypto_like[] = {
#include "crypto-like.toml.inc"
};

template <std::size_t size>
ReadyMade made(std::string_view name, const unsigned char (&bytes)[size]) {
    return {name, {reinterpret_cast<const char*>(bytes), size}};
}

}  // namespace

std::span<const ReadyMade> ready_made() {
    static const std::array k_all{made("continuous", k_continuous),
                                  made("nasdaq-like", k_nasdaq_like),
                                  made("xetra-like", k_xetra_like),
                                  made("lse-like", k_lse_like),
                                  made("tokyo-like", k_tokyo_like),
                                  made("hong-kong-like", k_hong_kong_like),
                                  made("cme-like", k_cme_like),
                                  made("iex-like", k_iex_like),
                                  made("frequent-batch", k_frequent_batch),
                                  made("crypto-like", k_crypto_like)};
    return k_all;
}

const ReadyMade* find_ready_made(std::string_view name) {
    const auto all = ready_made();
    const auto found = std::ranges::find(all, name, &ReadyMade::name);
    return found == all.end() ? nullptr : &*found;
}

}  // namespace damrak::venue
