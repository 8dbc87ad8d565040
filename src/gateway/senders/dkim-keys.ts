import { generateKeyPair } from 'node:crypto'
import { promisify } from 'node:util'
import { z } from 'zod'
import type { Secrets } from '#lib/secrets.ts'
import { sealContext } from '#lib/secrets/sealed.ts'
import { dkimSelectors, type DkimSelector } from '../contract/senders.ts'
import type { DkimKey } from '../email-transports/transport.ts'
import { senderDomains } from '../schema.ts'
import type { DomainRow } from './records.ts'

const generate = promisify(generateKeyPair)

interface KeyPair {
  /** PEM. */
  privateKey: string
  /** DER as base64, as in DNS. */
  publicKey: string
}

/** RSA with 2048 bits: not every receiver supports Ed25519. */
export async function createDkimKey(): Promise<KeyPair> {
  const { privateKey, publicKey } = await generate('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'der' },
  })
  return { privateKey, publicKey: publicKey.toString('base64') }
}

const Keys = z.partialRecord(z.enum(dkimSelectors), z.string())
type Keys = z.output<typeof Keys>

const contextOf = (id: string): string => sealContext(senderDomains.sealedKeys, id)

export const sealKeys = (secrets: Secrets, id: string, keys: Keys): string =>
  secrets.seal(JSON.stringify(keys), contextOf(id))

export const openKeys = (secrets: Secrets, { id, sealedKeys }: Pick<DomainRow, 'id' | 'sealedKeys'>): Keys =>
  sealedKeys === null ? {} : Keys.parse(JSON.parse(secrets.open(sealedKeys, contextOf(id))))

/** With which its emails are signed; null where the provider signs. */
export function activeKey(secrets: Secrets, row: DomainRow): DkimKey | null {
  const { domain, activeSelector: selector } = row
  const privateKey = openKeys(secrets, row)[selector]
  return privateKey === undefined ? null : { domain, selector, privateKey }
}

export const otherSelector = (selector: DkimSelector): DkimSelector => (selector === 'atrium1' ? 'atrium2' : 'atrium1')
