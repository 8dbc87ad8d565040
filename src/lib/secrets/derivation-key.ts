import { randomBytes } from 'node:crypto'
import type { Database } from '../db.ts'
import { newId } from '../ids.ts'
import { derivationRoots } from '../schema.ts'
import { sealContext } from './sealed.ts'
import { deriveKey, type Secrets } from '../secrets.ts'

/** A sealed key in the database, so that peppers survive a rotation of SECRETS_KEY. @throws {StartupError} */
export async function withDerivationKey(secrets: Secrets, db: Database): Promise<Secrets> {
  const row = (await findRoot(db)) ?? (await makeRoot(secrets, db)) ?? (await findRoot(db))
  if (!row) throw new Error('The root key for peppers was deleted while it was being created')
  const root = Buffer.from(secrets.open(row.sealedRoot, sealContext(derivationRoots.sealedRoot, row.id)), 'base64')
  return { ...secrets, derive: (purpose) => deriveKey(root, purpose) }
}

const findRoot = async (db: Database) => (await db.select().from(derivationRoots))[0]

async function makeRoot(secrets: Secrets, db: Database) {
  const id = newId()
  const text = randomBytes(32).toString('base64')
  const sealedRoot = secrets.seal(text, sealContext(derivationRoots.sealedRoot, id))
  return (await db.insert(derivationRoots).values({ id, sealedRoot }).onConflictDoNothing().returning())[0]
}
