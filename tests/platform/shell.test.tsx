import { expect, test } from 'bun:test'
import { z } from 'zod'
import type { Actor } from '#lib/actor.ts'
import type { Call } from '#lib/call.ts'
import type { Page } from '#lib/page.ts'
import { Places } from '#views/shell/navigation.tsx'
import { shellOf } from '../../src/platform/shell/shell.tsx'
import { actor, contextOf } from '../lib/kernel.tsx'

const place = (label: string) => ({ label, icon: 'list' as const, href: `/${label.toLowerCase()}?page=1` })
const withPlaces = (slug: string, ...labels: string[]) =>
  contextOf({ slug, shell: async () => ({ places: labels.map(place), primary: place(`New ${labels[0]}`) }) })

const call = {
  hosts: { services: new Map([['pay.example.com', ['platform-pay']]]), all: new Set(['example.com']) },
  config: {},
  identity: { serviceId: async (slug: string) => slug },
} as never
const at = (address: string): Call =>
  Object.assign({ request: { url: new URL(address), cookies: new Map(), headers: new Headers() } }, call)

const settingsPage = (path: string, title: string, permission: Page['permission']): Page => ({
  path,
  title,
  permission,
  frame: 'settings',
  query: z.object({}),
  load: async () => ({}),
  view: () => '',
})

const services = [withPlaces('platform-pay', 'Orders', 'Refunds'), withPlaces('platform-gateway', 'Models')]

const shellAt = (address: string, slug?: string) =>
  shellOf(services, { frame: 'shell', context: slug ? { slug } : undefined }, at(address), actor)

test('PLT-04 navigation has the pages and the main action of the page’s service', async () => {
  const { places, primary } = await shellAt('http://example.com/models', 'platform-gateway')
  expect(places.map(({ label }) => label)).toEqual(['Models'])
  expect(primary?.label).toBe('New Models')
})

test('PLT-04 page outside all services has the navigation of the first service on the host', async () => {
  const { places } = await shellAt('http://pay.example.com/nothing')
  expect(places.map(({ label }) => label)).toEqual(['Orders', 'Refunds'])
})

const member: Actor = { ...actor, organization: { id: Bun.randomUUIDv7(), slug: 'acme', role: 'viewer' } }

test('navigation of an area lists the pages that the person can open, in groups', async () => {
  const pages = [
    settingsPage('/settings/profile', 'Profile', 'signed-in'),
    settingsPage('/settings/members', 'Members', 'role:viewer'),
    settingsPage('/settings/members/:id', 'Member', 'role:viewer'),
    settingsPage('/settings/closed', 'Closed', 'super-admin'),
  ]
  const own = [
    settingsPage('/settings/flows', 'Flows', 'flows:read'),
    settingsPage('/settings/other', 'Other', 'other:read'),
  ]
  const contexts = [
    ...services,
    contextOf({ slug: 'platform-identity', pages, everywhere: true }),
    contextOf({ slug: 'platform-flow', pages: own }),
  ]
  const permitted = { ...member, permissions: new Set(['platform-flow.flows:read', 'platform-pay.other:read']) }
  const settingsAt = (address: string) => shellOf(contexts, { frame: 'settings' }, at(address), permitted)
  const { area, places } = await settingsAt('http://example.com/settings/x')
  const groups = area?.groups.map(({ title, places: links }) => [title, links.map(({ label }) => label)])
  expect(groups).toEqual([
    ['You', ['Profile']],
    ['Organization', ['Members', 'Flows']],
  ])
  const elsewhere = await settingsAt('http://pay.example.com/settings/x')
  expect(elsewhere.area?.groups.map(({ places: links }) => links.map(({ label }) => label))).toEqual([
    ['Profile'],
    ['Members'],
  ])
  expect(places).toEqual([])
})

test('navigation marks the current page and its parent', () => {
  const marks = (here: string) =>
    [
      ...String(<Places places={[place('Orders'), place('Models')]} here={here} />).matchAll(/aria-current="(\w+)"/g),
    ].map(([, mark]) => mark)
  expect(marks('/orders')).toEqual(['page'])
  expect(marks('/orders/7')).toEqual(['true'])
  expect(marks('/ordersome')).toEqual([])
  const gateway = ['/gateway', '/gateway/usage'].map((href) => ({ label: href, icon: 'list' as const, href }))
  const marked = (here: string) =>
    String(<Places places={gateway} here={here} />).match(/href="[^"]+" aria-current="\w+"/g)
  expect(marked('/gateway/usage')).toEqual(['href="/gateway/usage" aria-current="page"'])
  expect(marked('/gateway/other')).toEqual(['href="/gateway" aria-current="true"'])
})
