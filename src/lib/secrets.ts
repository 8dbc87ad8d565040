import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto'
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { StartupError } from './startup-error.ts'

declare module './call.ts' {
  interface Provided {
    readonly secrets: Secrets
  }
}

/** Secrets at rest: AES-256-GCM under a data key of each record, which the server's key wraps. */
export interface Secrets {
  /** Seals a text. `context`, such as `identity.signing_keys:<id>`, must be the same when it is opened. */
  seal(text: string, context: string): string
  /** Opens what `seal` made. Throws a StartupError when another key sealed it, an Error when it was changed. */
  open(sealed: string, context: string): string
  /** 32 bytes for one purpose, always the same under one key: peppers. */
  derive(purpose: string): Uint8Array
}

/** Seals under this key of 32 bytes. */
export function createSecrets(key: Uint8Array): Secrets {
  const derive = (purpose: string) => new Uint8Array(hkdfSync('sha256', key, '', purpose, 32))
  const wrappingKey = derive('wrap data keys')
  const keyId = createHash('sha256').update(derive('key id')).digest('hex').slice(0, 12)
  return {
    derive,
    seal: (text, context) => {
      const dataKey = randomBytes(32)
      const wrapped = encrypt(wrappingKey, dataKey, context)
      return [keyId, wrapped, encrypt(dataKey, Buffer.from(text), context)].join('.')
    },
    open: (sealed, context) => {
      const [id, wrapped = '', body = ''] = sealed.split('.')
      if (id !== keyId) throw wrongKey(id ?? '', keyId)
      return decrypt(decrypt(wrappingKey, wrapped, context), body, context).toString()
    },
  }
}

/** The key of the environment, else one that is made once under the data folder (development and tests only). */
export function readSecretsKey({ SECRETS_KEY, DATA_DIR }: { SECRETS_KEY?: string; DATA_DIR: string }): Uint8Array {
  return new Uint8Array(Buffer.from(SECRETS_KEY ?? localKey(DATA_DIR), 'hex'))
}

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

const wrongKey = (sealedBy: string, own: string): StartupError =>
  new StartupError(
    `The database holds secrets of another SECRETS_KEY (id ${sealedBy}, this one is ${own}). Start with the key they were sealed under: servers that share a database share it too.`,
  )

function localKey(dataDir: string): string {
  const path = join(dataDir, 'secrets.key')
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
    return readKey(path) ?? makeKey(path)
  } catch (error) {
    if (error instanceof StartupError) throw error
    throw new StartupError(`The key of secrets cannot be read from or written to ${path}: ${String(error)}`)
  }
}

function readKey(path: string): string | undefined {
  try {
    const text = readFileSync(path, 'utf8').trim()
    if (/^[0-9a-f]{64}$/i.test(text)) return text
    throw new StartupError(`${path} should hold 64 hexadecimal digits. Bring the file back, or set SECRETS_KEY.`)
  } catch (error) {
    if (isCode(error, 'ENOENT')) return undefined
    throw error
  }
}

/** Whole or not at all, and once when two servers do it at the same time: the first link wins. */
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
