import { and, desc, eq, ilike, inArray, isNotNull, or, sql } from 'drizzle-orm'
import { containsPattern, type Database } from './db.ts'
import { newId } from './ids.ts'
import type { Log } from './log.ts'
import { Content, type Letter } from './mail/letter.ts'
import { retries, sendMail } from './mail/send-mail.ts'
import { confirm, decideRoute, follow, type MailRow } from './mail/hand-over.ts'
import { openSmtp, refusalOf, type Refusal } from './mail/smtp.ts'
import type { MailTransport } from './mail/transport.ts'
import type { Queue } from './queue.ts'
import { mails } from './schema.ts'
import { sealContext } from './secrets/sealed.ts'
import type { Secrets } from './secrets.ts'

export type { Letter } from './mail/letter.ts'
export { sendMail } from './mail/send-mail.ts'

declare module './call.ts' {
  interface Provided {
    readonly mail: Mail
  }
}

interface Delivery {
  /** `handed`: the gateway sends it, and its outcome isn’t known yet. */
  state: 'waiting' | 'handed' | 'sent' | 'refused' | 'kept'
  problem: string | null
}

export interface KeptMail extends Content {
  id: string
  recipient: string
  subject: string
  createdAt: Date
}

export interface Mail {
  /** Stores a mail on `db`. It is sent after the commit of that transaction. Returns its ID. */
  send(db: Database, to: string, letter: Letter, now: Date): Promise<string>
  deliveries(db: Database, ids: readonly string[]): Promise<Map<string, Delivery>>
  /** The newest 100 whose subject or recipient contains `q`. */
  kept(db: Database, q?: string): Promise<Omit<KeptMail, keyof Content>[]>
  deleteKept(db: Database, q?: string): Promise<void>
  /** Stores a mail in the mailbox of development and tests; again with the same ID, it does nothing. */
  keep(db: Database, mail: Omit<KeptMail, 'createdAt'>, now: Date): Promise<void>
  open(db: Database, id: string): Promise<KeptMail | undefined>
  /** @throws when it should be retried */
  deliver(db: Database, id: string, now: Date): Promise<void>
}

interface MailOptions {
  config: { SMTP_URL?: string; MAIL_FROM?: string; PUBLIC_URL?: string }
  secrets: Secrets
  queue: Queue
  log: Log
  /** Null: mails are sent directly. */
  transport?: MailTransport | null
}

export const keepsMails = ({ offlineHelps, SMTP_URL }: { offlineHelps: boolean; SMTP_URL?: string }): boolean =>
  offlineHelps && !SMTP_URL

/** Such as `Atrium <atrium@example.com>`. */
export const mailFrom = ({ MAIL_FROM, PUBLIC_URL }: Pick<MailOptions['config'], 'MAIL_FROM' | 'PUBLIC_URL'>): string =>
  MAIL_FROM ?? `Atrium <atrium@${PUBLIC_URL ? new URL(PUBLIC_URL).hostname : 'localhost'}>`

const isKept = (q = '') =>
  and(eq(mails.state, 'kept'), or(ilike(mails.subject, containsPattern(q)), ilike(mails.recipient, containsPattern(q))))

const contextOf = (id: string): string => sealContext(mails.sealedContent, id)
const listColumns = { id: mails.id, recipient: mails.recipient, subject: mails.subject, createdAt: mails.createdAt }

