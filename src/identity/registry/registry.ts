import { eq } from 'drizzle-orm'
import { recordChange } from '#lib/audit.ts'
import { brokenConstraint, type Database } from '#lib/db.ts'
import { conflict, invalid, notFound } from '#lib/errors.ts'
import { newId } from '#lib/ids.ts'
import { serviceRedirectUris, services } from '../schema.ts'
import { findService } from './services.ts'
import type { ServiceDraft, ServiceEdit } from './contract.ts'

/** @throws 409 for a taken slug; 422 for contradicting fields */
export async function addService(db: Database, { slug, redirectUris = [], handoffUri, ...draft }: ServiceDraft) {
  const [row] = await db
    .insert(services)
    .values({ id: newId(), slug, ...columnsOf(draft), name: draft.name, description: draft.description })
    .onConflictDoNothing({ target: services.slug })
    .returning()
    .catch(toValidationError)
  if (!row) throw conflict('slug_taken', `The slug ${slug} is already taken.`)
  await setRedirectUris(db, row, { uris: redirectUris, handoffUri: handoffUri ?? null })
  recordChange(db, { object: 'service', id: row.id, after: { ...row, redirectUris, handoffUri } })
  return findService(db, row.id)
}

/** @throws 404; 422 for contradicting fields */
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
  // A service that becomes first-party uses its callback instead.
  const kept = entry.firstParty ? null : before.handoffUri
  await setRedirectUris(db, entry, {
    uris: redirectUris ?? before.redirectUris,
    handoffUri: handoffUri === undefined ? kept : handoffUri,
  })
  const after = await findService(db, id)
  recordChange(db, { object: 'service', id, before, after })
  return { before, after }
}

interface Destinations {
  uris: string[]
  handoffUri: string | null
}

/** @throws 422 for a hand-off URI that isn’t one of them */
async function setRedirectUris(
  db: Database,
  { id, firstParty }: { id: string; firstParty: boolean },
  { uris, handoffUri }: Destinations,
): Promise<void> {
  if (handoffUri !== null && firstParty)
    throw invalid([
      { path: 'handoffUri', message: 'Must be empty for first-party apps: hand-offs use their callback.' },
    ])
  if (handoffUri !== null && !uris.includes(handoffUri))
    throw invalid([{ path: 'handoffUri', message: 'Must be one of the redirect URIs.' }])
  await db.delete(serviceRedirectUris).where(eq(serviceRedirectUris.serviceId, id))
  const rows = [...new Set(uris)].map((uri) => ({ serviceId: id, uri, handoff: uri === handoffUri }))
  if (rows.length > 0) await db.insert(serviceRedirectUris).values(rows)
}

/** Translates the snake_case fields of the seeds into columns. */
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
  services_launchable: { path: 'webUrl', message: 'Required for launchable services.' },
  services_paid: { path: 'paid', message: 'Must be false: only first-party apps can be paid.' },
}

function toValidationError(error: unknown): never {
  const fieldError = constraintErrors[brokenConstraint(error) ?? '']
  throw fieldError ? invalid([fieldError]) : error
}
