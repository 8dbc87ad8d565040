import { isIPv6 } from 'node:net'

/** The smallest network that a provider assigns to a customer: an IPv4 address, or an IPv6 /64. */
export const networkOf = (address: string): string => prefixOf(address, 4)

/** The largest network that is commonly assigned: an IPv4 address, or an IPv6 /48, which has 65,536 of the others. */
export const siteOf = (address: string): string => prefixOf(address, 3)

function prefixOf(address: string, groups: number): string {
  if (!isIPv6(address)) return address
  const canonical = new URL(`http://[${address.replace(/%.*$/, '')}]`).hostname.slice(1, -1)
  const [head = '', tail] = canonical.split('::')
  const [first, last] = [head, tail ?? ''].map((part) => part.split(':').filter(Boolean))
  const zeros = tail === undefined ? 0 : 8 - (first?.length ?? 0) - (last?.length ?? 0)
  const all = [...(first ?? []), ...Array<string>(zeros).fill('0'), ...(last ?? [])]
  return `${all.slice(0, groups).join(':')}::/${groups * 16}`
}

export const isLoopback = (hostname: string): boolean => /^((.+\.)?localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(hostname)
