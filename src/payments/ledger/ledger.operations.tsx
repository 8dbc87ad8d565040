import { z } from 'zod'
import type { Actor } from '#lib/actor.ts'
import { isAllowed, organizationOf } from '#lib/authorize.ts'
import type { Call } from '#lib/call.ts'
import { Id } from '#lib/ids.ts'
import { operation } from '#lib/operation.ts'
import { reply, stream } from '#lib/reply.ts'
import { csvFile } from '#lib/response/csv-file.ts'
import { Balances } from '#views/payments/ledger/balances.tsx'
import { Chain } from '#views/payments/ledger/chain.tsx'
import { LedgerTable } from '#views/payments/ledger/table.tsx'
import {
  LedgerBalanceFilter,
  LedgerBalanceList,
  LedgerCorrectionDraft,
  LedgerEntryLine,
  LedgerFilter,
  LedgerProofLine,
  LedgerTransaction,
  LedgerTransactionList,
  LedgerVerification,
  LedgerVerificationInput,
} from '../contract/ledger.ts'
import { listBalances } from './balances.ts'
import { correctLedger } from './correct.ts'
import { listEntryLines } from './export.ts'
import { listChains, requireMerchant } from './merchants.ts'
import { writeProof } from './proof.ts'
import { getTransaction, listTransactions } from './read.ts'
import { verifyLedger as verify } from './verify.ts'

const permission = 'transactions:read'

export const listLedgerTransactions = operation({
  route: 'GET /api/ledger',
  summary: 'List ledger transactions',
  permission,
  input: LedgerFilter,
  output: LedgerTransactionList,
  run: async (call) => {
    const { db, actor, input } = call
    const list = await listTransactions(db, organizationOf(actor, permission), input)
    return { ...list, can: { correct: await canCorrect(call) } }
  },
  view: (list, { input, actor }) => <LedgerTable list={list} query={input} organizationId={actor.organization?.id} />,
})

const canCorrect = async ({ actor, identity }: Call<unknown, Actor>): Promise<boolean> =>
  isAllowed(actor, 'transactions:write', await identity.serviceId('platform-pay'))

export const exportLedgerEntries = operation({
  route: 'GET /api/ledger/export',
  summary: 'Export ledger entries as CSV',
  permission,
  input: LedgerFilter.omit({ limit: true, cursor: true }),
  output: z.null(),
  streams: 'text/csv',
  run: async ({ db, actor, input }) =>
    csvFile('ledger', LedgerEntryLine, (page) =>
      listEntryLines(db, organizationOf(actor, permission), { ...input, ...page }),
    ),
})

export const getLedgerTransaction = operation({
  route: 'GET /api/ledger/:id',
  summary: 'Get a ledger transaction',
  permission,
  input: z.object({ id: Id }),
  output: LedgerTransaction,
  run: async ({ db, actor, input }) => getTransaction(db, organizationOf(actor, permission), input.id),
})

export const listLedgerBalances = operation({
  route: 'GET /api/ledger/balances',
  summary: 'List ledger balances',
  permission,
  input: LedgerBalanceFilter,
  output: LedgerBalanceList,
  run: async ({ db, actor, input }) => listBalances(db, organizationOf(actor, permission), input),
  view: (balances, { actor }) => <Balances balances={balances} organizationId={actor.organization?.id} />,
})

export const verifyLedger = operation({
  route: 'GET /api/ledger/verify',
  summary: 'Verify the ledger',
  permission,
  input: LedgerVerificationInput,
  output: LedgerVerification,
  run: async ({ db, actor, input: { merchantId }, signal, now }) => {
    const organizationId = organizationOf(actor, permission)
    if (merchantId !== undefined) await requireMerchant(db, organizationId, merchantId)
    const startedAt = performance.now()
    const verified = await verify(db, { organizationId, merchantId, signal })
    return { ...verified, verifiedAt: now(), durationMs: Math.round(performance.now() - startedAt) }
  },
  view: (verification) => <Chain verification={verification} />,
})

export const exportLedgerProof = operation({
  route: 'GET /api/ledger/proof',
  summary: 'Export the ledger’s chain as NDJSON',
  permission,
  input: LedgerVerificationInput,
  output: LedgerProofLine,
  streams: 'application/x-ndjson',
  run: async ({ db, actor, input: { merchantId } }) => {
    const chains = await listChains(db, organizationOf(actor, permission), merchantId)
    return stream(writeProof(db, chains), 'application/x-ndjson', {
      headers: { 'Content-Disposition': 'attachment; filename="ledger-proof.ndjson"' },
    })
  },
})

export const createLedgerCorrection = operation({
  route: 'POST /api/ledger/corrections',
  summary: 'Create a ledger correction',
  permission: 'transactions:write',
  creates: true,
  input: LedgerCorrectionDraft,
  output: LedgerTransaction,
  run: async (call) => reply(201, await correctLedger(call, call.input), { toast: 'Correction posted' }),
  view: async (_, { ask, actor }) => {
    const query = LedgerFilter.parse({})
    const list = await ask(listLedgerTransactions, query)
    return <LedgerTable list={list} query={query} organizationId={actor.organization?.id} />
  },
})
