import { transact, type Database } from '#lib/db.ts'
import { raiseAction, resolveAction } from '#lib/raised-actions.ts'
import { credentialKind } from '../notification-kinds.ts'
import type { providerCredentials } from '../schema.ts'

type CredentialRow = typeof providerCredentials.$inferSelect
type Key = Pick<CredentialRow, 'organizationId' | 'provider' | 'mode'>

const place = '/gateway/credentials'

const causeOf = ({ organizationId, provider, mode }: Key): string => `credential:${organizationId}:${provider}:${mode}`

const rotateButton = { label: 'Rotate the key', method: 'GET', href: place, style: 'primary' } as const

const checkButton = ({ provider, mode }: Key) =>
  ({
    label: 'Check now',
    method: 'POST',
    href: `/api/credentials/${encodeURIComponent(provider)}/check`,
    body: { level: 'organization', mode },
  }) as const

/** After a check of the key in use: asks the organization for another one, or no longer. */
export async function updateCredentialAction(db: Database, key: CredentialRow, fault: string | null): Promise<void> {
  const { organizationId, provider, status } = key
  if (organizationId === null || status !== 'active') return
  await transact(db, (tx) =>
    fault === null
      ? resolveAction(tx, causeOf(key))
      : raiseAction(tx, {
          kind: credentialKind,
          organizationId,
          cause: causeOf(key),
          href: place,
          title: `The key of ${provider} doesn’t work`,
          reason: `${fault} Calls to it fail until you rotate the key.`,
          actions: [rotateButton, checkButton(key)],
        }),
  )
}

/** On the transaction that deletes a key which was about to replace another one. */
export async function raiseDroppedKey(tx: Database, key: CredentialRow): Promise<void> {
  const { organizationId, provider, lastFour, lastError } = key
  if (organizationId === null) return
  await raiseAction(tx, {
    kind: credentialKind,
    organizationId,
    cause: causeOf(key),
    href: place,
    title: `The new key of ${provider} was not put into use`,
    reason: `The old key is still used, since the key that ends in ${lastFour} failed. ${lastError ?? ''}`.trim(),
    actions: [rotateButton, { ...checkButton(key), label: 'Check the old key' }],
  })
}

/** On the transaction in which the key was replaced or deleted. */
export const endCredentialAction = (tx: Database, key: Key): Promise<void> => resolveAction(tx, causeOf(key))
