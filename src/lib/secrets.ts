import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto'
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { StartupError } from './startup-error.ts'

declare module './call.ts' {
  interface Provided {
    readonly secrets: Secrets
  }
}

/** Encryption at rest: AES-256-GCM with a data key per text, which the server's key wraps. */
export interface Secrets {
  keyId: string
  keyIds: readonly string[]
  /** `context` is `<schema>.<table>:<id>` of the row, and must be the same in `open`. */
  seal(text: string, context: string): string
  /** @throws {StartupError} for an unknown key, and an Error when the text or context was changed */
  open(sealed: string, context: string): string
  /** Without opening the text. @throws like `open` */
  rewrap(sealed: string, context: string): string
  /** 32 bytes per purpose, constant within a database, such as for peppers. */
  derive(purpose: string): Uint8Array
  deriveFrom(keyId: string, purpose: string): Uint8Array | undefined
}

/** `key` has 32 bytes and seals; `others`, former keys and the next one, can only open. */
export function createSecrets(key: Uint8Array, others: readonly Uint8Array[] = []): Secrets {
  const own = wrapperOf(key)
  const all = [...others.map(wrapperOf), own]
  const wrappers = new Map(all.map((wrapper) => [wrapper.id, wrapper.key]))
  const roots = new Map(all.map(({ id, root }) => [id, root]))
  const dataKeyOf = (sealed: string, context: string) => {
    const [id = '', wrapped = '', body = ''] = sealed.split('.')
    const wrapper = wrappers.get(id)
    if (!wrapper) throw wrongKey(id, [...wrappers.keys()])
    return { dataKey: decrypt(wrapper, wrapped, context), body }
  }
  const wrap = (dataKey: Uint8Array, body: string, context: string) =>
    [own.id, encrypt(own.key, dataKey, context), body].join('.')
  return {
    keyId: own.id,
    keyIds: [...wrappers.keys()],
    derive: (purpose) => deriveKey(key, purpose),
    deriveFrom: (keyId, purpose) => {
      const root = roots.get(keyId)
      return root && deriveKey(root, purpose)
    },
    seal: (text, context) => {
      const dataKey = randomBytes(32)
      return wrap(dataKey, encrypt(dataKey, Buffer.from(text), context), context)
    },
    open: (sealed, context) => {
      const { dataKey, body } = dataKeyOf(sealed, context)
      return decrypt(dataKey, body, context).toString()
    },
    rewrap: (sealed, context) => {
      const { dataKey, body } = dataKeyOf(sealed, context)
      return wrap(dataKey, body, context)
    },
  }
}

export const deriveKey = (root: Uint8Array, purpose: string): Uint8Array =>
  new Uint8Array(hkdfSync('sha256', root, '', purpose, 32))

const wrapperOf = (key: Uint8Array) => ({
  id: createHash('sha256').update(deriveKey(key, 'key id')).digest('hex').slice(0, 12),
  key: deriveKey(key, 'wrap data keys'),
  root: key,
})

interface KeySettings {
  SECRETS_KEY?: string
  SECRETS_KEY_PREVIOUS?: readonly string[]
  DATA_DIR: string
}

export const secretsOf = (keys: KeySettings): Secrets =>
  createSecrets(readSecretsKey(keys), keys.SECRETS_KEY_PREVIOUS?.map(fromHex))

/** The key of the environment, or in development and tests one that is created in the data folder. */
export const readSecretsKey = ({ SECRETS_KEY, DATA_DIR }: KeySettings): Uint8Array =>
  fromHex(SECRETS_KEY ?? readLocalKey(DATA_DIR))

const fromHex = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'hex'))

const nonceLength = 12
const tagLength = 16

function encrypt(key: Uint8Array, bytes: Uint8Array, context: string): string {
  const nonce = randomBytes(nonceLength)
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context))
  const sealed = Buffer.concat([cipher.update(bytes), cipher.final()])
  return Buffer.concat([nonce, sealed, cipher.getAuthTag()]).toString('base64url')
}

function decrypt(key: Uint8Array, text: string, context: string): Buffer {
  const bytes = Buffer.from(text, 'base64url')
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, nonceLength), { authTagLength: tagLength })
  decipher.setAAD(Buffer.from(context)).setAuthTag(bytes.subarray(-tagLength))
  return Buffer.concat([decipher.update(bytes.subarray(nonceLength, -tagLength)), decipher.final()])
}

const wrongKey = (sealedBy: string, known: string[]): StartupError =>
  new StartupError(
    `The secrets in the database are encrypted with another key (ID ${sealedBy}; this server has ${known.join(', ')}). Set SECRETS_KEY to that key, or add it to SECRETS_KEY_PREVIOUS. Servers that share a database must share their keys.`,
  )

function readLocalKey(dataDir: string): string {
  const path = join(dataDir, 'secrets.key')
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
    return readKey(path) ?? makeKey(path)
  } catch (error) {
    if (error instanceof StartupError) throw error
    throw new StartupError(`The secrets key can’t be read from or written to ${path}: ${String(error)}`)
  }
}

function readKey(path: string): string | undefined {
  try {
    const text = readFileSync(path, 'utf8').trim()
    if (/^[0-9a-f]{64}$/i.test(text)) return text
    throw new StartupError(`${path} must contain 64 hexadecimal digits. Restore the file, or set SECRETS_KEY.`)
  } catch (error) {
    if (isCode(error, 'ENOENT')) return undefined
    throw error
  }
}

/** Atomic: when two servers create it at the same time, the first link wins. */
function makeKey(path: string): string {
  const draft = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`
  writeFileSync(draft, `${randomBytes(32).toString('hex')}\n`, { mode: 0o600 })
  try {
    linkSync(draft, path)
  } catch (error) {
    if (!isCode(error, 'EEXIST')) throw error
  } finally {
    rmSync(draft, { force: true })
  }
  return readFileSync(path, 'utf8').trim()
}

const isCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code
