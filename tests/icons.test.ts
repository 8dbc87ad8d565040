import { expect, test } from 'bun:test'
import { sources } from './support/imports.ts'

const sprite = await Bun.file('public/icons.svg').text()
const symbols = [...sprite.matchAll(/<symbol id="([^"]+)"/g)].map(([, id = '']) => id)
const icons = symbols.filter((id) => !id.startsWith('net-')).sort()
const marks = symbols.filter((id) => id.startsWith('net-')).sort()

const drawn = [...sources('views'), ...sources('src')].filter((file) => file !== 'views/ui/icon.tsx')
const code = (await Promise.all(drawn.map((file) => Bun.file(file).text()))).join('\n')

/** The members of a union of strings. */
async function union(file: string, type: string): Promise<string[]> {
  const declaration = new RegExp(`type ${type} =([^;=]*?)\\n\\n`).exec(await Bun.file(file).text())
  return [...(declaration?.[1] ?? '').matchAll(/'([^']+)'/g)].map(([, name = '']) => name).sort()
}

test('the sprite contains exactly the icons that views can use', async () => {
  expect(icons.length).toBeGreaterThan(10)
  expect(await union('views/ui/icon.tsx', 'IconName')).toEqual(icons)
})

test('every icon of the sprite is used', () => {
  const isDrawn = (name: string) => new RegExp(`(<Icon name=|icon=|[:?] )\\{?['"]${name}['"]`).test(code)
  expect(icons.filter((name) => !isDrawn(name))).toEqual([])
})

test('the sprite contains exactly the network logos', async () => {
  const networks = await union('views/ui/marks.tsx', 'Network')
  const named = networks.filter((network) => network !== 'linkedin-page').map((network) => `net-${network}`)
  expect(marks.length).toBeGreaterThan(5)
  expect(named).toEqual(marks)
})
