import { diffWordsWithSpace } from 'diff'
import type { ReviewChange } from '../contract.ts'
import type { ReviewedContent } from '../schema.ts'

/** Characters of both texts: comparing longer ones word by word takes long. */
const maxCompared = 20_000
/** Words. Texts that differ in more are shown whole: the time grows with the square. Not in time, so that a busy server shows the same. */
const bounds = { maxEditLength: 150 }

/** Characters that one response compares word by word: further texts are shown whole. */
export interface Comparing {
  left: number
}
export const startComparing = (): Comparing => ({ left: 100_000 })

/** What a reviewer has to look at since the content that was approved. */
export function listChanges(before: ReviewedContent, after: ReviewedContent, comparing: Comparing): ReviewChange[] {
  const fields = ['text', 'media', 'firstComment', 'linkPreview', 'target', 'youtube'] as const
  return fields.flatMap((field) => {
    const [was, is] = [words[field](before), words[field](after)]
    return was === is ? [] : [{ field, before: was, after: is, parts: partsOf(was ?? '', is ?? '', comparing) }]
  })
}

const words: Record<ReviewChange['field'], (content: ReviewedContent) => string | null> = {
  text: ({ text }) => text,
  // A file that was replaced by one with the same alt text is another file.
  media: ({ media }) => media.map(({ mediaId, alt }) => `${alt || 'Without alt text'} (${mediaId})`).join('\n') || null,
  firstComment: ({ firstComment }) => firstComment,
  linkPreview: ({ linkPreview }) => describeFields(linkPreview),
  target: ({ target }) => describeFields(target),
  youtube: ({ youtube }) => describeFields(youtube),
}

const describeFields = (fields: object | null): string | null =>
  fields &&
  Object.entries(fields)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, value]) => `${name}: ${String(value)}`)
    .join('\n')

function partsOf(before: string, after: string, comparing: Comparing): ReviewChange['parts'] {
  const length = before.length + after.length
  const isLong = length > Math.min(maxCompared, comparing.left)
  if (!isLong) comparing.left -= length
  const parts = isLong ? undefined : diffWordsWithSpace(before, after, bounds)
  if (!parts)
    return [
      { kind: 'removed', text: before },
      { kind: 'added', text: after },
    ]
  return parts.map(({ added, removed, value }) => ({
    kind: added ? 'added' : removed ? 'removed' : 'same',
    text: value,
  }))
}
