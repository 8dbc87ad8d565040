import { expect, test } from 'bun:test'
import { countCommentLines } from './check-comments.ts'

test('lines that contain only a comment are counted', () => {
  expect(countCommentLines('/** One. */\nconst a = 1 // not this one\n  // Two.\n/**\n * Three to five.\n */\n')).toBe(
    5,
  )
  expect(countCommentLines('<p>\n  {/* One. */}\n  https://example.com // a text\n</p>')).toBe(1)
})
