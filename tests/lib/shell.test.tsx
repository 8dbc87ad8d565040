import { expect, test } from 'bun:test'
import type { Call } from '#lib/call.ts'
import { Places } from '#views/shell/places.tsx'
import { shellOf } from '../../src/shell.ts'
import { actor, contextOf } from './kernel.tsx'

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

test('PLT-04 the navigation has the pages of all services in their order, and the main action of the first', async () => {
  const { places, primary } = await shellOf(services, at('http://example.com/orders/7'), actor)
  expect(places.map(({ label }) => label)).toEqual(['Orders', 'Refunds', 'Models'])
  expect(primary?.label).toBe('New Orders')
})

test('PLT-04 a service’s host shows its own pages alone', async () => {
  const { places } = await shellOf(services, at('http://pay.example.com/orders'), actor)
  expect(places.map(({ label }) => label)).toEqual(['Orders', 'Refunds'])
})

test('the navigation marks the page that is shown, and the one above it', () => {
  const marks = (here: string) =>
    [
      ...String(<Places places={[place('Orders'), place('Models')]} here={here} />).matchAll(/aria-current="(\w+)"/g),
    ].map(([, mark]) => mark)
  expect(marks('/orders')).toEqual(['page'])
  expect(marks('/orders/7')).toEqual(['true'])
  expect(marks('/ordersome')).toEqual([])
})
