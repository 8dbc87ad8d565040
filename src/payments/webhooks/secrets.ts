import type { Secrets } from '#lib/secrets.ts'
import { sealContext } from '#lib/secrets/sealed.ts'
import { providerEndpoints } from '../schema.ts'

export type EndpointRow = typeof providerEndpoints.$inferSelect

/** Both secrets of a row. */
const contextOf = (id: string): string => sealContext(providerEndpoints.sealedSecret, id)

export const sealSecret = (secrets: Secrets, id: string, secret: string): string => secrets.seal(secret, contextOf(id))

/** Those that an event can be signed with: during a rotation two. */
export function openSecrets(secrets: Secrets, row: EndpointRow, now: Date): string[] {
  const { id, sealedSecret, sealedPreviousSecret, previousSecretEndsAt } = row
  const isRotating = previousSecretEndsAt !== null && previousSecretEndsAt > now
  return [sealedSecret, isRotating ? sealedPreviousSecret : null].flatMap((sealed) =>
    sealed === null ? [] : [secrets.open(sealed, contextOf(id))],
  )
}
