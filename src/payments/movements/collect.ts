import { and, eq, sql } from 'drizzle-orm'
import { z } from 'zod'
import { transact, type Database } from '#lib/db.ts'
import { postTransactions, type Posting } from '../ledger/post.ts'
import { ensureDefaultMerchant } from '../orders/merchants.ts'
import { fromProviderUnits } from '../provider-units.ts'
import { movementAccounts, openMovements } from '../schema.ts'
import type { MovementSearch } from '../schema/movements.ts'
import { nextCheckOf, type PaymentsWork } from '../work.ts'
import type { OwnAccount } from './account.ts'
import { hasAmount, isOfPayments, movementPosting } from './kinds.ts'
import { findBooked, readPage, type Movement, type MovementPage } from './read.ts'

type AccountRow = typeof movementAccounts.$inferSelect
type Opening = NonNullable<MovementSearch['opening']>

/** Movements can appear in the list later than newer ones. */
export const overlapMs = 3_600_000
/** Of one run; the next one goes on where it ended. */
const maxPages = 50

/**
 * Books movements of the balance that weren’t booked yet: the rest of the search that ended at its limit, or what is new.
 * True when more remains. @throws {Problem} of the gateway
 */
export async function collectMovements(work: PaymentsWork, account: OwnAccount): Promise<boolean> {
  const row = await readRow(work.db, account)
  let search = row.search ?? (await beginSearch(work, account, row))
  for (let pages = 0; pages < maxPages; pages += 1) {
    const read: MovementPage = await readPage(work, account, { from: new Date(search.from), cursor: search.cursor })
    search = advance(search, read)
    await transact(work.db, (tx) => storePage(tx, work, account, read, search))
    if (search.cursor === null) return false
  }
  return true
}

const own = ({ organizationId, account }: OwnAccount) =>
  and(eq(movementAccounts.organizationId, organizationId), eq(movementAccounts.account, account))

async function readRow(db: Database, account: OwnAccount): Promise<AccountRow> {
  const { organizationId } = account
  await db.insert(movementAccounts).values({ organizationId, account: account.account }).onConflictDoNothing()
  const [row] = await db.select().from(movementAccounts).where(own(account))
  if (!row) throw new Error('The account of movements is gone')
  return row
}

async function beginSearch(
  work: PaymentsWork,
  account: OwnAccount,
  { readUntil, openedAt }: AccountRow,
): Promise<MovementSearch> {
  const since = readUntil ?? (await firstActivity(work, account))
  const from = new Date(since.getTime() - overlapMs)
  const search = { cursor: null, newest: since.toISOString(), from: from.toISOString() }
  return openedAt === null ? { ...search, opening: await readOpening(work, account, from) } : search
}

const First = z.array(z.object({ at: z.coerce.date().nullable() })).length(1)

/** IDs are in the order of time. */
export async function firstActivity(
  { db, now }: Pick<PaymentsWork, 'db' | 'now'>,
  { organizationId }: Pick<OwnAccount, 'organizationId'>,
): Promise<Date> {
  const rows = await db.execute(sql`SELECT least(
    (SELECT created_at FROM payments.orders WHERE organization_id = ${organizationId} ORDER BY id LIMIT 1),
    (SELECT created_at FROM payments.settlements WHERE organization_id = ${organizationId} ORDER BY id LIMIT 1)) AS at`)
  return First.parse(rows)[0]?.at ?? now()
}

const maxReads = 5

/** The whole balance, once it certainly is that of the newest movement. */
async function readOpening({ gateway }: PaymentsWork, { payer }: OwnAccount, from: Date): Promise<Opening> {
  const readHead = async () => {
    const head = { ...payer, limit: 1, createdFrom: from.toISOString() }
    return (await gateway.payments.listBalanceTransactions(head)).items[0]?.id ?? ''
  }
  for (let reads = 0; reads < maxReads; reads += 1) {
    const head = await readHead()
    const { available, pending } = await gateway.payments.getBalance(payer)
    if ((await readHead()) !== head) continue
    const left: Record<string, number> = {}
    for (const { currency, amount } of [...available, ...pending]) left[currency] = (left[currency] ?? 0) + amount
    return { head, left }
  }
  throw new Error('The balance moved during each attempt to read it')
}

/** The search after a page. */
function advance(search: MovementSearch, { items, nextCursor }: MovementPage): MovementSearch {
  const newest = items.reduce(
    (latest, { createdAt }) => (createdAt > latest ? createdAt : latest),
    new Date(search.newest),
  )
  return {
    ...search,
    newest: newest.toISOString(),
    cursor: nextCursor,
    ...(search.opening && { opening: withoutPage(search.opening, items) }),
  }
}

function withoutPage({ head, ...opening }: Opening, items: readonly Movement[]): Opening {
  const left = { ...opening.left }
  const first = head === null ? 0 : items.findIndex(({ id }) => id === head)
  if (first === -1) return { head, left }
  for (const { currency, net } of items.slice(first)) left[currency] = (left[currency] ?? 0) - net
  return { head: null, left }
}

async function storePage(
  tx: Database,
  work: PaymentsWork,
  account: OwnAccount,
  { items }: MovementPage,
  search: MovementSearch,
): Promise<void> {
  const { organizationId } = account
  const [row] = await tx.select().from(movementAccounts).where(own(account)).for('update')
  const booked = await findBooked(
    tx,
    organizationId,
    items.map(({ id }) => id),
  )
  // The oldest first, as they happened.
  const fresh = items.filter((movement) => hasAmount(movement) && !booked.has(movement.id)).toReversed()
  const open = fresh.filter(isOfPayments)
  if (open.length > 0)
    await tx
      .insert(openMovements)
      .values(
        open.map(({ id }) => ({
          organizationId,
          account: account.account,
          transactionId: id,
          dueAt: nextCheckOf(work, 0) ?? work.now(),
        })),
      )
      .onConflictDoNothing()
  const isDone = search.cursor === null
  const opens = isDone && row?.openedAt === null
  await tx
    .update(movementAccounts)
    .set({
      ...(isDone ? { search: null, readUntil: new Date(search.newest) } : { search }),
      ...(opens && { openedAt: work.now() }),
    })
    .where(own(account))
  const { id: merchantId } = await ensureDefaultMerchant(tx, organizationId)
  await postTransactions(work, tx, [
    ...(opens ? openingPostings({ organizationId, merchantId }, search) : []),
    ...fresh
      .filter((movement) => !isOfPayments(movement))
      .map((movement) => movementPosting(movement, { organizationId, merchantId })),
  ])
}

const openingPostings = (
  booked: Pick<Posting, 'organizationId' | 'merchantId'>,
  { from, opening }: MovementSearch,
): Posting[] =>
  Object.entries(opening?.left ?? {}).flatMap(([currency, units]) => {
    const amount = fromProviderUnits(units, currency)
    if (amount === 0n) return []
    const entries = [
      { account: 'clearing' as const, amount },
      { account: 'opening' as const, amount: -amount },
    ]
    return [{ ...booked, kind: 'opening_balance' as const, currency, at: new Date(from), entries }]
  })
