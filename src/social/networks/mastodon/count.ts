import { countGraphemes } from '../limits.ts'
import type { Limits } from '../network.ts'

const addresses = /https?:\/\/[^\s<>"]+/gi
/** `@ada@example.com` counts as `@ada`. */
const farMentions = /(?<![\w/])(@\w+(?:[.-]\w+)*)@[a-z0-9.-]+[a-z0-9]/gi

/** Mastodon's own count: every address is as long as the others, and of a mention only the name counts. */
export const countStatus = (text: string, { urlCharacters = 23 }: Partial<Limits> = {}): number =>
  countGraphemes(text.replaceAll(addresses, 'x'.repeat(urlCharacters)).replaceAll(farMentions, '$1'))
