import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import type { Call } from '#lib/call.ts'
import { operation } from '#lib/operation.ts'
import { paging } from '#lib/paginate.ts'
import { reply } from '#lib/reply.ts'
import { families, limitModes, periods, scopeTypes } from '../contract/families.ts'
import { LimitDryRunCard } from '#views/gateway/limits/dry-run.tsx'
import { LimitFields } from '#views/gateway/limits/new-dialog.tsx'
import { LimitsCard, LimitView } from '#views/gateway/limits/limits.tsx'
import {
  LimitAlertList,
  LimitDryRun,
  LimitOptions,
  LimitRevisionList,
  SpendLimit,
  SpendLimitList,
} from '../contract/limits.ts'
import { LimitAlerts, LimitRevisions } from '#views/gateway/limits/history.tsx'
import { listAlerts, listRevisions } from './history.ts'
import { LimitChange, LimitDraft, LimitInput } from './input.ts'
import {
  creatable,
  createLimit,
  deleteLimit,
  describeLimit,
  describeLimits,
  getLimit,
  listLimits,
  updateLimit,
} from './limits.ts'
import { tryLimit } from './try-limit.ts'

const place = '/gateway/limits'
/** Of one organization; more are found through the API. */
const maxLimits = 100

export const getLimitOptions = operation({
  route: 'GET /api/limits/options',
  summary: 'Get the options for limits',
  permission: 'role:owner',
  input: z.object({}),
  output: LimitOptions,
  run: async ({ actor }) => ({
    scopeTypes: scopeTypes.filter((type) => type !== 'platform' || actor.isSuperAdmin),
    families: [...families],
    periods: [...periods],
    modes: [...limitModes],
  }),
  view: (options) => <LimitFields options={options} />,
})

export const listSpendLimits = operation({
  route: 'GET /api/limits',
  summary: 'List spending limits',
  permission: 'usage:read',
  input: z.object(paging),
  output: SpendLimitList,
  run: async (call) => {
    const { items, nextCursor } = await listLimits(call.db, call.actor, call.input)
    const [described, can] = await Promise.all([describeLimits(call, items), creatable(call)])
    return { items: described, nextCursor, can }
  },
  view: (list) => <LimitsCard list={list} />,
})

export const listLimitAlerts = operation({
  route: 'GET /api/limits/alerts',
  summary: 'List alerts of spending limits',
  permission: 'usage:read',
  input: z.object(paging),
  output: LimitAlertList,
  run: listAlerts,
  view: (list) => <LimitAlerts list={list} />,
})

export const listLimitRevisions = operation({
  route: 'GET /api/limits/changes',
  summary: 'List changes of spending limits',
  permission: 'usage:read',
  input: z.object(paging),
  output: LimitRevisionList,
  run: listRevisions,
  view: (list) => <LimitRevisions list={list} />,
})

/** What changed is shown with the other limits. */
const viewAll = {
  view: async (_: unknown, { ask }: Pick<Call, 'ask'>) => (
    <LimitsCard list={await ask(listSpendLimits, { limit: maxLimits })} />
  ),
} as const

export const dryRunLimit = operation({
  route: 'GET /api/limits/dry-run',
  summary: 'Get the effect that a limit would have had',
  permission: 'usage:read',
  input: LimitDraft,
  output: LimitDryRun,
  problems: { not_found: 404 },
  run: (call) => tryLimit(call, call.input),
  view: (result) => <LimitDryRunCard result={result} />,
})

export const getSpendLimit = operation({
  route: 'GET /api/limits/:id',
  summary: 'Get a spending limit',
  permission: 'usage:read',
  input: z.object({ id: Id }),
  output: SpendLimit,
  run: async (call) => describeLimit(call, await getLimit(call.db, call.actor, call.input.id)),
  view: (limit) => <LimitView limit={limit} />,
})

export const createSpendLimit = operation({
  route: 'POST /api/limits',
  summary: 'Create a spending limit',
  permission: 'limits:manage',
  transaction: false,
  input: LimitInput,
  output: SpendLimit,
  creates: true,
  problems: { limit_exists: 409, not_found: 404, budgets_unavailable: 503 },
  example: {
    scope_type: 'application',
    scope_value: 'mail',
    family: 'ai',
    period: 'day',
    limitNanoUsd: 5_000_000_000,
    mode: 'hard',
    timeZone: 'UTC',
  },
  run: async (call) =>
    reply(201, await describeLimit(call, await createLimit(call, call.input)), {
      next: place,
      toast: 'Budget created',
    }),
  ...viewAll,
})

export const updateSpendLimit = operation({
  route: 'PATCH /api/limits/:id',
  summary: 'Update a spending limit',
  permission: 'limits:manage',
  transaction: false,
  input: LimitChange,
  output: SpendLimit,
  problems: { budgets_unavailable: 503 },
  run: async (call) =>
    reply(200, await describeLimit(call, await updateLimit(call, call.input)), { next: place, toast: 'Budget saved' }),
  ...viewAll,
})

export const deleteSpendLimit = operation({
  route: 'DELETE /api/limits/:id',
  summary: 'Delete a spending limit',
  permission: 'limits:manage',
  transaction: false,
  input: z.object({ id: Id }),
  output: z.null(),
  problems: { budgets_unavailable: 503 },
  run: async (call) => {
    await deleteLimit(call, call.input.id)
    return reply(204, null, { next: place, toast: 'Budget deleted' })
  },
  ...viewAll,
})
