import { Glob } from 'bun'
import { expect, test } from 'bun:test'

/** Where a failure of a post or a first comment gets its code. */
const patterns = [
  /\b(?:refuse|failWith|stop|createRefusal|createUnsentFailure)\(\s*'([a-z_]+)'/g,
  /\bcode: '([a-z_]+)'/g,
  // Tables of codes with their sentences.
  /\[\s*'([a-z]+(?:_[a-z]+)+)',\s*['`][A-Z]/g,
]
/** Of refused input, which no post has. */
const others = new Set(['custom'])

async function findCodes(): Promise<Set<string>> {
  const codes = new Set<string>()
  for (const folder of ['networks', 'publishing', 'review'])
    for await (const path of new Glob(`src/social/${folder}/**/*.ts`).scan('.')) {
      const text = await Bun.file(path).text()
      for (const pattern of patterns) for (const [, code = ''] of text.matchAll(pattern)) codes.add(code)
    }
  return codes.difference(others)
}

test('SOC-23 each code of a failure is in docs/providers.md', async () => {
  const docs = await Bun.file('docs/providers.md').text()
  const table = docs.slice(docs.indexOf('## How failures are named'))
  const listed = new Set([...table.matchAll(/^\| `([a-z_]+)`/gm)].map(([, code = '']) => code))
  const found = await findCodes()
  expect(found.size).toBeGreaterThan(20)
  expect([...found.difference(listed)].toSorted()).toEqual([])
  expect([...listed.difference(found)].toSorted()).toEqual([])
})
