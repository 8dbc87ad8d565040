import { eq } from 'drizzle-orm'
import type { Provided } from '#lib/call.ts'
import type { Database } from '#lib/db.ts'
import { digest, newId } from '#lib/ids.ts'
import { inquiries } from '../../schema.ts'
import { publishInbox } from '../inbox/publish.ts'
import { keptDays, type MessageInput } from './contract.ts'

type NewInquiry = Omit<typeof inquiries.$inferInsert, 'id' | 'expiresAt' | 'createdAt'>
type Work = Pick<Provided, 'events'> & { readonly now: () => Date }

const dayMs = 24 * 60 * 60_000

export const expiryOf = (from: Date, days: number): Date => new Date(from.getTime() + days * dayMs)

/** Such as `C-3F9A2C`: the end of the ID, since IDs of one moment begin alike. */
export const referenceOf = ({ id, kind }: { id: string; kind: string }): string =>
  `${kind.charAt(0).toUpperCase()}-${id.slice(-6).toUpperCase()}`

/** The same message again is stored once. Returns the ID of the stored one. */
export async function storeMessage(
  tx: Database,
  work: Work,
  { kind, topic, name, email, message }: MessageInput,
): Promise<string> {
  const topics = topic ? [topic] : []
  const fingerprint = digest(JSON.stringify([kind, topic, name, email, message]))
  const row = { kind, topics, name, email, message, fingerprint }
  const id = await insertInquiry(tx, work, row, keptDays.message)
  if (id) return id
  const [known] = await tx.select({ id: inquiries.id }).from(inquiries).where(eq(inquiries.fingerprint, fingerprint))
  return known?.id ?? newId()
}

/** Undefined when the same one is already stored. */
export async function insertInquiry(
  tx: Database,
  work: Work,
  row: NewInquiry & { id?: string },
  days: number,
): Promise<string | undefined> {
  const now = work.now()
  const [stored] = await tx
    .insert(inquiries)
    .values({ id: newId(), ...row, createdAt: now, expiresAt: expiryOf(now, days) })
    .onConflictDoNothing({ target: inquiries.fingerprint })
    .returning({ id: inquiries.id })
  if (stored) await publishInbox(work, tx)
  return stored?.id
}
