import { z } from 'zod'
import { nothingDone } from '#lib/errors.ts'
import { Id } from '#lib/ids.ts'
import { operation } from '#lib/operation.ts'
import { listOf } from '#lib/paginate.ts'
import { reply } from '#lib/reply.ts'
import { ConnectForm, Connection, Integration } from '../contract.ts'
import { connect } from './connecting.ts'
import * as integrations from './integrations.ts'

export const listIntegrations = operation({
  route: 'GET /api/integrations',
  summary: 'List networks and their connected accounts',
  permission: 'accounts:read',
  machine: true,
  input: z.object({ brandId: Id.optional() }),
  output: listOf(Integration),
  run: async ({ input, actor, db, config }) => ({
    items: await integrations.list(db, actor, config, input.brandId),
    nextCursor: null,
  }),
})

/** What a network that doesn't answer as it should makes of a connection. */
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
  problems: { test_key: 403, provider_not_connectable: 409, ...unreachable },
  run: async (call) => {
    // A sign-in at a provider that failed leaves nothing here.
    const made = await connect(call, call.input).catch(nothingDone)
    if ('authorizeUrl' in made) return reply(201, made, { next: made.authorizeUrl })
    const { brandId, name } = made.connection
    return reply(201, made, { next: `/workspace/accounts?brandId=${brandId}`, toast: `${name} is connected` })
  },
})
