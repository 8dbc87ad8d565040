import { z } from 'zod'
import type { Database } from '#lib/db.ts'
import type { Events } from '#lib/events.ts'

/** On this event every server drops what it has cached about a session, key, person or organization. */
export const revocationEvent = 'identity.revoked'

/** Concerns every person. */
export const everyone = '*'

export const Revocation = z.object({ id: z.string() })

/** When `transact` has committed, no server uses cached grants of this session, key, person or organization. */
export const publishRevocation = (db: Database, events: Events, id: string): Promise<void> =>
  events.publish(db, revocationEvent, { id }, { waitForServers: true })

/** After the commit. Undefined for everyone. */
export const onRevocation = (events: Events, handle: (id: string | undefined) => void): void =>
  events.subscribe(revocationEvent, Revocation, ({ id }) => handle(id === everyone ? undefined : id), {
    committed: true,
  })

/** When the permissions of roles or the catalog have changed. */
export const publishRevocationForAll = (db: Database, events: Events): Promise<void> =>
  publishRevocation(db, events, everyone)
