import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { operation } from '#lib/operation.ts'
import { listOf, paging } from '#lib/paginate.ts'
import { reply } from '#lib/reply.ts'
import * as connections from './connections.ts'
import { Connection } from '../contract.ts'

export const listAccounts = operation({
  route: 'GET /api/accounts',
  summary: 'List connected accounts',
  permission: 'accounts:read',
  machine: true,
  input: z.object({ ...paging, brandId: Id.optional() }),
  output: listOf(Connection),
  run: ({ input, actor, db }) => connections.page(db, actor, input),
})

export const getAccount = operation({
  route: 'GET /api/accounts/:id',
  summary: 'Get a connected account',
  permission: 'accounts:read',
  machine: true,
  input: z.object({ id: Id }),
  output: Connection,
  problems: { test_key: 403 },
  run: ({ input, actor, db }) => connections.get(db, actor, input.id),
})

export const deactivateAccount = operation({
  route: 'POST /api/accounts/:id/deactivate',
  summary: 'Pause a connected account',
  permission: 'accounts:write',
  machine: true,
  input: z.object({ id: Id }),
  output: Connection,
  problems: { test_key: 403 },
  run: async (call) => {
    const account = await connections.deactivate(call, call.input.id)
    return reply(200, account, { ...backTo(account), toast: `${account.name} is deactivated` })
  },
})

export const reconnectAccount = operation({
  route: 'POST /api/accounts/:id/reconnect',
  summary: 'Resume a connected account',
  permission: 'accounts:write',
  machine: true,
  input: z.object({ id: Id }),
  output: Connection,
  problems: { test_key: 403, sign_in_again: 409 },
  run: async (call) => {
    const account = await connections.reconnect(call, call.input.id)
    return reply(200, account, { ...backTo(account), toast: `${account.name} is connected again` })
  },
})

const backTo = ({ brandId }: connections.Account) => ({ next: `/workspace/accounts?brandId=${brandId}` })
