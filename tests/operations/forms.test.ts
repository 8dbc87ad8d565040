import { afterAll, beforeAll, expect, test } from 'bun:test'
import { toObject } from '#lib/request/to-object.ts'
import { unknownFields } from '#lib/request/input.ts'
import { openWorld, type World } from '../support/world.ts'
import { pageRoutesIn, type PageRoutes } from './page-routes.ts'
import { navigation, allowedCaller } from './send-request.ts'
import { operations, pages, paramsOf, type DeclaredPage } from './every.ts'

// Checks every form and button of every page: operations refuse unknown fields.

let world: World
let routeOf: PageRoutes['routeOf']

beforeAll(async () => {
  world = await openWorld({ apps: true })
  routeOf = (await pageRoutesIn(world)).routeOf
})
afterAll(() => world.close())

interface Sending {
  method: string
  path: string
  names: string[]
}

const ways = ['get', 'post', 'put', 'patch', 'delete']

/** What the forms of a page, and elements that send requests themselves, would send. */
async function sendingsOf(html: Response): Promise<Sending[]> {
  const found: Sending[] = []
  const byId = new Map<string, Sending[]>()
  let form: Sending[] = []
  const rewriter = new HTMLRewriter().on('*', {
    element(element) {
      const name = element.getAttribute('name')
      const isField = ['input', 'select', 'textarea', 'button'].includes(element.tagName)
      const owners = element.getAttribute('form')
      const own = sentBy(element)
      if (element.tagName === 'form') {
        form = own
        byId.set(element.getAttribute('id') ?? '', own)
        element.onEndTag(() => void (form = []))
      }
      if (name && isField) {
        const into = own.length > 0 && element.tagName !== 'form' ? own : owners ? (byId.get(owners) ?? []) : form
        for (const each of into) each.names.push(name)
      }
      found.push(...own)
    },
  })
  await rewriter.transform(html).text()
  return found
}

const entities: Record<string, string> = { quot: '"', '#34': '"', '#39': "'", amp: '&', lt: '<', gt: '>' }
const plain = (text: string): string => text.replaceAll(/&(#?\w+);/g, (whole, name: string) => entities[name] ?? whole)

function sentBy(element: HTMLRewriterTypes.Element): Sending[] {
  const names = Object.keys(JSON.parse(plain(element.getAttribute('hx-vals') ?? '{}')))
  return ways.flatMap((way) => {
    const path = element.getAttribute(`hx-${way}`)
    return path ? [{ method: way.toUpperCase(), path: plain(path), names: [...names] }] : []
  })
}

/** Fixed paths before those with parameters, as the router matches them. */
const byParams = operations.toSorted((one, other) => paramsOf(one.path).length - paramsOf(other.path).length)
const targets = byParams.map((operation) => ({
  operation,
  pattern: new RegExp(`^${operation.path.replaceAll('.', String.raw`\.`).replaceAll(/:\w+/g, '([^/]+)')}$`),
}))

/** The unknown fields of what would be sent to an operation; none where a page is requested. */
function unknownIn({ method, path, names }: Sending): string[] {
  const url = new URL(path, 'http://localhost')
  const target = targets.find(({ operation, pattern }) => operation.method === method && pattern.test(url.pathname))
  if (!target || target.operation.unknownFields) return []
  const params = Object.fromEntries(paramsOf(target.operation.path).map((name) => [name, 'x']))
  const isComposer = target.operation.path.startsWith('/api/posts') && names.includes('when')
  const sending = isComposer ? names.filter((name) => !composed.has(name)) : names
  const sent = toObject([...url.searchParams.keys(), ...sending].map((name) => [name, '1']))
  return unknownFields(target.operation.input, { ...sent, ...params }).map((field) => field.join('.'))
}

/** Fields that `post-composer` converts before sending. */
const composed = new Set(['account', 'when'])

const skipped = new Set(['/sso/authorize'])
const shown = pages.filter(({ path }) => !skipped.has(path))
let looked = 0

test.each(shown.map((page) => [page.path, page] as const))('%s sends no unknown fields', async (_, page) => {
  for (const caller of [allowedCaller(page, world), ...viewersOf(page)]) {
    const answer = await caller.fetch(routeOf(page), undefined, navigation)
    const sendings = await sendingsOf(answer)
    looked += sendings.length
    for (const sending of sendings)
      expect([`${sending.method} ${sending.path}`, unknownIn(sending)]).toEqual([
        `${sending.method} ${sending.path}`,
        [],
      ])
  }
})

const viewersOf = ({ permission }: DeclaredPage) => (permission === 'public' ? [world.stranger] : [])

test('every form is checked', () => {
  expect(looked).toBeGreaterThan(100)
})
