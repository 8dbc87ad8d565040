import { and, asc, eq } from 'drizzle-orm'
import type { Actor } from '#lib/actor.ts'
import { recordChange } from '#lib/audit.ts'
import { isAllowed, organizationOf } from '#lib/authorize.ts'
import type { Call } from '#lib/call.ts'
import type { Database } from '#lib/db.ts'
import { conflict, notFound } from '#lib/errors.ts'
import { newId, randomToken } from '#lib/ids.ts'
import { resolveAction } from '#lib/raised-actions.ts'
import type { SenderDomainList, StoredSenderDomain } from '../contract/senders.ts'
import { mailHostOf, type MailHost } from '../email-transports/choose.ts'
import { senderDomains as table, senders } from '../schema.ts'
import { isTaken, takenMessage } from './check-domain.ts'
import { createDkimKey, openKeys, otherSelector, sealKeys } from './dkim-keys.ts'
import { platformSender } from './platform-sender.ts'
import { wantedRecords, zoneFileOf, type DomainRow } from './records.ts'
import { pauseCause } from './pause-cause.ts'

export type SenderCall = Call<unknown, Actor>

const maxDomains = 50

export const canManage = async ({ actor, identity }: Pick<SenderCall, 'actor' | 'identity'>): Promise<boolean> =>
  actor.bindings.length === 0 && isAllowed(actor, 'org:admin', await identity.serviceId('platform-gateway'))

/** With the state of each record. */
async function describeDomains(call: SenderCall, rows: readonly DomainRow[]): Promise<StoredSenderDomain[]> {
  if (rows.length === 0) return []
  const update = await canManage(call)
  const hosts = new Map<DomainRow['kind'], MailHost>()
  const hostOf = async (row: DomainRow) => {
    const host = hosts.get(row.kind) ?? (await mailHostOf(call, row))
    hosts.set(row.kind, host)
    return host
  }
  const described: StoredSenderDomain[] = []
  for (const row of rows) described.push(describe(row, await hostOf(row), update))
  return described
}

function describe(row: DomainRow, mailHost: MailHost, update: boolean): StoredSenderDomain {
  const { kind, findings, verifiedAt, failingSince } = row
  const records = wantedRecords(row, mailHost).map((wanted) => {
    const finding = findings.find(({ purpose }) => purpose === wanted.purpose)
    const unchecked = { state: 'unchecked', found: [], advice: null } as const
    const { state, found, advice } = finding ?? unchecked
    return { ...wanted, type: 'TXT' as const, state, found: [...found], advice }
  })
  return {
    ...row,
    kind,
    status: verifiedAt === null ? 'pending' : failingSince === null ? 'verified' : 'failing',
    records,
    zoneFile: zoneFileOf(records),
    sentThrough: mailHost.name,
    keyCreatedAt: kind === 'smtp' ? row.keyCreatedAt : null,
    can: { update },
  }
}

/** That of MAIL_FROM. */
function platformDomain(config: SenderCall['config']): StoredSenderDomain {
  const { domainId, domain } = platformSender(config)
  return {
    id: domainId,
    domain,
    kind: 'platform',
    status: 'verified',
    records: [],
    zoneFile: '',
    sentThrough: null,
    keyCreatedAt: null,
    checkedAt: null,
    checkError: null,
    verifiedAt: null,
    failingSince: null,
    createdAt: null,
    can: { update: false },
  }
}

/** Those of the organization, then the platform’s. */
export async function listDomains(
  call: SenderCall,
): Promise<Omit<SenderDomainList, 'items'> & { items: StoredSenderDomain[] }> {
  const rows = await call.db
    .select()
    .from(table)
    .where(eq(table.organizationId, organizationOf(call.actor, 'usage:read')))
    .orderBy(asc(table.domain))
  const items = await describeDomains(call, rows)
  return { items: [...items, platformDomain(call.config)], nextCursor: null, can: { create: await canManage(call) } }
}

/** @throws {Problem} 404 */
export async function findDomain(db: Database, actor: Actor, id: string): Promise<DomainRow> {
  const [row] = await db.select().from(table).where(own(actor, id))
  if (!row) throw notFound('sender domain')
  return row
}

/** @throws {Problem} 404 */
export async function getDomain(call: SenderCall, id: string): Promise<StoredSenderDomain> {
  if (id.toLowerCase() === platformSender(call.config).domainId) return platformDomain(call.config)
  return describeDomain(call, await findDomain(call.db, call.actor, id))
}

