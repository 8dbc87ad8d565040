import { and, eq, sql } from 'drizzle-orm'
import { transact, type Database } from '#lib/db.ts'
import { Problem } from '#lib/errors.ts'
import { reconciliationRuns } from '../schema.ts'
import type { RunProgress, StoredBalance } from '../schema/reconciliation.ts'
import type { PaymentsWork } from '../work.ts'
import { comparedAccountOf, type ComparedAccount } from './account.ts'
import { compareBalances } from './compare-balances.ts'
import { compareMovementPage } from './compare-movements.ts'
import { compareDisputePage, comparePayoutPage, compareRefundPage } from './compare-states.ts'
import { resolveGone, saveFindings } from './differences.ts'
import type { Compared, Comparison } from './findings.ts'
import { publishReconciliation } from './reconciliation.topic.ts'
import type { RunRow } from './start.ts'

/** Of one job; the next one goes on. */
const maxPages = 50
/** Of one job: a slow provider doesn’t keep a worker from other organizations. */
const maxMs = 60_000
/** Of one run: half a million movements in five weeks. */
const maxPagesOfRun = 5_000
/** More aren’t differences of payments: the ledger is of another account. */
const maxDifferences = 1_000
const maxUnbooked = 2_000

/** Goes on with a run. True when more remains. @throws {Problem} of the gateway */
export async function advanceRun(work: PaymentsWork, run: RunRow): Promise<boolean> {
  const account = await comparedAccountOf(work, run.organizationId)
  const comparison: Comparison = { work, db: work.db, account, from: run.windowFrom, until: run.windowUntil }
  // Another account than before: from the beginning.
  let progress = run.account === account.account && run.progress ? run.progress : await begin(work.db, run, account)
  const end = work.now().getTime() + maxMs
  for (let pages = 0; pages < maxPages && work.now().getTime() < end; pages += 1) {
    if (progress.phase === 'balances') {
      await finish(comparison, run, progress)
      return false
    }
    progress = await comparePage(comparison, run, progress)
  }
  return true
}

const phases = ['movements', 'refunds', 'disputes', 'payouts', 'balances'] as const

async function begin(db: Database, { id, windowUntil }: RunRow, account: ComparedAccount): Promise<RunProgress> {
  const progress: RunProgress = {
    phase: 'movements',
    cursor: null,
    readBack: windowUntil.toISOString(),
    boundary: [],
    unbooked: [],
    pages: 0,
  }
  await db
    .update(reconciliationRuns)
    .set({
      account: account.account,
      scope: account.scope,
      progress,
      compared: 0,
      matched: 0,
      inTransit: 0,
      differences: 0,
    })
    .where(eq(reconciliationRuns.id, id))
  return progress
}

interface Page extends Compared {
  cursor: string | null
  readBack?: Date
  boundary?: readonly string[]
}

const compareBy: Record<
  Exclude<RunProgress['phase'], 'balances'>,
  (comparison: Comparison, progress: RunProgress) => Promise<Page>
> = {
  movements: (comparison, { cursor, readBack, boundary }) =>
    compareMovementPage(comparison, { cursor, readBack: new Date(readBack), boundary }),
  refunds: (comparison, { cursor }) => compareRefundPage(comparison, cursor),
  disputes: (comparison, { cursor }) => compareDisputePage(comparison, cursor),
  payouts: (comparison, { cursor }) => comparePayoutPage(comparison, cursor),
}

/** No later attempt goes on with it: this server may have been thought lost. */
const isOurs = ({ id, attempts }: RunRow) =>
  and(eq(reconciliationRuns.id, id), eq(reconciliationRuns.state, 'running'), eq(reconciliationRuns.attempts, attempts))

