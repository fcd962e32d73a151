// The program on the network card: whole datagrams to one address and port go to the AF_XDP socket
// of their queue, and everything else to the kernel as if this were not here. Compiled for the
// kernel's own machine, embedded into the library and loaded by xdp_program.cpp, which fills in
// `settings` before it is loaded and reads `counts`. What is odd (options, fragments, lengths that
// do not agree) is the kernel's business: it knows all the rules.
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

// The order of XdpCounts.
enum count { COUNT_TAKEN, COUNT_OTHER, COUNT_ODD, COUNT_NO_SOCKET, COUNTS };

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

// The frame is Ethernet for us, IPv4 without a VLAN, UDP, and to our address.
static __always_inline int to_us(const struct ethhdr *ethernet, const struct iphdr *ip)
{
    for (int i = 0; i < ETH_ALEN; ++i)
        if (ethernet->h_dest[i] != settings.link[i])
            return 0;
    return ethernet->h_proto == bpf_htons(ETH_P_IP) && ip->protocol == IPPROTO_UDP &&
           ip->daddr == settings.address;
}

SEC("xdp")
int damrak_udp(struct xdp_md *context)
{
    void *data = (void *)(long)context->data;
    void *end = (void *)(long)context->data_end;
    struct ethhdr *ethernet = data;
    struct iphdr *ip = data + sizeof *ethernet;
    struct udphdr *udp = (void *)(ip + 1);
    const __u16 fragment_bits = bpf_htons(0x3fff);

    if ((void *)(udp + 1) > end || !to_us(ethernet, ip))
        return pass(COUNT_OTHER);
    // Only of a plain header, and of the first fragment, is this the port.
    if (ip->ihl != 5 || ip->version != 4 || (ip->frag_off & fragment_bits) != 0)
        return pass(COUNT_ODD);
    if (udp->dest != settings.port)
        return pass(COUNT_OTHER);
    __u16 length = bpf_ntohs(udp->len);
    if (length < sizeof *udp || bpf_ntohs(ip->tot_len) != sizeof *ip + length ||
        (void *)udp + length > end)
        return pass(COUNT_ODD);
    __u32 queue = context->rx_queue_index;
    long action = bpf_redirect_map(&sockets, queue, XDP_PASS);
    add_one(action == XDP_REDIRECT ? COUNT_TAKEN : COUNT_NO_SOCKET);
    return action;
}

char license_of_program[] SEC("license") = "Apache-2.0";
