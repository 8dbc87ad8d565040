import { and, asc, eq, inArray } from 'drizzle-orm'
import type { Config } from '#config'
import { recordChange } from '#lib/audit.ts'
import type { Database } from '#lib/db.ts'
import { passkeys, upstreamIdentities } from '../../schema.ts'
import { listOrganizationsRequiring } from '../../sign-in/second-factor/required.ts'
import { nameOf } from '../../sign-in/social-login/identities.ts'
import type { SignInMethodRow } from './contract.ts'

const dayMs = 24 * 60 * 60 * 1000
const newForMs = 30 * dayMs

export async function listSignInMethods(
  db: Database,
  { id, createdAt }: { id: string; createdAt: Date },
  { config, now }: { config: Config; now: Date },
): Promise<SignInMethodRow[]> {
  const [keys, identities, [requiring]] = await Promise.all([
    db.select().from(passkeys).where(eq(passkeys.userId, id)).orderBy(asc(passkeys.id)),
    db.select().from(upstreamIdentities).where(eq(upstreamIdentities.userId, id)).orderBy(asc(upstreamIdentities.id)),
    listOrganizationsRequiring(db, id),
  ])
  const isNew = (addedAt: Date) =>
    now.getTime() - addedAt.getTime() < newForMs && addedAt.getTime() - createdAt.getTime() > signUpWindowMs
  return [
    ...keys.map((key) => ({
      kind: 'passkey' as const,
      ...toSignInMethod(key, key.name),
      isLocked: requiring !== undefined,
    })),
    ...identities.map((each) => ({
      kind: 'identity' as const,
      ...toSignInMethod(each, nameOf(config, each)),
      isLocked: false,
    })),
  ].map((method) => ({ ...method, isNew: !method.isLocked && isNew(method.addedAt) }))
}

/** An identity connected within this time after sign-up was part of it. */
const signUpWindowMs = 60_000

const toSignInMethod = ({ id, createdAt }: { id: string; createdAt: Date }, name: string) => ({
  id,
  name,
  addedAt: createdAt,
})

export async function removeSignInMethods(
  tx: Database,
  userId: string,
  methods: readonly SignInMethodRow[],
): Promise<void> {
  const ids = (kind: SignInMethodRow['kind']) => methods.filter((method) => method.kind === kind).map(({ id }) => id)
  await tx.delete(passkeys).where(and(eq(passkeys.userId, userId), inArray(passkeys.id, ids('passkey'))))
  await tx
    .delete(upstreamIdentities)
    .where(and(eq(upstreamIdentities.userId, userId), inArray(upstreamIdentities.id, ids('identity'))))
  for (const { id, kind, name } of methods)
    recordChange(tx, {
      object: kind === 'passkey' ? 'passkey' : 'connected_identity',
      id,
      before: { name },
      organizationId: null,
    })
}
