// The program on the network card: whole datagrams to one address and port go to the AF_XDP socket
// of their queue, and everything else to the kernel as if this were not here. Compiled for the
// kernel's own machine, embedded into the library and loaded by xdp_program.cpp, which fills in
// `settings` before it is loaded and reads `counts`. What is odd (options, fragments, tags, lengths
// that do not agree) is the kernel's business, which knows all the rules; if it is to us we count why.
#include <linux/bpf.h>
#include <linux/if_ether.h>
#include <linux/in.h>
#include <linux/ip.h>
#include <linux/udp.h>

#include <bpf/bpf_endian.h>
#include <bpf/bpf_helpers.h>

// The same fields in the same order as XdpSettings in xdp_program.cpp; network byte order.
struct settings {
    __u32 address;
    __u16 port;
    __u8 link[ETH_ALEN];
};
const volatile struct settings settings;

// In the order of XdpCounts.
enum count {
    COUNT_TAKEN,
    COUNT_OTHER,
    COUNT_FRAGMENT,
    COUNT_OPTIONS,
    COUNT_VLAN,
    COUNT_LINK,
    COUNT_LENGTH,
    COUNT_NO_SOCKET,
    COUNTS
};

struct {
    __uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
    __uint(max_entries, COUNTS);
    __type(key, __u32);
    __type(value, __u64);
} counts SEC(".maps");

struct {
    __uint(type, BPF_MAP_TYPE_XSKMAP);
    __uint(max_entries, 64);
    __type(key, __u32);
    __type(value, __u32);
} sockets SEC(".maps");

static __always_inline void add_one(__u32 which)
{
    __u64 *count = bpf_map_lookup_elem(&counts, &which);
    if (count)
        ++*count;
}

static __always_inline int pass(__u32 which)
{
    add_one(which);
    return XDP_PASS;
}

static __always_inline int to_our_card(const struct ethhdr *ethernet)
{
    for (int i = 0; i < ETH_ALEN; ++i)
        if (ethernet->h_dest[i] != settings.link[i])
            return 0;
    return 1;
}

// IPv4 and UDP to our address; fragments after the first have no port.
static __always_inline int to_our_address(const struct iphdr *ip)
{
    return ip->version == 4 && ip->protocol == IPPROTO_UDP && ip->daddr == settings.address &&
           (ip->frag_off & bpf_htons(0x1fff)) == 0;
}

SEC("xdp")
int damrak_udp(struct xdp_md *context)
{
    void *data = (void *)(long)context->data;
    void *end = (void *)(long)context->data_end;
    struct ethhdr *ethernet = data;
    struct iphdr *ip = data + sizeof *ethernet;
    int tagged = 0;

    if ((void *)(ip + 1) > end)
        return pass(COUNT_OTHER);
    __u16 protocol = ethernet->h_proto;
    if (protocol == bpf_htons(ETH_P_8021Q) || protocol == bpf_htons(ETH_P_8021AD)) {
        const __u16 *tag = (void *)(ethernet + 1);
        protocol = tag[1];
        tagged = 1;
        ip = (void *)(tag + 2);
        if ((void *)(ip + 1) > end)
            return pass(COUNT_OTHER);
    }
    if (protocol != bpf_htons(ETH_P_IP) || !to_our_address(ip))
        return pass(COUNT_OTHER);
    __u32 header = ip->ihl * 4;
    struct udphdr *udp = (void *)ip + header;
    if (header < sizeof *ip || (void *)(udp + 1) > end || udp->dest != settings.port)
        return pass(COUNT_OTHER);

    // From here on the frame is for us; if it cannot be taken, its reason is counted.
    if (!to_our_card(ethernet))
        return pass(ethernet->h_dest[0] & 1 ? COUNT_LINK : COUNT_OTHER);
    if (tagged)
        return pass(COUNT_VLAN);
    if (ip->frag_off & bpf_htons(0x2000))
        return pass(COUNT_FRAGMENT);
    if (header != sizeof *ip)
        return pass(COUNT_OPTIONS);
    __u16 length = bpf_ntohs(udp->len);
    if (length < sizeof *udp || bpf_ntohs(ip->tot_len) != sizeof *ip + length ||
        (void *)udp + length > end)
        return pass(COUNT_LENGTH);
    __u32 queue = context->rx_queue_index;
    long action = bpf_redirect_map(&sockets, queue, XDP_PASS);
    add_one(action == XDP_REDIRECT ? COUNT_TAKEN : COUNT_NO_SOCKET);
    return action;
}

char license_of_program[] SEC("license") = "Apache-2.0";
