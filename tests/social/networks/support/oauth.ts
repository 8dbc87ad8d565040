import { expect, test } from 'bun:test'
import type { Integration } from '#social/types'
import type { App, Consent, Grants } from '../../../counterparts/wire/grants.ts'
import type { Wire } from '../../../counterparts/wire/wire.ts'
import { findConnected } from './connect.ts'
import { testPartialGrant } from './partial-grant.ts'
import type { NetworkSite } from './site.ts'

interface Account {
  id: string
  username: string
}

type Counterpart<Of extends Account, Route extends string> = Pick<Wire<string, Route>, 'callsOf' | 'clock' | 'fail'> & {
  app: App
  grants: Grants
  consent(authorizeUrl: string, account: Of, consent?: Consent): string
}

interface OAuthTable<Of extends Account, Route extends string> {
  network: string
  site(): NetworkSite
  counterpart(): Counterpart<Of, Route>
  createAccount(username: string): Of
  /** Of a connected account. */
  connect(): Promise<{ account: Of; connectionId: string }>
  /** In the URL of the consent page. */
  authorize: Record<string, string>
  /** Without one of them, nothing is connected. */
  permissions: string[]
  /** Of an access token. */
  lifetimeMs: number
  refreshRoute: Route
  /** How old a token has to be before the network refreshes it. */
  refreshableAfterMs?: number
  media?(): Promise<{ mediaId: string }[]>
}

/** Consent, the tokens that it gives, their refreshes and their end. */
export function testOAuth<Of extends Account, Route extends string>(table: OAuthTable<Of, Route>): void {
  const { network, site, counterpart, createAccount, connect, lifetimeMs, refreshRoute } = table
  const consent = (account: Of, how?: Consent) => site().consent((url) => counterpart().consent(url, account, how))
  const find = (account: Of) => findConnected(site().ada, account.id)
  const refreshes = () => counterpart().callsOf(refreshRoute).length
  const postWith = async (text: string) => ({ text, ...(table.media && { media: await table.media() }) })
  const expectLifetime = (expiresAt: string | null) => {
    const livesFor = Date.parse(expiresAt ?? '') - Date.now()
    expect(livesFor).toBeGreaterThan(lifetimeMs - 200_000)
    expect(livesFor).toBeLessThan(lifetimeMs + 100_000)
  }

  test('SOC-05 SOC-06 account connects with the lifetime of its token, and the secret stays in the gateway', async () => {
    const account = createAccount('ada')
    let address = ''
    const back = await site().consent((url) => {
      address = url
      return counterpart().consent(url, account)
    })
    expect(address).not.toContain(counterpart().app.clientSecret)
    expect(Object.fromEntries(new URL(address).searchParams)).toMatchObject(table.authorize)
    expect(back.searchParams.get('unconnected')).toBeNull()
    const connected = await find(account)
    expect(connected).toMatchObject({ health: 'ok', account: { name: '@ada' } })
    expectLifetime(connected.expiresAt)
    const { items } = await site().ada.call<{ items: Integration[] }>('GET', '/api/integrations')
    expect(items.find(({ provider }) => provider === site().provider)).toMatchObject({ readiness: 'production-ready' })
  })

  test.each(table.permissions)('SOC-05 consent without %s connects nothing and is explained', async (permission) => {
    const account = createAccount('partial')
    const { searchParams } = await consent(account, { without: [permission] })
    expect([searchParams.get('unconnected'), searchParams.get('missing')]).toEqual(['partial', permission])
    expect(await find(account).catch(() => null)).toBeNull()
  })

  const permission = table.permissions[0] ?? ''
  testPartialGrant({
    network,
    site,
    // Google's are addresses, whose end is shown.
    permission: permission.split('/').at(-1) ?? permission,
    consent: () => consent(createAccount('partial'), { without: [permission] }),
  })

  test(`SOC-05 denied consent and a code that ${network} rejects connect nothing`, async () => {
    const account = createAccount('denying')
    expect((await consent(account, { allows: false })).searchParams.get('unconnected')).toBe('denied')
    const rejected = await site().consent((url) => {
      const back = new URL(counterpart().consent(url, account))
      back.searchParams.set('code', 'made-up')
      return back.href
    })
    expect(rejected.searchParams.get('unconnected')).toBe('failed')
    expect(await find(account).catch(() => null)).toBeNull()
  })

  test('SOC-07 token is refreshed ahead of expiry, once for posts of the same account at the same time', async () => {
    const account = await connect()
    counterpart().clock.advance(table.refreshableAfterMs ?? 0)
    const [one, two, three] = [await postWith('One'), await postWith('Two'), await postWith('Three')]
    await site().expireSoon(account)
    const before = refreshes()
    const posts = await Promise.all([one, two, three].map((values) => site().publish(account, values)))
    expect(posts.map(({ status }) => status)).toEqual(['published', 'published', 'published'])
    expect(refreshes()).toBe(before + 1)
    expectLifetime((await find(account.account)).expiresAt)
  })

  test('SOC-07 failed refresh disconnects nothing', async () => {
    const account = await connect()
    const values = await postWith('All the same')
    await site().expireSoon(account)
    counterpart().fail(refreshRoute, 'server_error')
    expect(await site().publish(account, values)).toMatchObject({ status: 'published' })
    expect((await find(account.account)).health).toBe('ok')
  })

  test('SOC-07 SOC-23 revoked access signs the account out, and connecting it again restores it', async () => {
    const { account, connectionId } = await connect()
    counterpart().grants.revoke(account.id)
    const post = await site().publish({ connectionId }, await postWith('Too late'))
    expect(post).toMatchObject({ status: 'failed', failureCode: 'signed_out' })
    expect((await find(account)).health).toBe('signed_out')
    await consent(account)
    expect(await find(account)).toMatchObject({ id: connectionId, health: 'ok' })
  })
}
