import { expect, test } from 'bun:test'
import { findWords } from './check-words.ts'

const found = (text: string, file = 'views/page.tsx'): string[] => findWords(file, text).map((finding) => finding.found)

test('rejected words are found in texts, comments and Markdown', () => {
  expect(found('/** For whoever reads. */\nconst a = "one’s key"')).toEqual(['whoever', 'one’s'])
  expect(found('Nobody reads `nobody`.', 'docs/page.md')).toEqual(['Nobody'])
})

test('rejected phrases are found only in texts', () => {
  expect(found('const a = <p>Your workspace needs you</p>')).toEqual(['workspace', 'needs you'])
  expect(found('const a = `${name} did not answer`')).toEqual(['did not answer'])
  expect(found('// A workspace of ours.\nconst workspace = "/workspace/posts"')).toEqual([])
  expect(found('sql`SELECT name AS workspace FROM ${table}`')).toEqual([])
  expect(found('const a = <Button label="Keep it" />')).toEqual(['"Keep it"'])
})