export async function describeDomain(call: SenderCall, row: DomainRow): Promise<StoredSenderDomain> {
  const [described] = await describeDomains(call, [row])
  if (!described) throw new Error('The domain was not described')
  return described
}

const own = (actor: Actor, id: string) =>
  and(eq(table.id, id), eq(table.organizationId, organizationOf(actor, 'usage:read')))

/** @throws {Problem} 409 `domain_exists`, `domain_taken`, `too_many_domains` */
export async function createDomain(
  call: SenderCall,
  { domain, kind }: { domain: string; kind: DomainRow['kind'] },
): Promise<DomainRow> {
  const { db, actor, now, secrets, config } = call
  const organizationId = organizationOf(actor, 'org:admin')
  if (domain === platformSender(config).domain || (await isTaken(db, { domain })))
    throw conflict('domain_taken', takenMessage(domain))
  if ((await db.$count(table, eq(table.organizationId, organizationId))) >= maxDomains)
    throw conflict(
      'too_many_domains',
      `An organization can have at most ${maxDomains} sender domains. Delete one first.`,
    )
  const id = newId()
  const keys = kind === 'smtp' ? await createKeys() : null
  const at = now()
  const [row] = await db
    .insert(table)
    .values({
      id,
      organizationId,
      domain,
      kind,
      token: randomToken(15),
      sealedKeys: keys && sealKeys(secrets, id, keys.privateKeys),
      publicKeys: keys?.publicKeys ?? {},
      activeSelector: 'atrium1',
      keyCreatedAt: at,
      findings: [],
      createdBy: actor.principal.id,
      createdAt: at,
    })
    .onConflictDoNothing()
    .returning()
  if (!row) throw conflict('domain_exists', `${domain} was already added.`)
  recordChange(db, { object: 'sender_domain', id, after: { domain, kind } })
  return row
}

async function createKeys() {
  const [one, two] = await Promise.all([createDkimKey(), createDkimKey()])
  return {
    privateKeys: { atrium1: one.privateKey, atrium2: two.privateKey },
    publicKeys: { atrium1: one.publicKey, atrium2: two.publicKey },
  }
}

/** With its senders, whose emails that wait then fail. @throws {Problem} 404 */
export async function deleteDomain({ db, actor }: SenderCall, id: string): Promise<void> {
  const row = await findDomain(db, actor, id)
  // So that no sender is created meanwhile.
  await db.select({ id: table.id }).from(table).where(own(actor, id)).for('update')
  const removed = await db
    .delete(senders)
    .where(eq(senders.domainId, id))
    .returning({ id: senders.id, address: senders.address })
  for (const sender of removed) await resolveAction(db, pauseCause(sender.id))
  await db.delete(table).where(own(actor, id))
  await resolveAction(db, `gateway.sender_domain:${id}`)
  const { domain, kind } = row
  recordChange(db, {
    object: 'sender_domain',
    id,
    before: { domain, kind, senders: removed.map(({ address }) => address) },
  })
}

/** Signs with the other key from now on, and replaces the former one. @throws {Problem} 404, 409 `dkim_key_missing` */
export async function rotateKey({ db, actor, secrets, now }: SenderCall, id: string): Promise<DomainRow> {
  const row = await findDomain(db, actor, id)
  if (row.kind !== 'smtp')
    throw conflict('dkim_key_missing', 'The provider of this domain creates and replaces its keys.')
  const next = otherSelector(row.activeSelector)
  const purpose = next === 'atrium1' ? 'dkim1' : 'dkim2'
  if (row.findings.find((finding) => finding.purpose === purpose)?.state !== 'correct')
    throw conflict(
      'dkim_key_missing',
      `Add the DNS record ${next}._domainkey.${row.domain} and check the domain first.`,
    )
  const created = await createDkimKey()
  const former = row.activeSelector
  const keys = { ...openKeys(secrets, row), [former]: created.privateKey }
  const [after] = await db
    .update(table)
    .set({
      activeSelector: next,
      publicKeys: { ...row.publicKeys, [former]: created.publicKey },
      sealedKeys: sealKeys(secrets, id, keys),
      keyCreatedAt: now(),
      findings: row.findings.filter((finding) => finding.purpose === purpose || !finding.purpose.startsWith('dkim')),
    })
    .where(and(own(actor, id), eq(table.activeSelector, former)))
    .returning()
  if (!after) throw notFound('sender domain')
  recordChange(db, { object: 'sender_domain', id, before: { selector: former }, after: { selector: next } })
  return after
}
