import { z } from 'zod'

/** Whether PostgreSQL can store a text: without zero bytes and lone surrogates. */
export const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes('\0')

/** Text of at most `longest` UTF-16 units, as people write it; `missing` says so when there is none. */
export const plainText = (maxLength: number, missing?: string) =>
  z.string(missing).max(maxLength).refine(isStorable, 'Must be text without invalid characters.')

/** Replaces what PostgreSQL can't store in a text: zero bytes and lone surrogates. */
export const sanitizeText = (text: string): string => text.toWellFormed().replaceAll('\0', '\uFFFD')

/** The beginning of a text, of at most `longest` UTF-16 units, that doesn't end in half of a surrogate pair. */
export const truncate = (text: string, maxLength: number): string =>
  text.slice(0, maxLength).replace(/[\uD800-\uDBFF]$/, '')

/** A word or text with a capital first letter. */
export const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
