import { z } from 'zod'
import type { Actor } from '#lib/actor.ts'
import { isAllowed } from '#lib/authorize.ts'
import type { Call } from '#lib/call.ts'
import { operation } from '#lib/operation.ts'
import { parameterOfPage } from '#lib/page.ts'
import { reply } from '#lib/reply.ts'
import { csvFile } from '#lib/response/csv-file.ts'
import { optionalField, plainText } from '#lib/text.ts'
import { SettlementParts } from '#views/payments/settlements/details.tsx'
import { Items } from '#views/payments/settlements/items.tsx'
import { SettlementTable } from '#views/payments/settlements/list.tsx'
import {
  BatchDraft,
  BatchId,
  ItemDecision,
  NewSettlement,
  Settlement,
  SettlementCallback,
  SettlementDetails,
  SettlementFilter,
  SettlementItem,
  SettlementItemFilter,
  SettlementItemList,
  SettlementList,
} from '../contract/settlements.ts'
import { providerProblems } from '../provider-problems.ts'
import { settlements } from '../schema.ts'
import { approvalOf } from '../second-person.ts'
import { listUsedCurrencies } from '../used-currencies.ts'
import { findBatch, lockBatch, ownedBy, ownerOf } from './access.ts'
import { replayCallback } from './callbacks/replay.ts'
import { checkBatch } from './check.ts'
import { approveBatch, declineBatch, requestOf } from './decide.ts'
import { readSentBatch, takeBatch } from './intake.ts'
import { resolveItem } from './resolve-item.ts'
import { countBatches, listBatches, listItems, readBatch } from './read.ts'
import type { BatchRow } from './rows.ts'

const mebibyte = 1024 * 1024

const reading = {
  permission: 'transactions:read',
  services: true,
  problems: { organization_required: 400, identity_unavailable: 503 },
} as const

/** 10,000 items with the longest names have less than 4 MiB. */
const maxBody = 4 * mebibyte

export const createSettlement = operation({
  route: 'POST /api/settlements',
  summary: 'Create a settlement batch',
  permission: 'settlements:write',
  services: true,
  body: { limit: maxBody },
  input: BatchDraft,
  output: NewSettlement,
  answers: { 202: NewSettlement },
  transaction: false,
  problems: {
    ...providerProblems,
    organization_required: 400,
    batch_differs: 409,
    own_account_required: 422,
    identity_unavailable: 503,
  },
  example: {
    batchId: 'b-77',
    currency: 'EUR',
    callbackUrl: 'https://p2p.example.com/callbacks',
    controlSum: 1500,
    items: [{ reference: 'i-1', recipient: 'acct_1Pb2Lm', amount: 1500 }],
  },
  run: async (call) => reply(202, await takeBatch(call, call.input)),
})

export const getSentSettlement = operation({
  route: 'GET /api/settlements/:batchId/sent',
  summary: 'Get a settlement batch that you sent',
  permission: 'settlements:write',
  services: true,
  machine: true,
  input: z.object({ batchId: BatchId }),
  output: NewSettlement,
  problems: { organization_required: 400, identity_unavailable: 503 },
  run: (call) => readSentBatch(call, call.input.batchId),
})

export const listSettlements = operation({
  ...reading,
  route: 'GET /api/settlements',
  summary: 'List settlement batches',
  machine: true,
  input: SettlementFilter,
  output: SettlementList,
  run: async (call) => {
    const owner = await ownerOf(call, 'transactions:read')
    const [list, counts, currencies] = await Promise.all([
      listBatches(call.db, owner, call.input),
      countBatches(call.db, owner, call.input),
      listUsedCurrencies(call.db, settlements, ownedBy(owner)),
    ])
    return { ...list, counts, currencies }
  },
  view: (list, { input, actor }) => (
    <SettlementTable list={list} query={input} organizationId={actor.organization?.id} />
  ),
})

export const exportSettlements = operation({
  ...reading,
  route: 'GET /api/pay/settlements/export',
  summary: 'Export settlement batches as CSV',
  input: SettlementFilter.omit({ limit: true, cursor: true }),
  output: z.null(),
  streams: 'text/csv',
  run: async (call) => {
    const owner = await ownerOf(call, 'transactions:read')
    return csvFile('settlements', Settlement, (page) => listBatches(call.db, owner, { ...call.input, ...page }))
  },
})

export const getSettlement = operation({
  ...reading,
  route: 'GET /api/settlements/:batchId',
  summary: 'Get a settlement batch with its callbacks',
  machine: true,
  input: z.object({ batchId: BatchId }),
  output: SettlementDetails,
  run: (call) => describe(call, call.input.batchId),
  view: (batch, { actor }) => <SettlementParts batch={batch} organizationId={actor.organization?.id} />,
})

/** The batch after a change. */
const drawBatch = async ({ ask, actor }: Pick<Describing, 'ask' | 'actor'>, batchId: string) => (
  <SettlementParts batch={await ask(getSettlement, { batchId })} organizationId={actor.organization?.id} />
)

export const listSettlementItems = operation({
  ...reading,
  route: 'GET /api/settlements/:batchId/items',
  summary: 'List items of a settlement batch',
  machine: true,
  input: SettlementItemFilter,
  output: SettlementItemList,
  run: async (call) => {
    const batch = await findBatch(call.db, await ownerOf(call, 'transactions:read'), call.input.batchId)
    const list = await listItems(call.db, batch, call.input, call.now())
    return { ...list, can: { resolve: await canSettle(call) } }
  },
  view: (items, { input, actor }) => <Items items={items} query={input} organizationId={actor.organization?.id} />,
})

