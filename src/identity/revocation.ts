import { z } from 'zod'
import type { Database } from '#lib/db.ts'
import type { Events } from '#lib/events.ts'

/** The event by which every server forgets what it knew of a session, key, person or organization. */
export const revocationEvent = 'identity.revoked'

/** Stands for whomever anything was granted. */
export const everyone = '*'

export const Revocation = z.object({ id: z.string() })

/**
 * Tells every server that what was granted to this session, key, person or organization holds no more. Once the
 * transaction has been committed by `transact`, no server grants it any longer.
 */
export const publishRevocation = (db: Database, events: Events, id: string): Promise<void> =>
  events.publish(db, revocationEvent, { id }, { awaited: true })

/** Calls back on each committed revocation with the id of a session, key, person or organization; undefined for everyone. */
export const onRevocation = (events: Events, hear: (id: string | undefined) => void): void =>
  events.subscribe(revocationEvent, Revocation, ({ id }) => hear(id === everyone ? undefined : id), { committed: true })

/** The same where what roles carry has changed, or what there is to carry. */
export const publishRevocationForAll = (db: Database, events: Events): Promise<void> =>
  publishRevocation(db, events, everyone)
