import { isIP, isIPv6 } from 'node:net'

/**
 * Who really asks, where `hops` proxies of ours stand in front: each adds the address that it saw at the end of
 * `X-Forwarded-For`, and what stands before those is only said by the caller.
 */
export function clientAddress(peer: string, forwardedFor: string | null, hops: number): string {
  const seen = hops > 0 && forwardedFor ? forwardedFor.split(',') : []
  const told = bare(seen.at(-hops) ?? seen[0] ?? '')
  return isIP(told) ? told : bare(peer)
}

/** An address without its port, its brackets and its mapping into IPv6. */
const bare = (text: string): string =>
  text
    .trim()
    .replace(/^\[(.*)\](:\d+)?$/, '$1')
    .replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1')
    .replace(/^::ffff:(?=\d+\.)/i, '')

/** What one customer of a provider holds: an IPv4 address, or the /64 of an IPv6 one. */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address
  const canonical = new URL(`http://[${address.replace(/%.*$/, '')}]`).hostname.slice(1, -1)
  const [head = '', tail] = canonical.split('::')
  const [first, last] = [head, tail ?? ''].map((part) => part.split(':').filter(Boolean))
  const zeros = tail === undefined ? 0 : 8 - (first?.length ?? 0) - (last?.length ?? 0)
  return `${[...(first ?? []), ...Array<string>(zeros).fill('0'), ...(last ?? [])].slice(0, 4).join(':')}::/64`
}

/** Whether a host name of a URL is this very machine: `localhost` and what ends in it (RFC 6761), 127.0.0.0/8, `[::1]`. */
export const isLoopback = (hostname: string): boolean => /^((.+\.)?localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(hostname)
