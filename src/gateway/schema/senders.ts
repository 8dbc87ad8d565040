import { sql } from 'drizzle-orm'
import { boolean, check, index, jsonb, text, unique, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import type { DkimSelector, DomainKind, RecordFinding } from '../contract/senders.ts'
import { createdAt, gateway, id, time } from './base.ts'

/** Domains of organizations that emails are sent from (GTW-40). That of the platform is configured, not stored. */
export const senderDomains = gateway.table(
  'sender_domains',
  {
    id: id(),
    organizationId: uuid().notNull(),
    /** Lowercase ASCII. */
    domain: text().notNull(),
    kind: text().$type<Exclude<DomainKind, 'platform'>>().notNull(),
    token: text().notNull(),
    /** Private DKIM keys by selector, as JSON; null where the provider signs. */
    sealedKeys: text(),
    publicKeys: jsonb().$type<Partial<Record<DkimSelector, string>>>().notNull(),
    activeSelector: text().$type<DkimSelector>().notNull(),
    keyCreatedAt: time().notNull(),
    /** Of the last check that reached the name servers. */
    findings: jsonb().$type<readonly RecordFinding[]>().notNull(),
    /** Why the last check had no result. */
    checkError: text(),
    verifiedAt: time(),
    /** Since when a verified domain lacks a required record. */
    failingSince: time(),
    checkedAt: time(),
    createdBy: uuid().notNull(),
    createdAt: createdAt(),
  },
  (table) => [
    unique('sender_domains_owner').on(table.organizationId, table.domain),
    // Only one organization can have verified a domain.
    uniqueIndex('sender_domains_verified')
      .on(table.domain)
      .where(sql`verified_at IS NOT NULL`),
    index('sender_domains_checked').on(table.checkedAt),
    check('sender_domains_kind', sql`${table.kind} IN ('smtp', 'resend', 'cloudflare_email')`),
    check('sender_domains_failing', sql`${table.failingSince} IS NULL OR ${table.verifiedAt} IS NOT NULL`),
  ],
)

/** The names and addresses that emails are sent from (GTW-40). */
export const senders = gateway.table(
  'senders',
  {
    id: id(),
    organizationId: uuid().notNull(),
    domainId: uuid()
      .notNull()
      .references(() => senderDomains.id),
    /** With the domain in lowercase ASCII. */
    address: text().notNull(),
    name: text().notNull(),
    replyTo: text(),
    usedFor: text(),
    isDefault: boolean().notNull().default(false),
    pausedAt: time(),
    pausedReason: text(),
    /** Bounces before this time don't pause it again. */
    resumedAt: time(),
    createdBy: uuid().notNull(),
    createdAt: createdAt(),
  },
  (table) => [
    unique('senders_address').on(table.organizationId, table.address),
    uniqueIndex('senders_default')
      .on(table.organizationId)
      .where(sql`is_default`),
    index('senders_domain').on(table.domainId),
    check('senders_paused', sql`(${table.pausedAt} IS NULL) = (${table.pausedReason} IS NULL)`),
  ],
)
