import { Glob } from 'bun'
import { expect, test } from 'bun:test'
import { sources } from './support/imports.ts'

const files = [...sources('views'), ...sources('src'), ...new Glob('public/js/**/*.js').scanSync('.')]
const code = (await Promise.all(files.map((file) => Bun.file(file).text()))).join('\n')
const words = new Set(code.split(/[^\w-]+/))

/** Of the browser and of htmx. */
const foreign = new Set(['htmx-request', 'w3', 'org', 'woff2'])

test('every class in the stylesheets is used', async () => {
  const unused: string[] = []
  for (const file of new Glob('public/css/**/*.css').scanSync('.')) {
    const rules = (await Bun.file(file).text()).replaceAll(/\/\*.*?\*\//gs, '')
    const classes = new Set([...rules.matchAll(/\.([a-z][\w-]*)/g)].map(([, name = '']) => name))
    for (const name of classes) if (!words.has(name) && !foreign.has(name)) unused.push(`${file} .${name}`)
  }
  expect(unused).toEqual([])
})
