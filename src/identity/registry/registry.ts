import { eq } from 'drizzle-orm'
import { audited } from '#lib/audit.ts'
import { brokenConstraint, type Database } from '#lib/db.ts'
import { conflict, invalid, notFound } from '#lib/errors.ts'
import { newId } from '#lib/ids.ts'
import { services } from '../schema.ts'
import { findService } from '../services.ts'
import type { ServiceDraft, ServiceEdit } from './contract.ts'

/** Enters a service. Throws 409 for a slug that one has, 422 for what contradicts itself. */
export async function enterService(db: Database, { slug, ...draft }: ServiceDraft) {
  const [row] = await db
    .insert(services)
    .values({ id: newId(), slug, ...columnsOf(draft), name: draft.name, description: draft.description })
    .onConflictDoNothing({ target: services.slug })
    .returning()
    .catch(contradiction)
  if (!row) throw conflict('slug_taken', `There is a service ${slug} already.`)
  audited(db, { object: 'service', id: row.id, after: row })
  return findService(db, row.id)
}

/** Changes what is named of a service. Throws 404, and 422 for what contradicts itself. */
export async function editService(db: Database, { id, ...edit }: ServiceEdit) {
  const [before] = await db.select().from(services).where(eq(services.id, id)).for('update')
  if (!before) throw notFound('service')
  const changes = columnsOf(edit)
  const [row] = await db
    .update(services)
    .set({ ...changes, slug: before.slug })
    .where(eq(services.id, id))
    .returning()
    .catch(contradiction)
  audited(db, { object: 'service', id, before, after: row })
  return findService(db, id)
}

/** The literal names of the seeds are ordinary columns. */
const columnsOf = ({
  surface_kind: surfaceKind,
  surface_group: surfaceGroup,
  household_capable: householdCapable,
  nativeLinks,
  ...rest
}: Omit<ServiceEdit, 'id'>) => ({
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
