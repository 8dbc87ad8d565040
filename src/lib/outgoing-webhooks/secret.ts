import { webhookEndpoints } from '../schema.ts'
import { sealContext } from '../secrets/sealed.ts'
import type { Secrets } from '../secrets.ts'

type SecretsOf = Pick<
  typeof webhookEndpoints.$inferSelect,
  'id' | 'sealedSecret' | 'sealedPreviousSecret' | 'previousSecretEndsAt'
>

const contextOf = (id: string): string => sealContext(webhookEndpoints.sealedSecret, id)

export const sealSigningSecret = (secrets: Secrets, id: string, secret: string): string =>
  secrets.seal(secret, contextOf(id))

export function secretsOfEndpoint(secrets: Secrets, row: SecretsOf, at: Date): string[] {
  const isBefore = row.previousSecretEndsAt !== null && row.previousSecretEndsAt > at
  const sealed = [row.sealedSecret, ...(isBefore && row.sealedPreviousSecret ? [row.sealedPreviousSecret] : [])]
  return sealed.map((each) => secrets.open(each, contextOf(row.id)))
}
