import { and, eq, isNull } from 'drizzle-orm'
import type { Database } from '../db.ts'
import { logFault } from '../log/fault.ts'
import type { Log } from '../log.ts'
import { mails } from '../schema.ts'
import type { Outgoing } from './letter.ts'
import type { MailTransport } from './transport.ts'

export type MailRow = typeof mails.$inferSelect

/** Seconds until a confirmation without a response is repeated. */
const confirmPause = 30
/** Milliseconds after which the outcome is no longer asked for, and stays unknown. */
const followMs = 24 * 60 * 60_000

interface HandOver {
  db: Database
  log: Log
  transport: MailTransport
  now: Date
  /** Runs the job of the mail again, after seconds. */
  again(id: string, seconds: number): Promise<void>
}

/** Which side sends a mail is decided once; another server that decides at the same time follows. */
export async function decideRoute(
  { db, log, transport }: HandOver,
  row: MailRow,
  mail: Outgoing,
): Promise<MailRow['route']> {
  if (row.route !== null) return row.route
  let route: 'gateway' | 'direct' = 'gateway'
  try {
    await transport.hold(mail)
  } catch (error) {
    route = 'direct'
    logFault(log, 'handing over an email, which is sent directly instead', error, { mail: row.id })
  }
  await db
    .update(mails)
    .set({ route })
    .where(and(eq(mails.id, row.id), isNull(mails.route)))
  const [decided] = await db.select({ route: mails.route }).from(mails).where(eq(mails.id, row.id))
  return decided?.route ?? null
}

/** False when the other side has lost the mail, so that it is sent here. */
export async function confirm({ db, log, transport, now, again }: HandOver, { id }: MailRow): Promise<boolean> {
  try {
    if ((await transport.confirm(id)) === 'lost') {
      await db
        .update(mails)
        .set({ route: 'direct' })
        .where(and(eq(mails.id, id), eq(mails.state, 'waiting')))
      return false
    }
  } catch (error) {
    logFault(log, 'confirming an email', error, { mail: id })
    await again(id, confirmPause)
    return true
  }
  const handed = { state: 'handed', sealedContent: null, settledAt: now, problem: null } as const
  await db
    .update(mails)
    .set(handed)
    .where(and(eq(mails.id, id), eq(mails.state, 'waiting')))
  await again(id, minFollowSeconds)
  return true
}

const minFollowSeconds = 5
const maxFollowSeconds = 60 * 60

/** Asks the other side what became of it, ever less often. */
export async function follow({ db, log, transport, now, again }: HandOver, { id, createdAt }: MailRow): Promise<void> {
  const age = now.getTime() - createdAt.getTime()
  const mine = and(eq(mails.id, id), eq(mails.state, 'handed'))
  const outcome = await transport.outcome(id).catch((error: unknown) => {
    logFault(log, 'reading the outcome of an email', error, { mail: id })
    return { state: 'open' as const }
  })
  if (outcome.state === 'refused')
    await db.update(mails).set({ state: 'refused', problem: outcome.problem, settledAt: now }).where(mine)
  else if (outcome.state === 'sent') await db.update(mails).set({ state: 'sent', settledAt: now }).where(mine)
  else if (age <= followMs) await again(id, Math.min(maxFollowSeconds, Math.max(minFollowSeconds, age / 1000)))
}
