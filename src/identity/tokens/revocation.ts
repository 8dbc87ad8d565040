import { z } from 'zod'
import type { Database } from '#lib/db.ts'
import type { Events } from '#lib/events.ts'

/** On this event every server drops what it has cached about a session, key, person or organization. */
export const revocationEvent = 'identity.revoked'

/** The id in an event that concerns every person. */
export const everyone = '*'

export const Revocation = z.object({ id: z.string() })

/**
 * Tells every server to drop cached grants of a session, key, person or organization. When `transact` has committed the
 * transaction, no server uses them any more.
 */
export const publishRevocation = (db: Database, events: Events, id: string): Promise<void> =>
  events.publish(db, revocationEvent, { id }, { waitForServers: true })

/**
 * Calls back on each committed revocation with the id of a session, key, person or organization; undefined for
 * everyone.
 */
export const onRevocation = (events: Events, handle: (id: string | undefined) => void): void =>
  events.subscribe(revocationEvent, Revocation, ({ id }) => handle(id === everyone ? undefined : id), {
    committed: true,
  })

/** `publishRevocation` for everyone, when the permissions of roles or the catalog have changed. */
export const publishRevocationForAll = (db: Database, events: Events): Promise<void> =>
  publishRevocation(db, events, everyone)
