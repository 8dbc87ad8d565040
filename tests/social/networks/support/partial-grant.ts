import { expect, test } from 'bun:test'
import type { Provider } from '../../../../src/social/contract.ts'
import { networkOf } from '../../../../src/social/networks/index.ts'
import { drawPage } from './connect.ts'
import type { NetworkSite } from './site.ts'

interface PartialGrant {
  network: string
  site(): NetworkSite
  /** Consents without a permission that publishing needs; returns where that leads. */
  consent(): Promise<URL>
  /** The permission as the page names it. */
  permission: string
}

/** Consent without a permission connects no account that couldn't publish, and the page names what is missing. */
export function testPartialGrant({ network, site, consent, permission }: PartialGrant): void {
  test(`SOC-23 SOC-25 ${network}, partial grant: nothing connected, and the page names the permission`, async () => {
    const listAccounts = async () =>
      (await site().ada.call<{ items: { id: string }[] }>('GET', '/api/accounts?limit=100')).items.map(({ id }) => id)
    const before = await listAccounts()
    const at = await consent()
    expect(at.searchParams.get('unconnected')).toBe('partial')
    const page = await drawPage(site().ada, at)
    expect(page).toContain('Some permissions were left out')
    expect(page).toContain(permission)
    expect(await listAccounts()).toEqual(before)
  })
}

/** The network has no consent page with permissions that people can leave out. */
export function testUndividedGrant(network: string, provider: Provider, why: string): void {
  test(`SOC-23 SOC-25 ${network}, partial grant: not applicable, ${why}`, () => {
    const found = networkOf(provider)
    if (!found) throw new Error(`${provider} is no network`)
    expect(found.scopes).toBeUndefined()
  })
}
