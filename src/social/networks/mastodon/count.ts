import { countGraphemes } from '../limits.ts'
import type { Limits } from '../network.ts'

const addresses = /https?:\/\/[^\s<>"]+/gi
/** `@ada@example.com` counts as `@ada`. */
const farMentions = /(?<![\w/])(@\w+(?:[.-]\w+)*)@[a-z0-9.-]+[a-z0-9]/gi

/** Every URL counts the same, and of a mention only the name. */
export const countStatus = (text: string, { urlCharacters = 23 }: Partial<Limits> = {}): number =>
  countGraphemes(text.replaceAll(addresses, 'x'.repeat(urlCharacters)).replaceAll(farMentions, '$1'))
