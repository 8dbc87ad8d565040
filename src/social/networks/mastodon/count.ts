import { countGraphemes } from '../limits.ts'
import type { Limits } from '../network.ts'

const addresses = /https?:\/\/[^\s<>"]+/gi
/** `@ada@example.com` counts as `@ada`. */
const farMentions = /(?<![\w/])(@\w+(?:[.-]\w+)*)@[a-z0-9.-]+[a-z0-9]/gi

/** Every URL counts the same, unless the server counts its characters, and of a mention only the name. */
export const countStatus = (text: string, { urlCharacters }: Partial<Limits> = { urlCharacters: 23 }): number => {
  const counted = urlCharacters === undefined ? text : text.replaceAll(addresses, 'x'.repeat(urlCharacters))
  return countGraphemes(counted.replaceAll(farMentions, '$1'))
}