/** Stores what a page has shown and where the run goes on, together. */
async function comparePage(comparison: Comparison, run: RunRow, progress: RunProgress): Promise<RunProgress> {
  const { phase } = progress
  if (phase === 'balances') return progress
  if (progress.pages >= maxPagesOfRun) throw endless()
  const page = await compareBy[phase](comparison, progress)
  if (page.cursor !== null && page.cursor === progress.cursor) throw endless()
  const next: RunProgress = {
    phase: page.cursor === null ? (phases[phases.indexOf(phase) + 1] ?? 'balances') : phase,
    cursor: page.cursor,
    readBack: (page.readBack ?? new Date(progress.readBack)).toISOString(),
    boundary: page.boundary ?? [],
    unbooked: [...progress.unbooked, ...(page.unbooked ?? [])].slice(0, maxUnbooked),
    pages: progress.pages + 1,
  }
  const { work, account } = comparison
  await transact(work.db, async (tx) => {
    const found = { organizationId: run.organizationId, account: account.account, runId: run.id, at: work.now() }
    const saved = await saveFindings(tx, found, page.findings)
    const { compared, inTransit } = page
    const [stored] = await tx
      .update(reconciliationRuns)
      .set({
        progress: next,
        compared: sql`${reconciliationRuns.compared} + ${compared}`,
        inTransit: sql`${reconciliationRuns.inTransit} + ${inTransit}`,
        matched: sql`${reconciliationRuns.matched} + ${compared - inTransit - page.findings.length}`,
        differences: sql`${reconciliationRuns.differences} + ${saved}`,
      })
      .where(isOurs(run))
      .returning()
    if (!stored) throw new Error('The reconciliation has ended, or another server goes on with it')
    if (stored.differences > maxDifferences)
      throw new Problem(
        409,
        'too_many_differences',
        `There are more than ${maxDifferences.toLocaleString('en')} differences. Check that the key of the provider is of the account with which these payments were made.`,
      )
  })
  return next
}

const endless = (): Problem =>
  new Problem(409, 'too_many_movements', 'The provider’s lists don’t end, so they can’t be compared with the ledger.')

async function finish(comparison: Comparison, run: RunRow, { unbooked }: RunProgress): Promise<void> {
  const { work, account } = comparison
  const { organizationId, id: runId, windowFrom } = run
  const canCompare = account.scope === 'own' && account.isOnly && unbooked.length < maxUnbooked
  const compared = canCompare ? await compareBalances(comparison, { runId, unbooked }) : null
  const at = work.now()
  await transact(work.db, async (tx) => {
    const found = { organizationId, account: account.account, runId, at }
    await saveFindings(tx, found, compared?.findings ?? [])
    await resolveGone(tx, { ...found, from: windowFrom, hasBalances: compared !== null })
    const [ended] = await endRun(tx, run, {
      state: 'succeeded',
      finishedAt: at,
      errorCode: null,
      errorDetail: null,
      progress: null,
      balances: compared?.balances ?? null,
      differences: sql`${reconciliationRuns.differences} + ${compared?.findings.length ?? 0}`,
    })
    if (!ended) throw new Error('The reconciliation has ended, or another server goes on with it')
    await publishReconciliation(work, tx, organizationId)
  })
}

type End = Pick<RunRow, 'state' | 'finishedAt' | 'errorCode' | 'errorDetail'> & {
  progress?: RunProgress | null
  balances?: readonly StoredBalance[] | null
  differences?: ReturnType<typeof sql>
}

const endRun = (tx: Database, run: RunRow, end: End) =>
  tx.update(reconciliationRuns).set(end).where(isOurs(run)).returning({ id: reconciliationRuns.id })

/** The provider couldn’t be read. What was found before stays as it is; another attempt goes on where it ended. */
export async function failRun(
  work: Pick<PaymentsWork, 'db' | 'now' | 'events'>,
  run: RunRow,
  { code, message, isLast }: { code: string; message: string; isLast: boolean },
): Promise<void> {
  const at = work.now()
  await transact(work.db, async (tx) => {
    await endRun(tx, run, { state: 'failed', finishedAt: at, errorCode: code, errorDetail: message.slice(0, 500) })
    if (isLast) {
      const { organizationId, id: runId } = run
      const failed = { cause: 'run', kind: 'run_failed' as const, detail: message }
      await saveFindings(tx, { organizationId, account: '', runId, at }, [failed])
    }
    await publishReconciliation(work, tx, run.organizationId)
  })
}
