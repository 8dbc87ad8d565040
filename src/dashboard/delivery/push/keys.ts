import { generateVAPIDKeys } from 'web-push'
import type { Call } from '#lib/call.ts'
import type { Database } from '#lib/db.ts'
import { newId } from '#lib/ids.ts'
import { sealContext } from '#lib/secrets/sealed.ts'
import { pushKeys } from '../../schema.ts'

interface Keys {
  publicKey: string
  privateKey: string
}

const contextOf = (id: string): string => sealContext(pushKeys.sealedPrivateKey, id)

/** Created when they are first needed; of two servers one wins. */
export async function readPushKeys(db: Database, { secrets }: Pick<Call, 'secrets'>): Promise<Keys> {
  const [known] = await db.select().from(pushKeys)
  if (known)
    return { publicKey: known.publicKey, privateKey: secrets.open(known.sealedPrivateKey, contextOf(known.id)) }
  const id = newId()
  const { publicKey, privateKey } = generateVAPIDKeys()
  const sealedPrivateKey = secrets.seal(privateKey, contextOf(id))
  await db.insert(pushKeys).values({ id, publicKey, sealedPrivateKey }).onConflictDoNothing()
  return readPushKeys(db, { secrets })
}
