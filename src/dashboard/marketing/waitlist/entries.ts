import { and, eq, gt, isNull, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Call } from '#lib/call.ts'
import type { Database } from '#lib/db.ts'
import { notFound } from '#lib/errors.ts'
import { digest, newId } from '#lib/ids.ts'
import { countWithinQuota } from '#lib/limits.ts'
import { publicUrl } from '#lib/public-url.ts'
import { waitlistLetter } from '#views/emails/waitlist.tsx'
import { inquiries } from '../../schema.ts'
import { publishInbox } from '../inbox/publish.ts'
import { keptDays, waitlistTopics, type WaitlistInput } from '../inquiries/contract.ts'
import { expiryOf } from '../inquiries/store.ts'
import { createLinkToken, linkedId } from '../link-token.ts'

const dayMs = 24 * 60 * 60_000
/** To one address in a day, since anyone can enter it. */
const maxLetters = 3
const purpose = 'waitlist links'

/**
 * An address is on the list once, with the topics that it chose last before it was confirmed. Until then, each request sends the
 * link again; later ones change nothing, since anyone can enter the address. The response is the same in any case, so that it doesn't tell who is on the list.
 */
export async function joinWaitlist(call: Call<WaitlistInput>): Promise<void> {
  const { input, db, now } = call
  const topics = [...new Set(input.topics)]
  const expiresAt = expiryOf(now(), keptDays.unconfirmed)
  const row = { kind: 'waitlist' as const, topics, email: input.email, fingerprint: digest(`waitlist ${input.email}`) }
  const [entry] = await db
    .insert(inquiries)
    .values({ ...row, id: newId(), createdAt: now(), expiresAt })
    .onConflictDoUpdate({
      target: inquiries.fingerprint,
      set: {
        topics: sql`CASE WHEN ${inquiries.confirmedAt} IS NULL THEN excluded.topics ELSE ${inquiries.topics} END`,
        expiresAt: sql`CASE WHEN ${inquiries.confirmedAt} IS NULL THEN excluded.expires_at ELSE ${inquiries.expiresAt} END`,
      },
    })
    .returning({ id: inquiries.id, confirmedAt: inquiries.confirmedAt })
  if (entry && !entry.confirmedAt) await sendLink(call, entry.id)
  await publishInbox(call, db)
}

async function sendLink(call: Call<WaitlistInput>, id: string): Promise<void> {
  const { input, db, config, request, secrets, mail, now } = call
  const quota = { name: 'waitlist-letters', subject: digest(input.email), max: maxLetters, windowMs: dayMs }
  if (!(await countWithinQuota(db, quota))) return
  const url = publicUrl(`/waitlist/entries/${createLinkToken(secrets, purpose, id)}`, config, request)
  await mail.send(db, input.email, waitlistLetter({ url, days: keptDays.unconfirmed }), now())
}

const { id, kind, email, topics, confirmedAt, expiresAt } = inquiries
const columns = { id, email, topics, confirmedAt, expiresAt }

type LinkCall = Pick<Call<{ token: string }>, 'input' | 'db' | 'secrets' | 'now' | 'events'>

const matching = ({ input, secrets, now }: LinkCall) =>
  and(eq(id, requireId(secrets, input.token)), eq(kind, 'waitlist'), gt(expiresAt, now()))

function requireId(secrets: Call['secrets'], token: string): string {
  const found = linkedId(secrets, purpose, token)
  if (found === null) throw notFound('entry')
  return found
}

/** @throws {Problem} 404 for a wrong link, and once the entry is deleted */
export async function findEntry(call: LinkCall) {
  const [row] = await call.db.select(columns).from(inquiries).where(matching(call))
  if (!row) throw notFound('entry')
  return { ...row, email: row.email ?? '', topics: z.array(z.enum(waitlistTopics)).parse(row.topics) }
}

/** Once. @throws {Problem} 404 */
export async function confirmEntry(call: LinkCall): Promise<void> {
  const { db, now } = call
  const changed = { confirmedAt: now(), expiresAt: expiryOf(now(), keptDays.waitlist) }
  await db
    .update(inquiries)
    .set(changed)
    .where(and(matching(call), isNull(confirmedAt)))
  await publishInbox(call, db)
}

/** @throws {Problem} 404 */
export async function deleteEntry(call: LinkCall & { db: Database }): Promise<void> {
  const deleted = await call.db.delete(inquiries).where(matching(call)).returning({ id })
  if (deleted.length === 0) throw notFound('entry')
  await publishInbox(call, call.db)
}
