import { expect, test } from 'bun:test'
import { listChanges, startComparing } from '../../src/social/review/changes-since.ts'
import { fingerprintOf } from '../../src/social/review/content.ts'

const content = (text: string) => ({
  provider: 'sandbox' as const,
  text,
  media: [],
  firstComment: null,
  linkPreview: null,
  target: null,
  youtube: null,
})

test('SOC-32 changed words of a text are told apart from the others', () => {
  const [change] = listChanges(
    content('Until January, in two shops'),
    content('Until February, in two shops'),
    startComparing(),
  )
  expect(change?.parts.filter(({ kind }) => kind !== 'same')).toEqual([
    { kind: 'removed', text: 'January' },
    { kind: 'added', text: 'February' },
  ])
})

test('SOC-14 SOC-32 changed image of a link preview is a change to review', () => {
  const card = { url: 'https://example.com/', title: 'Maple', description: '', imageUrl: 'https://example.com/a.png' }
  const [before, after] = [card, { ...card, imageUrl: 'https://example.com/b.png' }].map((linkPreview) => ({
    ...content('Look'),
    linkPreview,
  }))
  if (!before || !after) throw new Error('Two contents')
  expect(listChanges(before, after, startComparing())).toMatchObject([
    { field: 'linkPreview', before: expect.stringContaining('a.png'), after: expect.stringContaining('b.png') },
  ])
  expect(fingerprintOf(before)).not.toBe(fingerprintOf(after))
})

test('SOC-32 texts in which everything differs are compared as a whole within a moment', () => {
  const started = performance.now()
  const [before, after] = ['!'.repeat(9_000), '?'.repeat(9_000)]
  const [change] = listChanges(content(before), content(after), startComparing())
  expect(change?.parts).toEqual([
    { kind: 'removed', text: before },
    { kind: 'added', text: after },
  ])
  // Without bounds it takes a minute.
  expect(performance.now() - started).toBeLessThan(1_000)
})

test('SOC-32 texts of a response are compared up to a limit, and the others shown whole', () => {
  const comparing = startComparing()
  const words = Array.from({ length: 1_000 }, (_, nth) => `w${nth}`).join(' ')
  const compare = () => listChanges(content(`${words} old`), content(`${words} new`), comparing)[0]?.parts.length
  const parts = Array.from({ length: 40 }, compare)
  expect(parts[0]).toBe(3)
  expect(parts.at(-1)).toBe(2)
})
