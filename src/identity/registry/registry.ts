import { and, eq, notInArray } from 'drizzle-orm'
import { audited } from '#lib/audit.ts'
import { brokenConstraint, type Database } from '#lib/db.ts'
import { conflict, invalid, notFound } from '#lib/errors.ts'
import { newId } from '#lib/ids.ts'
import { serviceRedirectUris, services } from '../schema.ts'
import { findService } from '../services.ts'
import type { ServiceDraft, ServiceEdit } from './contract.ts'

/** Enters a service. Throws 409 for a slug that one has, 422 for what contradicts itself. */
export async function enterService(db: Database, { slug, redirectUris, ...draft }: ServiceDraft) {
  const [row] = await db
    .insert(services)
    .values({ id: newId(), slug, ...columnsOf(draft), name: draft.name, description: draft.description })
    .onConflictDoNothing({ target: services.slug })
    .returning()
    .catch(contradiction)
  if (!row) throw conflict('slug_taken', `There is a service ${slug} already.`)
  if (redirectUris) await setRedirectUris(db, row.id, redirectUris)
  audited(db, { object: 'service', id: row.id, after: { ...row, redirectUris } })
  return findService(db, row.id)
}

/** Changes what is named of a service. Throws 404, and 422 for what contradicts itself. */
export async function editService(db: Database, { id, redirectUris, ...edit }: ServiceEdit) {
  const [locked] = await db.select().from(services).where(eq(services.id, id)).for('update')
  if (!locked) throw notFound('service')
  const before = await findService(db, id)
  await db
    .update(services)
    .set({ ...columnsOf(edit), slug: locked.slug })
    .where(eq(services.id, id))
    .catch(contradiction)
  if (redirectUris) await setRedirectUris(db, id, redirectUris)
  const after = await findService(db, id)
  audited(db, { object: 'service', id, before, after })
  return after
}

/** Exactly these from now on (IDN-23). */
async function setRedirectUris(db: Database, id: string, uris: string[]): Promise<void> {
  const others = notInArray(serviceRedirectUris.uri, uris)
  await db.delete(serviceRedirectUris).where(and(eq(serviceRedirectUris.serviceId, id), others))
  const rows = uris.map((uri) => ({ serviceId: id, uri }))
  if (rows.length > 0) await db.insert(serviceRedirectUris).values(rows).onConflictDoNothing()
}

/** The literal names of the seeds are ordinary columns. */
const columnsOf = ({
  surface_kind: surfaceKind,
  surface_group: surfaceGroup,
  household_capable: householdCapable,
  nativeLinks,
  ...rest
}: Omit<ServiceEdit, 'id' | 'redirectUris'>) => ({
  ...rest,
  surfaceKind,
  surfaceGroup,
  householdCapable,
  iosUrl: nativeLinks?.ios,
  androidUrl: nativeLinks?.android,
})

const contradictions: Record<string, { path: string; message: string }> = {
  services_launchable: { path: 'webUrl', message: 'What people open needs a web URL.' },
  services_paid: { path: 'paid', message: 'Only first-party apps count against what was paid for.' },
}

function contradiction(error: unknown): never {
  const told = contradictions[brokenConstraint(error) ?? '']
  throw told ? invalid([told]) : error
}
