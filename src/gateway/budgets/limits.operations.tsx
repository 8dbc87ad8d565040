import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { operation } from '#lib/operation.ts'
import { paging } from '#lib/paginate.ts'
import { reply } from '#lib/reply.ts'
import { families, limitModes, periods, scopeTypes } from '../contract/families.ts'
import { LimitOptions, SpendLimit, SpendLimitList } from '../contract/limits.ts'
import { LimitChange, LimitInput } from './input.ts'
import { createLimit, deleteLimit, describeRow, getLimit, listLimits, updateLimit } from './limits.ts'

export const getLimitOptions = operation({
  route: 'GET /api/limits/options',
  summary: 'Get the options for limits',
  permission: 'role:owner',
  input: z.object({}),
  output: LimitOptions,
  run: async () => ({
    scopeTypes: [...scopeTypes],
    families: [...families],
    periods: [...periods],
    modes: [...limitModes],
  }),
})

export const listSpendLimits = operation({
  route: 'GET /api/limits',
  summary: 'List spending limits',
  permission: 'usage:read',
  input: z.object(paging),
  output: SpendLimitList,
  run: async ({ db, actor, input }) => {
    const { items, nextCursor } = await listLimits(db, actor, input)
    return { items: items.map(describeRow), nextCursor }
  },
})

export const getSpendLimit = operation({
  route: 'GET /api/limits/:id',
  summary: 'Get a spending limit',
  permission: 'usage:read',
  input: z.object({ id: Id }),
  output: SpendLimit,
  run: async ({ db, actor, input }) => describeRow(await getLimit(db, actor, input.id)),
})

export const createSpendLimit = operation({
  route: 'POST /api/limits',
  summary: 'Create a spending limit',
  permission: 'limits:manage',
  input: LimitInput,
  output: SpendLimit,
  creates: true,
  problems: { limit_exists: 409, not_found: 404 },
  example: {
    scope_type: 'application',
    scope_value: 'mail',
    family: 'ai',
    period: 'day',
    limitNanoUsd: 5_000_000_000,
    mode: 'hard',
    timeZone: 'UTC',
  },
  run: async (call) => reply(201, describeRow(await createLimit(call, call.input))),
})

export const updateSpendLimit = operation({
  route: 'PATCH /api/limits/:id',
  summary: 'Update a spending limit',
  permission: 'limits:manage',
  input: LimitChange,
  output: SpendLimit,
  run: async (call) => describeRow(await updateLimit(call, call.input)),
})

export const deleteSpendLimit = operation({
  route: 'DELETE /api/limits/:id',
  summary: 'Delete a spending limit',
  permission: 'limits:manage',
  input: z.object({ id: Id }),
  output: z.null(),
  run: async (call) => {
    await deleteLimit(call, call.input.id)
    return reply(204, null)
  },
})
