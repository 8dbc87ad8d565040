import { z } from 'zod'

/** Whether PostgreSQL can keep a text as it is: no character 0, no half of a surrogate pair. */
export const isKeepable = (text: string): boolean => text.isWellFormed() && !text.includes('\0')

/** Text of at most `longest` UTF-16 units, as people write it; `missing` says so when there is none. */
export const words = (longest: number, missing?: string) =>
  z.string(missing).max(longest).refine(isKeepable, 'Must be text without invalid characters.')

/** Replaces what PostgreSQL can't store in a text: zero bytes and lone surrogates. */
export const keepable = (text: string): string => text.toWellFormed().replaceAll('\0', '\uFFFD')

/** The beginning of a text, of at most `longest` UTF-16 units, that doesn't end in half of a surrogate pair. */
export const cut = (text: string, longest: number): string => text.slice(0, longest).replace(/[\uD800-\uDBFF]$/, '')
