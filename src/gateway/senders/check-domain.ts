import { and, eq, isNotNull, ne } from 'drizzle-orm'
import { DnsUnavailable, type Dns } from '#lib/dns.ts'
import { brokenConstraint, type Database } from '#lib/db.ts'
import { emitWebhook, type EmitDependencies } from '#lib/outgoing-webhooks/emit.ts'
import { raiseAction, resolveAction } from '#lib/raised-actions.ts'
import { sanitizeText } from '#lib/text.ts'
import type { RecordFinding } from '../contract/senders.ts'
import type { MailHost } from '../email-transports/choose.ts'
import { senderKind } from '../notification-kinds.ts'
import { senderDomains as table } from '../schema.ts'
import { registeredDomain } from './domain-name.ts'
import { senderDomainFailing, senderDomainVerified } from './events.ts'
import { judgeRecord } from './judge.ts'
import { wantedRecords, type DomainRow } from './records.ts'

/** How long a verified domain can still send after a required record disappeared. */
const graceMs = 24 * 60 * 60_000

export type CheckResult = { findings: RecordFinding[]; isComplete: boolean } | { error: string }

/** Queries the name servers, outside of a transaction. */
export async function queryRecords(dns: Dns, row: DomainRow, mailHost: MailHost): Promise<CheckResult> {
  const wanted = wantedRecords(row, mailHost)
  const parent = registeredDomain(row.domain)
  try {
    const findings = await Promise.all(
      wanted.map(async (record) => {
        const found = await readTexts(dns, record.name)
        const inherits = record.purpose === 'dmarc' && found.length === 0 && parent !== null && parent !== row.domain
        const inherited = inherits
          ? (await readTexts(dns, `_dmarc.${parent}`)).filter((text) => /^v=DMARC1\b/i.test(text))
          : []
        return judgeRecord(record, found, inherited)
      }),
    )
    const required = new Set(wanted.filter((record) => record.required).map(({ purpose }) => purpose))
    return {
      findings,
      isComplete: findings.every(({ purpose, state }) => !required.has(purpose) || state === 'correct'),
    }
  } catch (error) {
    if (error instanceof DnsUnavailable)
      return { error: `The name servers of ${row.domain} didn’t respond. The domain is checked again automatically.` }
    throw error
  }
}

/** The owner of a name server can write anything. */
const readTexts = async (dns: Dns, name: string): Promise<string[]> => (await dns.txt(name)).map(sanitizeText)

/** Null when the domain was deleted in the meantime. */
export async function storeResult(
  tx: Database,
  emitting: EmitDependencies,
  { id }: Pick<DomainRow, 'id'>,
  result: CheckResult,
): Promise<DomainRow | null> {
  const at = emitting.now()
  const [before] = await tx.select().from(table).where(eq(table.id, id)).for('update')
  if (!before) return null
  const change = 'error' in result ? { checkError: result.error } : consequences(before, result, at)
  const isNew = before.verifiedAt === null && 'verifiedAt' in change && change.verifiedAt !== null
  const taken = isNew && (await isTaken(tx, before))
  const set = taken ? { checkError: takenMessage(before.domain) } : change
  const [after] = await tx
    .update(table)
    .set({ ...set, checkedAt: at })
    .where(eq(table.id, id))
    .returning()
  if (!after) throw new Error('The result was not stored')
  await report(tx, emitting, before, after)
  return after
}

/** Two organizations that check at the same time: the second one gets it on its next check. */
export const isTakenError = (error: unknown): boolean => brokenConstraint(error) === 'sender_domains_verified'

export const takenMessage = (domain: string): string =>
  `Another organization has verified ${domain}. Ask it to delete the domain first.`

export async function isTaken(db: Database, { id, domain }: { id?: string; domain: string }): Promise<boolean> {
  const other = and(
    eq(table.domain, domain),
    isNotNull(table.verifiedAt),
    id === undefined ? undefined : ne(table.id, id),
  )
  return (await db.$count(table, other)) > 0
}

function consequences(
  { verifiedAt, failingSince }: DomainRow,
  { findings, isComplete }: Exclude<CheckResult, { error: string }>,
  at: Date,
) {
  const found = { findings, checkError: null }
  if (isComplete) return { ...found, verifiedAt: verifiedAt ?? at, failingSince: null }
  if (verifiedAt === null) return found
  const since = failingSince ?? at
  const isOver = at.getTime() - since.getTime() >= graceMs
  return { ...found, ...(isOver ? { verifiedAt: null, failingSince: null } : { failingSince: since }) }
}

async function report(tx: Database, emitting: EmitDependencies, before: DomainRow, after: DomainRow): Promise<void> {
  const { organizationId, id, domain, findings } = after
  const cause = `gateway.sender_domain:${id}`
  const data = { id, domain, checkedAt: after.checkedAt ?? emitting.now() }
  if (!before.verifiedAt && after.verifiedAt)
    await emitWebhook(tx, emitting, { organizationId, event: senderDomainVerified, data })
  if (after.verifiedAt && !after.failingSince) {
    await resolveAction(tx, cause)
    return
  }
  const hasStopped = before.verifiedAt !== null && after.verifiedAt === null
  const beganFailing = before.failingSince === null && after.failingSince !== null
  if (!hasStopped && !beganFailing) return
  const advice = findings.find(({ state }) => state !== 'correct')?.advice ?? 'Check its DNS records.'
  await raiseAction(tx, {
    kind: senderKind,
    organizationId,
    cause,
    href: '/gateway/senders',
    actions: [
      { label: 'Check now', method: 'POST', href: `/api/sender-domains/${id}/check`, style: 'primary' },
      { label: 'See the records', method: 'GET', href: '/gateway/senders' },
    ],
    dueAt: after.failingSince && new Date(after.failingSince.getTime() + graceMs),
    title: hasStopped ? `${domain} can no longer send emails` : `A DNS record of ${domain} is missing or wrong`,
    reason: hasStopped ? advice : `${advice} Emails are sent for 24 more hours.`,
  })
  if (beganFailing) await emitWebhook(tx, emitting, { organizationId, event: senderDomainFailing, data })
}