export function createMail({ config, secrets, queue, log, transport = null }: MailOptions): Mail {
  const smtp = config.SMTP_URL ? openSmtp(config.SMTP_URL, mailFrom(config)) : null
  /** False for a mail that is sent from here. */
  const handOver = async (via: MailTransport, db: Database, row: MailRow, now: Date): Promise<boolean> => {
    const again = (id: string, seconds: number) => queue.enqueue(db, sendMail, { id }, { startAfter: seconds })
    const work = { db, log, transport: via, now, again }
    if (row.state === 'handed') {
      await follow(work, row)
      return true
    }
    if (!row.sealedContent || row.state === 'kept') return false
    const mail = { ...row, ...openContent(row.id, row.sealedContent) }
    // The gateway's mails have no attachments.
    if (mail.calendar) return false
    if ((await decideRoute(work, row, mail)) !== 'gateway') return false
    return confirm(work, row)
  }
  const openContent = (id: string, sealed: string) => Content.parse(JSON.parse(secrets.open(sealed, contextOf(id))))

  return {
    send: async (db, to, letter, now) => {
      const id = newId()
      const { text, unsubscribe, calendar } = letter
      const content: Content = { text, html: await letter.html, unsubscribe, calendar }
      await db.insert(mails).values({
        id,
        recipient: to,
        subject: letter.subject.replaceAll(/\p{Cc}+/gu, ' '),
        sealedContent: secrets.seal(JSON.stringify(content), contextOf(id)),
        createdAt: now,
        ...(smtp ? { state: 'waiting' } : { state: 'kept', settledAt: now }),
      })
      if (smtp) await queue.enqueue(db, sendMail, { id })
      return id
    },
    deliveries: async (db, ids) => {
      if (ids.length === 0) return new Map()
      const found = { id: mails.id, state: mails.state, problem: mails.problem }
      const rows = await db
        .select(found)
        .from(mails)
        .where(inArray(mails.id, [...ids]))
      return new Map(rows.map(({ id, state, problem }) => [id, { state, problem }]))
    },
    kept: (db, q) => db.select(listColumns).from(mails).where(isKept(q)).orderBy(desc(mails.id)).limit(100),
    deleteKept: async (db, q) => {
      await db.delete(mails).where(isKept(q))
    },
    keep: async (db, { id, recipient, subject, text, html }, now) => {
      const sealedContent = secrets.seal(JSON.stringify({ text, html } satisfies Content), contextOf(id))
      const settled = { state: 'kept', createdAt: now, settledAt: now } as const
      await db
        .insert(mails)
        .values({ id, recipient, subject, sealedContent, ...settled })
        .onConflictDoNothing()
    },
    open: async (db, id) => {
      const [row] = await db
        .select()
        .from(mails)
        .where(and(eq(mails.id, id), eq(mails.state, 'kept')))
      if (!row?.sealedContent) return undefined
      const { recipient, subject, createdAt } = row
      return { id, recipient, subject, createdAt, ...openContent(id, row.sealedContent) }
    },
    deliver: async (db, id, now) => {
      const [row] = await db
        .select()
        .from(mails)
        .where(and(eq(mails.id, id), or(isNotNull(mails.sealedContent), eq(mails.state, 'handed'))))
      if (!smtp || !row) return
      if (transport && (await handOver(transport, db, row, now))) return
      if (!row.sealedContent) return
      try {
        await smtp.deliver({ ...row, ...openContent(id, row.sealedContent) })
        await db.update(mails).set(sentUpdate(now)).where(eq(mails.id, id))
      } catch (error) {
        const refusal = refusalOf(error)
        const final = refusal.permanent || row.attempts >= retries
        await db
          .update(mails)
          .set(failedUpdate(refusal, final, now))
          .where(eq(mails.id, id))
        if (final) log.warn('mail rejected', { mail: id, reason: refusal.reason })
        if (!refusal.permanent)
          throw new Error(`The mail server rejected email ${id}: ${refusal.reason}`, { cause: error })
      }
    },
  }
}

const attempted = { attempts: sql`${mails.attempts} + 1` }

const sentUpdate = (now: Date) =>
  ({ ...attempted, state: 'sent', problem: null, sealedContent: null, settledAt: now }) as const

/** The content stays after the last retry, so that the job can be replayed. */
const failedUpdate = ({ permanent, reason }: Refusal, final: boolean, now: Date) =>
  ({
    ...attempted,
    problem: reason,
    ...(permanent && { sealedContent: null }),
    ...(final && { state: 'refused' as const, settledAt: now }),
  }) as const
