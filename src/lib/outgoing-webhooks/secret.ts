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

export const secretsOfEndpoint = (secrets: Secrets, row: SecretsOf, at: Date): string[] =>
  openValidSecrets(secrets, row, contextOf(row.id), at)

/** Of a row sealed with `context`: the current secret, and the previous one until it ends. */
export function openValidSecrets(secrets: Secrets, row: Omit<SecretsOf, 'id'>, context: string, at: Date): string[] {
  const isBefore = row.previousSecretEndsAt !== null && row.previousSecretEndsAt > at
  const sealed = [row.sealedSecret, ...(isBefore && row.sealedPreviousSecret ? [row.sealedPreviousSecret] : [])]
  return sealed.map((each) => secrets.open(each, context))
}
