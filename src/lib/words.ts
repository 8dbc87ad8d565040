import { z } from 'zod'

/** Whether PostgreSQL can keep a text as it is: no character 0, no half of a surrogate pair. */
const isKeepable = (text: string): boolean => text.isWellFormed() && !text.includes('\0')

/** Text of at most `longest` UTF-16 units, as people write it; `missing` says so when there is none. */
export const words = (longest: number, missing?: string) =>
  z.string(missing).max(longest).refine(isKeepable, 'Must be text without broken characters.')
