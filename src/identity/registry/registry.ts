import { eq } from 'drizzle-orm'
import { audited } from '#lib/audit.ts'
import { brokenConstraint, type Database } from '#lib/db.ts'
import { conflict, invalid, notFound } from '#lib/errors.ts'
import { newId } from '#lib/ids.ts'
import { serviceRedirectUris, services } from '../schema.ts'
import { findService } from '../services.ts'
import type { ServiceDraft, ServiceEdit } from './contract.ts'

/** Enters a service. Throws 409 for a slug that one has, 422 for what contradicts itself. */
export async function addService(db: Database, { slug, redirectUris = [], handoffUri, ...draft }: ServiceDraft) {
  const [row] = await db
    .insert(services)
    .values({ id: newId(), slug, ...columnsOf(draft), name: draft.name, description: draft.description })
    .onConflictDoNothing({ target: services.slug })
    .returning()
    .catch(toValidationError)
  if (!row) throw conflict('slug_taken', `There is a service ${slug} already.`)
  await setRedirectUris(db, row, { uris: redirectUris, handoffUri: handoffUri ?? null })
  audited(db, { object: 'service', id: row.id, after: { ...row, redirectUris, handoffUri } })
  return findService(db, row.id)
}

/** Changes what is named of a service. Throws 404, and 422 for what contradicts itself. */
export async function editService(db: Database, { id, redirectUris, handoffUri, ...edit }: ServiceEdit) {
  const [locked] = await db.select().from(services).where(eq(services.id, id)).for('update')
  if (!locked) throw notFound('service')
  const before = await findService(db, id)
  const [row] = await db
    .update(services)
    .set({ ...columnsOf(edit), slug: locked.slug })
    .where(eq(services.id, id))
    .returning()
    .catch(toValidationError)
  const entry = row ?? locked
  // One that becomes our own has its callback from now on.
  const kept = entry.firstParty ? null : before.handoffUri
  await setRedirectUris(db, entry, {
    uris: redirectUris ?? before.redirectUris,
    handoffUri: handoffUri === undefined ? kept : handoffUri,
  })
  const after = await findService(db, id)
  audited(db, { object: 'service', id, before, after })
  return after
}

interface Destinations {
  uris: string[]
  handoffUri: string | null
}

/** Exactly these from now on (IDN-23). Throws 422 for a hand-off address that isn't one of them. */
async function setRedirectUris(
  db: Database,
  { id, firstParty }: { id: string; firstParty: boolean },
  { uris, handoffUri }: Destinations,
): Promise<void> {
  if (handoffUri !== null && firstParty)
    throw invalid([
      { path: 'handoffUri', message: 'Our own apps are handed off to at their callback: leave it empty.' },
    ])
  if (handoffUri !== null && !uris.includes(handoffUri))
    throw invalid([{ path: 'handoffUri', message: 'Must be one of the redirect URIs, to the letter.' }])
  await db.delete(serviceRedirectUris).where(eq(serviceRedirectUris.serviceId, id))
  const rows = [...new Set(uris)].map((uri) => ({ serviceId: id, uri, handoff: uri === handoffUri }))
  if (rows.length > 0) await db.insert(serviceRedirectUris).values(rows)
}

/** The literal names of the seeds are ordinary columns. */
const columnsOf = ({
  surface_kind: surfaceKind,
  surface_group: surfaceGroup,
  household_capable: householdCapable,
  nativeLinks,
  ...rest
}: Omit<ServiceEdit, 'id' | 'redirectUris' | 'handoffUri'>) => ({
  ...rest,
  surfaceKind,
  surfaceGroup,
  householdCapable,
  iosUrl: nativeLinks?.ios,
  androidUrl: nativeLinks?.android,
})

const constraintErrors: Record<string, { path: string; message: string }> = {
  services_launchable: { path: 'webUrl', message: 'What people open needs a web URL.' },
  services_paid: { path: 'paid', message: 'Only first-party apps count against what was paid for.' },
}

function toValidationError(error: unknown): never {
  const told = constraintErrors[brokenConstraint(error) ?? '']
  throw told ? invalid([told]) : error
}
