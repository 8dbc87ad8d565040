import { expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { Glob } from 'bun'
import { contexts, follows } from './support/arrows.ts'
import { circlesIn } from './support/circles.ts'
import { importsOf, sources } from './support/imports.ts'
import { isHelper, isPage, isPageImport, queries } from './support/pages.ts'

const files = [...sources('src'), ...sources('views')]
const texts = await Promise.all(files.map(async (file) => ({ file, text: await Bun.file(file).text() })))
const imports = texts.flatMap(({ file, text }) => importsOf(file, text))

const filesWith = (pattern: RegExp): string[] => texts.filter(({ text }) => pattern.test(text)).map(({ file }) => file)

test('imports between folders follow the arrows: lib ← identity ← gateway ← social, payments ← dashboard', () => {
  const wrong = imports.filter((found) => !follows(found))
  expect(wrong.map(({ file, specifier }) => `${file} imports ${specifier}`)).toEqual([])
})

test('no circular imports, including type-only imports', () => {
  expect(circlesIn(imports)).toEqual([])
})

test('circular imports are found', () => {
  const found = (arrows: string) =>
    circlesIn(arrows.split(' ').map((arrow) => ({ file: arrow.slice(0, 1), target: arrow.slice(1) })))
  expect(found('ab bc ca cd de')).toEqual([['a', 'b', 'c']])
  expect(found('ab ba bc cd dc')).toEqual([
    ['a', 'b'],
    ['c', 'd'],
  ])
  expect(found('ab ac bd cd')).toEqual([])
  expect(found('xa ab bc cb ca')).toEqual([['a', 'b', 'c']])
})

test('the import scan covers all folders, files and imports', () => {
  const folders = new Set(files.map((file) => file.split('/').slice(0, 2).join('/')))
  for (const folder of ['src/lib', 'views/ui', 'views/shell']) expect(folders).toContain(folder)
  expect(files.length).toBeGreaterThan(60)
  expect(imports.length).toBeGreaterThan(files.length)
  expect(imports.filter(({ typeOnly }) => typeOnly).length).toBeGreaterThan(20)
})

test('every folder of src is lib, the configuration, the commands, or a context with an index', () => {
  const folders = readdirSync('src', { withFileTypes: true }).filter((entry) => entry.isDirectory())
  const unknown = folders
    .map(({ name }) => name)
    .filter((name) => !['lib', 'config', 'commands'].includes(name) && !contexts[name])
  expect(unknown).toEqual([])
  for (const name of Object.keys(contexts)) {
    if (folders.some((folder) => folder.name === name)) expect(files).toContain(`src/${name}/index.ts`)
  }
})

/** Files outside the contexts that startup consists of, except those that list the services. */
function startFiles(): string[] {
  const lists = ['src/contexts.ts', 'src/services.ts', 'src/config/index.ts']
  const reached = new Set(['src/boot.ts', 'src/app.tsx'])
  for (const file of reached)
    for (const { target, file: from } of imports)
      if (from === file && /^src\/[^/]+$/.test(target) && !lists.includes(target)) reached.add(target)
  return [...reached]
}

const isDoor = (target: string): boolean => /^src\/(?!config\/)[a-z]+\/index\.ts$/.test(target)

test('PLT-04 startup code names no service, because contexts declare what they need', () => {
  const found = startFiles()
  for (const file of ['src/schedule.ts', 'src/hosts.ts', 'src/own-names.ts']) expect(found).toContain(file)
  const doors = imports.filter(
    ({ file, target, specifier }) => found.includes(file) && isDoor(target) && specifier !== '#platform',
  )
  expect(doors.map(({ file, specifier }) => `${file} imports ${specifier}`)).toEqual([])
  // The client of the dashboard in another process names it.
  const dashboardClient = 'src/platform/actions/dashboard.ts'
  const naming = filesWith(/'platform-[a-z-]+'|SERVICES\.includes\(/).filter(
    (file) => (found.includes(file) || file.startsWith('src/platform/')) && file !== dashboardClient,
  )
  expect(naming).toEqual([])
})

const pages = texts.filter(({ file }) => isPage(file))

/** The front page only asks whether to offer the sign-up. */
const pagesWithoutOperations = ['src/platform/front/front.pages.tsx']

test('PLT-06 pages consist of operations: they and their helpers import no domain functions or tables, and pages run no queries', () => {
  const wrong = imports.filter((found) => (isPage(found.file) || isHelper(found.file)) && !isPageImport(found))
  const found = [
    ...wrong.map(({ file, specifier }) => ({ file, fault: `imports ${specifier}` })),
    ...pages
      .filter(({ file, text }) => queries(text) && !pagesWithoutOperations.includes(file))
      .map(({ file }) => ({ file, fault: 'queries' })),
  ]
  expect(found.map(({ file, fault }) => `${file} ${fault}`)).toEqual([])
  expect(pages.length).toBeGreaterThan(20)
})

test.each([
  ["import { listPosts } from './posts.operations.tsx'", true],
  ["import { Post } from '../contract.ts'", true],
  ["import { AppAction } from './action-contract.ts'", true],
  ["import { Theme } from './contract/preferences.ts'", true],
  ["import { noReferrer } from '../http/responses.ts'", true],
  ["import type { Actor } from './posts.ts'", true],
  ["import { z } from 'zod'", true],
  ["import * as posts from './posts.ts'", false],
  ["import { posts } from '../schema.ts'", false],
  ["import { users } from '#lib/schema.ts'", false],
  ["import { recordChange } from '#lib/audit.ts'", false],
  ["import { listReceived } from '#lib/incoming-webhooks/received.ts'", false],
  ["import { admit } from '#lib/http/admission.ts'", false],
  ["import { eq } from 'drizzle-orm'", false],
  ["import { identity } from '#identity'", false],
] as const)('%s in a page is allowed: %p', (text, expected) => {
  expect(importsOf('src/social/posts/posts.pages.tsx', text).map(isPageImport)).toEqual([expected])
})

/** Nouns, addresses and key prefixes of the product. */
const productWords =
  /(?<!\.)\bbrands?\b|\bposts\b|\bpost\.[a-z]|workspace|platform-[a-z]|\batr_|billing|referrals|rewards|dashboard/gi

/**
 * The kernel's problem code that every service answers for a suspended organization, whose name is given (IDN-34), and
 * the service whose kinds include failing webhooks, which every process has.
 */
const allowedInLib = ['workspace_suspended', "service: 'platform-identity'"]

test('lib contains no product terms', async () => {
  const code = (text: string) => text.replaceAll(/\/\*.*?\*\/|(?<!:)\/\/[^\n]*/gs, '')
  const found = texts
    .filter(({ file }) => file.startsWith('src/lib/'))
    .flatMap(({ file, text }) =>
      [...allowedInLib.reduce((left, word) => left.replaceAll(word, ''), code(text)).matchAll(productWords)].map(
        ([word]) => `${file}: ${word}`,
      ),
    )
  expect(found).toEqual([])
})

test('every transaction uses transact(), which retries deadlocks and refuses outside calls', () => {
  expect(filesWith(/\b(?:db|tx|within)\.transaction\(|\.reserve\(/)).toEqual(['src/lib/db.ts'])
})

const refused = [
  ["import { x } from '#social'", 'src/lib/db.ts'],
  ["import { Icon } from '#views/ui/icon.tsx'", 'src/lib/http.ts'],
  ["import type { Brand } from '#social'", 'src/identity/login.pages.tsx'],
  ["import { keys } from '../identity/keys.ts'", 'src/social/posts.ts'],
  ["import { database } from '../lib/db.ts'", 'src/social/posts.ts'],
  ["import { LoginPage } from '#views/identity/sign-in/login.tsx'", 'src/social/posts.pages.tsx'],
  ["import { config } from '#config'", 'src/social/posts.ts'],
  ["import type { Post } from '#social'", 'views/social/posts/posts.tsx'],
  ["import type { Post } from '#social/types'", 'views/identity/account.tsx'],
  ["import { z } from 'zod'", 'views/social/posts/posts.tsx'],
  ["import { database } from '#lib/db.ts'", 'views/ui/table.tsx'],
  ["import type { Account } from '#identity'", 'views/ui/marks.tsx'],
  ["const { x } = await import('#social')", 'src/identity/index.ts'],
] as const

test.each(refused)('%s is rejected in %s', (text, file) => {
  expect(importsOf(file, text).map(follows)).toEqual([false])
})

const accepted = [
  ["import { identity, type Actor } from '#identity'", 'src/social/posts.ts'],
  ["import { PostsPage } from '#views/social/posts/posts.tsx'", 'src/social/posts.pages.tsx'],
  ["import { publish } from './publishing/publish.ts'", 'src/social/jobs.ts'],
  ["import { problem } from '../errors.ts'", 'src/lib/postgres/connect.ts'],
  ["import type { Post } from '#social/types'", 'views/social/posts/posts.tsx'],
  ["import { Icon } from '#views/ui/icon.tsx'", 'views/social/posts/posts.tsx'],
  ["import { posts } from '#social'", 'src/contexts.ts'],
] as const

test.each(accepted)('%s is allowed in %s', (text, file) => {
  expect(importsOf(file, text).map(follows)).toEqual([true])
})

test('type-only imports are recognized, including inline and in exports', () => {
  const text = `import type { A } from './a.ts'\nimport { type B } from './b.ts'\nexport type { C } from './c.ts'
    import { type D, d } from './d.ts'\nimport './e.ts'\nexport type F = { type: string }`
  const found = importsOf('src/social/posts.ts', text).map(({ specifier, typeOnly }) => [specifier, typeOnly])
  expect(Object.fromEntries(found)).toEqual({
    './a.ts': true,
    './b.ts': true,
    './c.ts': true,
    './d.ts': false,
    './e.ts': false,
  })
})

test('only lib/http.ts imports Elysia', () => {
  const knowing = imports.filter(({ target }) => target === 'elysia' || target.startsWith('elysia/'))
  expect([...new Set(knowing.map(({ file }) => file))].filter((file) => file !== 'src/lib/http.ts')).toEqual([])
})

test('the scan for unescaped text is never disabled', () => {
  expect(filesWith(/as\s+['"]safe['"]/)).toEqual([])
  expect(filesWith(/dangerously/i)).toEqual([])
  expect(filesWith(/>\s*\{\s*safe\w*/)).toEqual([])
})

test('only the shell renders script elements, none with inline code', () => {
  const withScript = filesWith(/<script\b/)
  expect(withScript.filter((file) => !file.startsWith('views/shell/'))).toEqual([])
  expect(withScript.length).toBeGreaterThan(0)
  expect(filesWith(/<script\b[^>]*[^/\s]\s*>/)).toEqual([])
})

test('every decision has a unique number', () => {
  const numbers = readdirSync('docs/decisions').map((name) => name.slice(0, 3))
  expect(numbers.filter((number, at) => numbers.indexOf(number) !== at)).toEqual([])
})

/** Attributes that are read without their name in the source. */
const readByComputedName = new Map(
  ['data-current', 'data-arriving', 'data-detail'].map((name) => [name, 'sso-callback.js selects `[data-${place}]`.']),
)

const readTexts = (pattern: string): Promise<string[]> =>
  Promise.all([...new Glob(pattern).scanSync('.')].map((file) => Bun.file(file).text()))

/** Whether a script reads the attribute by its name, or as a property of `dataset`, destructured ones included. */
function isReadByScript(name: string, text: string): boolean {
  if (text.includes(name)) return true
  const property = name.slice('data-'.length).replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())
  return text.includes('dataset') && new RegExp(`(?:dataset\\.|[{,]\\s*)${property}\\b|'${property}' in\\b`).test(text)
}

test('every data attribute that a view writes is read by a script, a style, a selector or a test', async () => {
  const [scripts, styles, tests] = await Promise.all(
    ['public/js/**/*.js', 'public/css/**/*.css', 'tests/**/*.{ts,tsx}'].map(readTexts),
  )
  const views = texts.filter(({ file }) => file.endsWith('.tsx'))
  const selectors = [...(styles ?? []), ...(tests ?? []), ...views.map(({ text }) => text)].join('\n')
  const written = views.flatMap(({ file, text }) =>
    [...text.matchAll(/\s(data-[a-z-]+)(?=[=\s/>])|'(data-[a-z-]+)':/g)].map(([, plain, key]) => ({
      file,
      name: plain ?? key ?? '',
    })),
  )
  const unread = written.filter(
    ({ name }) =>
      !readByComputedName.has(name) &&
      !new RegExp(`\\[${name}(?![a-z-])`).test(selectors) &&
      !(tests ?? []).some((text) => text.includes(`${name}="`)) &&
      !(scripts ?? []).some((text) => isReadByScript(name, text)),
  )
  expect(unread.map(({ file, name }) => `${file} ${name}`)).toEqual([])
  const names = written.map(({ name }) => name)
  expect([...readByComputedName.keys()].filter((name) => !names.includes(name))).toEqual([])
  expect(written.length).toBeGreaterThan(100)
})