export const exportSettlementItems = operation({
  ...reading,
  route: 'GET /api/settlements/:batchId/items/export',
  summary: 'Export items of a settlement batch as CSV',
  input: SettlementItemFilter.omit({ limit: true, cursor: true }),
  output: z.null(),
  streams: 'text/csv',
  run: async (call) => {
    const batch = await findBatch(call.db, await ownerOf(call, 'transactions:read'), call.input.batchId)
    return csvFile(batch.batchId, SettlementItem, (page) =>
      listItems(call.db, batch, { ...call.input, ...page }, call.now()),
    )
  },
})

const deciding = {
  permission: 'settlements:write',
  output: SettlementDetails,
  transaction: false,
} as const

export const approveSettlement = operation({
  ...deciding,
  route: 'POST /api/settlements/:batchId/approve',
  summary: 'Approve a settlement batch',
  input: z.object({
    batchId: BatchId,
    code: optionalField(plainText(100).trim()).describe(
      'A code from your authenticator app, or a recovery code, when no one else can approve your own batch.',
    ),
  }),
  problems: {
    session_required: 403,
    second_person_needed: 403,
    second_factor_needed: 403,
    batch_state: 409,
    too_many_codes: 429,
    identity_unavailable: 503,
  },
  run: async (call) => {
    const { batchId, code } = call.input
    await approveBatch(call, await ownerOf(call, 'settlements:write'), { batchId, code })
    return reply(200, await describe(call, batchId), { next: `/pay/settlements/${batchId}`, toast: 'Batch approved' })
  },
  view: (_, call) => drawBatch(call, call.input.batchId),
})

export const declineSettlement = operation({
  ...deciding,
  route: 'POST /api/settlements/:batchId/decline',
  summary: 'Decline a settlement batch',
  input: z.object({ batchId: BatchId }),
  problems: { session_required: 403, second_person_needed: 403, batch_state: 409, identity_unavailable: 503 },
  run: async (call) => {
    const { batchId } = call.input
    await declineBatch(call, await ownerOf(call, 'settlements:write'), batchId)
    return reply(200, await describe(call, batchId), { next: `/pay/settlements/${batchId}`, toast: 'Batch declined' })
  },
  view: (_, call) => drawBatch(call, call.input.batchId),
})

export const resolveSettlementItem = operation({
  route: 'POST /api/settlements/:batchId/items/:itemId/resolve',
  summary: 'Mark an unknown item as settled or failed',
  permission: 'settlements:write',
  transaction: false,
  input: ItemDecision,
  output: SettlementItem,
  problems: { ...providerProblems, session_required: 403, item_state: 409 },
  run: async (call) => {
    const item = await resolveItem(call, await ownerOf(call, 'settlements:write'), call.input)
    return reply(200, item, { next: `/pay/settlements/${call.input.batchId}`, toast: 'Outcome saved' })
  },
  view: async (_, call) => {
    const shown = SettlementItemFilter.shape.status.safeParse(parameterOfPage(call, 'status'))
    const query = SettlementItemFilter.parse({ batchId: call.input.batchId, status: shown.data })
    const items = await call.ask(listSettlementItems, query)
    return <Items items={items} query={query} organizationId={call.actor.organization?.id} />
  },
})

const CheckStarted = z.object({ batchId: z.string(), status: z.literal('checking') })

export const checkSettlement = operation({
  route: 'POST /api/settlements/:batchId/check',
  summary: 'Check a settlement batch with the provider',
  limit: 'checks',
  permission: 'settlements:write',
  input: z.object({ batchId: BatchId }),
  output: CheckStarted,
  answers: { 202: CheckStarted },
  problems: { batch_state: 409 },
  run: async (call) => {
    const { batchId } = call.input
    await checkBatch(call, await lockBatch(call.db, await ownerOf(call, 'settlements:write'), batchId))
    return reply(
      202,
      { batchId, status: 'checking' as const },
      { next: `/pay/settlements/${batchId}`, toast: 'Check started' },
    )
  },
  view: (_, call) => drawBatch(call, call.input.batchId),
})

export const replaySettlementCallback = operation({
  route: 'POST /api/settlements/:batchId/callbacks/:sequence/replay',
  summary: 'Send a settlement callback again',
  permission: 'settlements:write',
  input: z.object({ batchId: BatchId, sequence: z.coerce.number().int().min(1) }),
  output: SettlementCallback,
  answers: { 202: SettlementCallback },
  run: async (call) => {
    const { batchId, sequence } = call.input
    const batch = await lockBatch(call.db, await ownerOf(call, 'settlements:write'), batchId)
    const replayed = await replayCallback(call, batch, sequence)
    return reply(202, replayed, { next: `/pay/settlements/${batchId}`, toast: 'Callback queued' })
  },
  view: (_, call) => drawBatch(call, call.input.batchId),
})

type Describing = Call<unknown, Actor>

const describe = async (call: Describing, batchId: string) =>
  readBatch(call.db, await ownerOf(call, 'transactions:read'), batchId, (batch) => rightsIn(call, batch))

const canSettle = async ({ actor, identity }: Describing): Promise<boolean> =>
  actor.tokenType !== 'service' && isAllowed(actor, 'settlements:write', await identity.serviceId('platform-pay'))

async function rightsIn(call: Describing, batch: BatchRow) {
  const writes = await canSettle(call)
  const waits = writes && batch.status === 'needs_approval'
  const approval = waits ? await approvalOf(call, requestOf(batch)) : 'not_allowed'
  return {
    approve: approval !== 'not_allowed',
    confirmAlone: approval === 'alone',
    decline: approval !== 'not_allowed',
    check: writes && batch.status !== 'needs_approval',
    replay: writes,
  }
}
