import { expect, test } from 'bun:test'
import type { Call } from '#lib/call.ts'
import { Places } from '#views/shell/navigation.tsx'
import { shellOf } from '../../src/platform/shell/shell.tsx'
import { actor, contextOf } from '../lib/kernel.tsx'

const place = (label: string) => ({ label, icon: 'list' as const, href: `/${label.toLowerCase()}?page=1` })
const withPlaces = (slug: string, ...labels: string[]) =>
  contextOf({ slug, shell: async () => ({ places: labels.map(place), primary: place(`New ${labels[0]}`) }) })

const call = {
  hosts: { services: new Map([['pay.example.com', ['platform-pay']]]), all: new Set(['example.com']) },
  config: {},
} as never
const at = (address: string): Call =>
  Object.assign({ request: { url: new URL(address), cookies: new Map(), headers: new Headers() } }, call)

const services = [withPlaces('platform-pay', 'Orders', 'Refunds'), withPlaces('platform-gateway', 'Models')]

test('PLT-04 navigation has the pages of all services in order, and the main action of the first', async () => {
  const { places, primary } = await shellOf(services, at('http://example.com/orders/7'), actor)
  expect(places.map(({ label }) => label)).toEqual(['Orders', 'Refunds', 'Models'])
  expect(primary?.label).toBe('New Orders')
})

test('PLT-04 navigation on a service’s host has only its own pages', async () => {
  const { places } = await shellOf(services, at('http://pay.example.com/orders'), actor)
  expect(places.map(({ label }) => label)).toEqual(['Orders', 'Refunds'])
})

test('navigation marks the current page and its parent', () => {
  const marks = (here: string) =>
    [
      ...String(<Places places={[place('Orders'), place('Models')]} here={here} />).matchAll(/aria-current="(\w+)"/g),
    ].map(([, mark]) => mark)
  expect(marks('/orders')).toEqual(['page'])
  expect(marks('/orders/7')).toEqual(['true'])
  expect(marks('/ordersome')).toEqual([])
})
