import { z } from 'zod'
import { rethrowAsNothingDone } from '#lib/errors.ts'
import { Id } from '#lib/ids.ts'
import { operation } from '#lib/operation.ts'
import { reply } from '#lib/reply.ts'
import { AccountCards } from '#views/social/accounts/accounts.tsx'
import { ConnectForm, Connection, IntegrationList } from '../contract.ts'
import { readPermissions } from '../access.ts'
import { connect } from './connect.ts'
import { describe } from './connections.ts'
import * as integrations from './integrations.ts'

export const listIntegrations = operation({
  route: 'GET /api/integrations',
  summary: 'List networks and their connected accounts',
  permission: 'accounts:read',
  machine: true,
  input: z.object({ brandId: Id.optional() }),
  output: IntegrationList,
  run: async (call) => ({ ...(await integrations.listIntegrations(call, call.input.brandId)), nextCursor: null }),
  view: (list) => <AccountCards {...list} />,
})

const unreachable = { provider_unreachable: 502, provider_error: 502, provider_rate_limited: 503 }

export const connectIntegration = operation({
  route: 'POST /api/integrations/:platform/connect',
  summary: 'Connect an account to a brand',
  permission: 'accounts:write',
  machine: true,
  input: ConnectForm,
  output: z.union([z.object({ connection: Connection }), z.object({ authorizeUrl: z.url() })]),
  creates: true,
  transaction: false,
  problems: { test_key_not_allowed: 403, provider_not_connectable: 409, ...unreachable },
  run: async (call) => {
    // A sign-in at a provider that failed leaves nothing here.
    const connected = await connect(call, call.input).catch(rethrowAsNothingDone)
    if ('authorizeUrl' in connected) return reply(201, connected, { next: connected.authorizeUrl })
    const connection = describe(connected.connection, await readPermissions(call))
    const next = `/workspace/accounts?brandId=${connection.brandId}`
    return reply(201, { connection }, { next, toast: 'Account connected' })
  },
})
