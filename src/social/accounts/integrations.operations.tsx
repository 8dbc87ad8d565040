import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { operation } from '#lib/operation.ts'
import { reply } from '#lib/reply.ts'
import { ConnectForm, Connection, Integration, page } from '../contract.ts'
import * as integrations from './integrations.ts'

export const listIntegrations = operation({
  route: 'GET /api/integrations',
  summary: 'List every network with its connected accounts',
  permission: 'accounts:read',
  input: z.object({ brandId: Id.optional() }),
  output: page(Integration),
  run: async ({ input, actor, db, config }) => ({
    items: await integrations.list(db, actor, config, input.brandId),
    nextCursor: null,
  }),
})

export const connectIntegration = operation({
  route: 'POST /api/integrations/:platform/connect',
  summary: 'Connect an account of a network to a brand',
  permission: 'accounts:write',
  input: ConnectForm,
  output: z.object({ connection: Connection }),
  creates: true,
  transaction: false,
  run: async (call) => {
    const connection = await integrations.connect(call, call.input)
    const next = `/workspace/accounts?brandId=${connection.brandId}`
    return reply(201, { connection }, { next, toast: `${connection.name} is connected` })
  },
})
