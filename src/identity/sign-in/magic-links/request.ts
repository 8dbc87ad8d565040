import { eq, sql } from 'drizzle-orm'
import { recordChange, auditedTransaction } from '#lib/audit.ts'
import type { Call } from '#lib/call.ts'
import type { Database } from '#lib/db.ts'
import { publicUrl } from '#lib/public-url.ts'
import { magicLinkLetter } from '#views/emails/magic-link.tsx'
import { localPath, withMinimumDuration } from '../../http/responses.ts'
import { users } from '../../schema.ts'
import type { MagicLinkRequest } from './contract.ts'
import { issueLink, countMailedSince, shortLifetimeMs } from './links.ts'

/** Mails to one person within the lifetime of a link. */
const maxMails = 3
/** Unknown addresses get no mail, in the same time. */
export async function mailLink(call: Call, request: MagicLinkRequest): Promise<void> {
  await withMinimumDuration(() => auditedTransaction(call, (tx) => mailLinkTo(call, tx, request)))
}

async function mailLinkTo(call: Call, tx: Database, { email, next }: MagicLinkRequest): Promise<void> {
  const { mail, config, request } = call
  const now = call.now()
  // The lock serializes requests for one person, so that each counts the links before it.
  const [user] = await tx
    .select()
    .from(users)
    .where(eq(sql`lower(${users.email})`, email))
    .for('update')
  if (!user || user.principalType === 'agent') return
  if ((await countMailedSince(tx, user.id, new Date(now.getTime() - shortLifetimeMs))) >= maxMails) return
  const redirectUri = next === undefined ? null : localPath(next)
  const link = { user, organizationId: null, redirectUri, skipInterstitial: false, life: shortLifetimeMs }
  const { path } = await issueLink(tx, link, now)
  recordChange(tx, { object: 'user', id: user.id })
  await mail.send(tx, user.email, magicLinkLetter(publicUrl(path, config, request)), now)
}
