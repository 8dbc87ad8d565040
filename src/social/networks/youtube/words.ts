import { truncate } from '#lib/text.ts'
import type { PublishCall } from '../network.ts'

export const limits = { title: 100, descriptionBytes: 5000, tags: 500, comment: 10_000 }

/** What viewers read, and who they are. */
export function wordsOf({ text, youtube }: Pick<PublishCall, 'text' | 'youtube'>) {
  const { title, privacy = 'private', tags = [], madeForKids = false } = youtube ?? {}
  const firstLine = text.split('\n').find((line) => line.trim() !== '') ?? ''
  return {
    title: (title ?? truncate(firstLine.trim(), limits.title)).trim(),
    description: text,
    privacy,
    tags,
    madeForKids,
  }
}
