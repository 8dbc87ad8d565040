import { expect, test } from 'bun:test'
import { Provider } from '../../src/social/contract.ts'
import { networkOf } from '../../src/social/networks/index.ts'
import { assess } from '../../src/social/readiness/assess.ts'

const scheduledAt = new Date('2026-12-01T09:00:00Z')
const now = new Date('2026-11-30T09:00:00Z')

function assessWith(provider: Provider, scopes: string[]) {
  const account = {
    id: 'account',
    name: 'Acme',
    externalId: 'acme',
    host: 'acme.example',
    metadata: { username: 'acme', isSubscribed: false },
    scopes,
    expiresAt: null,
    signInEndsAt: null,
    works: true,
  }
  return assess(
    {
      id: 'post',
      brandId: 'brand',
      provider,
      scheduledAt,
      text: 'Hello',
      media: [],
      target: null,
      linkPreview: null,
      youtube: null,
      firstComment: null,
      position: 0,
      before: null,
      account,
      accountCheck: null,
      pause: null,
      checkedAt: now,
      checkedFor: scheduledAt,
      missingFiles: [],
    },
    { media: new Map(), opensAt: null, exceeded: null, now, unapproved: null },
  )
}

const permissions = Provider.options.flatMap((provider) =>
  (networkOf(provider)?.scopes ?? []).map((scope) => [provider, scope] as const),
)

/** Their servers grant all or nothing, and Mastodon’s permissions depend on the server’s software. */
const undivided: Provider[] = ['bluesky', 'mastodon']

test('SOC-15 networks with a consent page say which permissions publishing needs', () => {
  const providers = new Set(permissions.map(([provider]) => provider))
  const byConsent = Provider.options.filter((provider) => networkOf(provider)?.connect.by === 'authorize')
  expect(byConsent.filter((provider) => !providers.has(provider))).toEqual(undivided)
})

test.each(permissions)('SOC-15 post to %s is a problem when the account lacks %s', (provider, scope) => {
  const scopes = networkOf(provider)?.scopes ?? []
  const lacking = assessWith(
    provider,
    scopes.filter((each) => each !== scope),
  )
  expect(lacking.state).toBe('problem')
  expect(lacking.reasons.filter(({ code }) => code === 'permission_missing')).toMatchObject([
    { message: expect.stringContaining(scope), href: '/workspace/accounts/account' },
  ])
  const complete = assessWith(provider, [...scopes])
  expect(complete.reasons.map(({ code }) => code)).not.toContain('permission_missing')
})
