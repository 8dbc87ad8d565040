import type { Limits, Metadata, Network } from './network.ts'

/** What a network takes from an account; from nobody in particular when there is none. */
export const limitsOf = (network: Network, metadata: Metadata | null): Limits =>
  (metadata && network.limitsOf?.(metadata)) ?? network.limits

/** By how much a text is longer than the network takes, in words; null when it isn't. */
export function tooLong(network: Network, text: string, limits: Limits): string | null {
  const { name } = network
  const over = network.count(text, limits) - limits.characters
  if (over > 0) return `${name} takes ${limits.characters} characters: shorten the text by ${over}.`
  if (!limits.bytes || Buffer.byteLength(text) <= limits.bytes) return null
  return `${name} takes ${limits.bytes} bytes, and this text has ${Buffer.byteLength(text)}: shorten it.`
}
