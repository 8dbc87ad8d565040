import { z } from 'zod'
import { rethrowAsNothingDone } from '#lib/errors.ts'
import { Id } from '#lib/ids.ts'
import { operation } from '#lib/operation.ts'
import { comesFrom, isTarget } from '#lib/page.ts'
import { reply } from '#lib/reply.ts'
import { accountHref } from '#views/social/accounts/account-actions.tsx'
import { AccountCards } from '#views/social/accounts/accounts.tsx'
import { ConnectMenu, connectMenu } from '#views/social/accounts/connect-menu.tsx'
import { firstBrandPath } from '#views/social/brands/first-brand-step.tsx'
import { ConnectForm, Connection, IntegrationList } from '../contract.ts'
import { drawChangedTargets } from '../http/changed-targets.tsx'
import { drawChangedAccounts } from '../http/changed-accounts.tsx'
import { connect } from './connect.ts'
import { findCurrentBrand } from '../brands/current.ts'
import { describe } from './details.ts'
import * as integrations from './integrations.ts'

export const listIntegrations = operation({
  route: 'GET /api/integrations',
  summary: 'List networks and their connected accounts',
  permission: 'accounts:read',
  machine: true,
  input: z.object({
    brandId: Id.optional(),
    brand: z
      .literal('current')
      .optional()
      .describe('Without `brandId`: the brand that this browser last used, or else the first by name.'),
  }),
  output: IntegrationList,
  run: async (call) => {
    const { brandId, brand } = call.input
    const current =
      brand && !brandId ? await findCurrentBrand(call, call.actor, { permissions: ['accounts:read'] }) : null
    return { ...(await integrations.listIntegrations(call, brandId ?? current?.brand?.id)), nextCursor: null }
  },
  view: async (list, call) => {
    if (isTarget(call, connectMenu)) return <ConnectMenu {...list} />
    return list.brand && isTarget(call, 'targets') ? drawChangedTargets(call, list.brand) : <AccountCards {...list} />
  },
})

const unreachable = {
  provider_unreachable: 502,
  provider_error: 502,
  provider_rate_limited: 503,
  gateway_unavailable: 503,
}

export const connectIntegration = operation({
  route: 'POST /api/integrations/:platform/connect',
  summary: 'Connect an account to a brand',
  permission: 'accounts:write',
  machine: true,
  input: ConnectForm,
  output: z.union([z.object({ connection: Connection }), z.object({ authorizeUrl: z.url() })]),
  creates: true,
  transaction: false,
  problems: { test_key_not_allowed: 403, provider_not_connectable: 409, client_unreachable: 409, ...unreachable },
  run: async (call) => {
    // A sign-in at a provider that failed leaves nothing here.
    const isOnboarding = comesFrom(call, '/onboarding')
    const connected = await connect(call, call.input, isOnboarding).catch(rethrowAsNothingDone)
    if ('authorizeUrl' in connected) return reply(201, connected, { next: connected.authorizeUrl, leavesPage: true })
    const connection = await describe(call, connected.connection)
    // Another account than that of the page can have been connected.
    const isOnAccount = isTarget(call, 'account')
    const leavesPage = isOnAccount || isOnboarding
    const accounts = isOnboarding ? firstBrandPath : `/workspace/accounts?brandId=${connection.brandId}`
    const next = isOnAccount ? accountHref(connection) : accounts
    return reply(201, { connection }, { next, leavesPage, toast: 'Account connected' })
  },
  view: async (connected, call) => {
    if (!('connection' in connected)) return <></>
    const { brandId, brandName } = connected.connection
    if (isTarget(call, 'targets')) return drawChangedTargets(call, { id: brandId, name: brandName })
    return drawChangedAccounts(call, await call.ask(listIntegrations, { brandId }))
  },
})
