import { sql } from 'drizzle-orm'
import { boolean, check, index, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { createdAt, dashboard, id, time } from './base.ts'

/** The browsers in which a person gets push messages, for all of their organizations. */
export const pushSubscriptions = dashboard.table(
  'push_subscriptions',
  {
    id: id(),
    personId: uuid().notNull(),
    /** In which it was created, and with which it ends; null where an earlier release stored it. */
    sessionId: uuid(),
    /** A browser has one subscription: the last person who subscribed in it owns it. */
    endpointHash: text().notNull(),
    /** Endpoint and keys as JSON. Who knows them can send to the browser. */
    sealedSubscription: text().notNull(),
    /** Such as `Chrome on macOS`. */
    browser: text().notNull(),
    lastSentAt: time(),
    createdAt: createdAt(),
  },
  (table) => [
    uniqueIndex('push_subscriptions_endpoint').on(table.endpointHash),
    index('push_subscriptions_person').on(table.personId),
  ],
)

/** The one pair of VAPID keys (RFC 8292) of this installation: subscriptions are bound to it. */
export const pushKeys = dashboard.table(
  'push_keys',
  {
    id: id(),
    only: boolean().notNull().default(true),
    publicKey: text().notNull(),
    sealedPrivateKey: text().notNull(),
    createdAt: createdAt(),
  },
  (table) => [uniqueIndex('push_keys_only').on(table.only), check('push_keys_one', sql`${table.only}`)],
)
