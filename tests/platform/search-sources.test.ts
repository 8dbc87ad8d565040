import { expect, test } from 'bun:test'
import { createLog } from '#lib/log.ts'
import { searchResult, searchKinds, searchSource, type SearchSource } from '#lib/search.ts'
import { commonKinds } from '../../src/platform/search/search.ts'
import { searchOf } from '../../src/platform/search/search.operations.tsx'
import { contextOf, kernelOf, known } from '../lib/kernel.tsx'

const times = (count: number) => Array.from({ length: count }, (_, at) => at)
const order = (name: string) => ({ ...searchResult('order', name, `/orders/${name}`), id: Bun.randomUUIDv7() })
const contact = (name: string) => ({ ...searchResult('contact', name, `/contacts/${name}`), id: Bun.randomUUIDv7() })

const contacts = searchSource({
  kinds: { contact: { title: 'Contacts', icon: 'user', avatar: 'square' } },
  find: async (_, words) => [contact(`${words} Ltd`)],
})
const orders = searchSource({
  kinds: { order: { title: 'Orders', icon: 'hourglass' } },
  actions: [
    { label: 'New order', href: '/orders#new', icon: 'plus', permission: 'notes:read' },
    { label: 'Refund an order', href: '/orders#refund', icon: 'undo-2', permission: 'notes:write' },
  ],
  find: async (_, words) => [order(`${words} 7`)],
})

/** Searches a server with test services that declare these searches. */
function openSearch(...sources: SearchSource[]) {
  const services = sources.map((search, at) => contextOf({ slug: `service-${at}`, search }))
  const kinds = searchKinds(commonKinds, services)
  const lines: string[] = []
  const handle = kernelOf([contextOf({ operations: { search: searchOf(kinds, () => services) } })], {
    database: { db: null } as never,
    provided: {
      hosts: { services: new Map(), all: new Set() },
      identity: { serviceId: async () => 'the-service', me: async () => ({ organizations: [] }) },
    } as never,
    log: createLog('debug', false, (line) => lines.push(line)),
  })
  const send = (q: string, headers = {}) =>
    handle(new Request(`http://localhost/api/search?q=${q}`, { headers: { ...known, ...headers } }))
  const find = async (q: string) => {
    const { items }: { items: { kind: string; label: string }[] } = await (await send(q)).json()
    return items.map(({ kind, label }) => `${kind} ${label}`)
  }
  return { ask: send, find, lines }
}

test('PLT-42 results of kinds that services declare are found, in service order', async () => {
  expect(await openSearch(orders, contacts).find('acme')).toEqual(['order acme 7', 'contact acme Ltd'])
  expect(await openSearch(contacts, orders).find('new')).toEqual(['action New order', 'contact new Ltd', 'order new 7'])
})

test('PLT-42 palette groups results under the title of their kind, with its icon or an avatar', async () => {
  const drawn = await (await openSearch(contacts, orders).ask('new', { 'hx-request': 'true' })).text()
  const groups = drawn.split('role="group"').slice(1)
  const shown = groups.map((group) => ({
    title: /aria-label="([^"]*)"/.exec(group)?.[1],
    icon: /icons\.svg#([\w-]+)/.exec(group)?.[1] ?? null,
    avatar: /data-shape="(\w+)"/.exec(group)?.[1] ?? null,
    label: /truncate">([^<]*)/.exec(group)?.[1],
  }))
  expect(shown).toEqual([
    { title: 'Actions', icon: 'plus', avatar: null, label: 'New order' },
    { title: 'Contacts', icon: null, avatar: 'square', label: 'new Ltd' },
    { title: 'Orders', icon: 'hourglass', avatar: null, label: 'new 7' },
  ])
})

test('PLT-42 action that a service declares is found only with its permission', async () => {
  expect(await openSearch(orders).find('order')).toEqual(['action New order', 'order order 7'])
})

test('PLT-42 each kind gets a share of the results when there are more than the limit', async () => {
  const many = { ...contacts, find: async () => times(30).map((at) => contact(`Contact ${at}`)) }
  const few = { ...orders, find: async () => times(3).map((at) => order(`Order ${at}`)) }
  const items = await openSearch(many, few).find('x')
  expect(items).toHaveLength(20)
  expect(items.slice(-4)).toEqual(['contact Contact 16', 'order Order 0', 'order Order 1', 'order Order 2'])
})

test('PLT-42 result whose kind its own service does not declare fails the search, and is not shown', async () => {
  const stray = { ...orders, find: async () => [contact('Secret Ltd')] }
  const { ask, lines } = openSearch(contacts, stray)
  const response = await ask('secret')
  expect(response.status).toBe(500)
  expect(await response.text()).not.toContain('Secret Ltd')
  expect(lines.join('\n')).toContain(
    'The search source of service-1 returned a result of an undeclared kind: \\"contact\\"',
  )
})

test('PLT-42 startup fails when a kind of results is declared twice', () => {
  const declared = (...slugs: string[]) => slugs.map((slug) => contextOf({ slug, search: orders }))
  expect(() => searchKinds(commonKinds, declared('platform-pay', 'platform-gateway'))).toThrow(
    'Two services declare the search result kind "order": platform-pay, and platform-gateway.',
  )
  const pages = searchSource({ kinds: { page: { title: 'Pages', icon: 'list' } }, find: async () => [] })
  expect(() => searchKinds(commonKinds, [{ slug: 'platform-pay', search: pages }])).toThrow(
    'Two services declare the search result kind "page": Atrium, and platform-pay.',
  )
})
