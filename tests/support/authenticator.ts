import {
  createHash,
  createPrivateKey,
  createPublicKey,
  createSign,
  generateKeyPairSync,
  randomBytes,
} from 'node:crypto'

/** A software device with one passkey, whose responses can be manipulated. */
export interface Authenticator {
  credentialId: string
  /** COSE, base64url. */
  publicKey: string
  /** The parameters that recreate the device. */
  record: AuthenticatorRecord
  /** The result of `credentials.create()`. */
  attest(challenge: string, bent?: Bent): Record<string, unknown>
  /** The result of `credentials.get()`. */
  assert(challenge: string, userId: string | null, bent?: Bent): Record<string, unknown>
}

/** Deviations from a correct response. */
interface Bent {
  origin?: string
  rpId?: string
  type?: string
  counter?: number
  /** Without user verification. */
  unverified?: boolean
}

/** A device as JSON. */
export interface AuthenticatorRecord {
  /** Base64url. */
  id: string
  /** PKCS #8 in PEM. */
  privateKey: string
}

const newRecord = (): AuthenticatorRecord => ({
  id: base64url(randomBytes(16)),
  privateKey: generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({
    format: 'pem',
    type: 'pkcs8',
  }),
})

const base64url = (bytes: Uint8Array | string): string => Buffer.from(bytes).toString('base64url')
const sha256 = (data: Uint8Array | string): Buffer => createHash('sha256').update(data).digest()

/** A byte string of CBOR. */
const cborBytes = (bytes: Buffer): Buffer =>
  Buffer.concat([Buffer.from([0x59, bytes.length >> 8, bytes.length & 255]), bytes])
const cborText = (text: string): Buffer => Buffer.concat([Buffer.from([0x60 + text.length]), Buffer.from(text)])

/** Creates one for `http://localhost`, which signs with ES256 and has no counter by default. */
export function createAuthenticator(
  home = { origin: 'http://localhost', rpId: 'localhost' },
  record = newRecord(),
): Authenticator {
  const privateKey = createPrivateKey(record.privateKey)
  const { x = '', y = '' } = createPublicKey(privateKey).export({ format: 'jwk' })
  const id = Buffer.from(record.id, 'base64url')
  const point = (name: number, value: string) =>
    Buffer.concat([Buffer.from([name, 0x58, 32]), Buffer.from(value, 'base64url')])
  // {1: 2 (EC2), 3: -7 (ES256), -1: 1 (P-256), -2: x, -3: y}
  const cose = Buffer.concat([Buffer.from([0xa5, 1, 2, 3, 0x26, 0x20, 1]), point(0x21, x), point(0x22, y)])

  const clientData = (type: string, challenge: string, { origin = home.origin }: Bent): string =>
    JSON.stringify({ type, challenge, origin, crossOrigin: false })
  const authData = (flags: number, { rpId = home.rpId, counter = 0, unverified }: Bent): Buffer => {
    const count = Buffer.alloc(4)
    count.writeUInt32BE(counter)
    return Buffer.concat([sha256(rpId), Buffer.from([unverified ? flags & ~4 : flags]), count])
  }
  const named = { id: base64url(id), rawId: base64url(id), type: 'public-key', clientExtensionResults: {} }

  return {
    credentialId: named.id,
    publicKey: base64url(cose),
    record,
    attest: (challenge, bent = {}) => {
      const idLength = Buffer.from([0, id.length])
      const data = Buffer.concat([authData(0x45, bent), Buffer.alloc(16), idLength, id, cose])
      const parts = [cborText('fmt'), cborText('none'), cborText('attStmt'), Buffer.from([0xa0]), cborText('authData')]
      const attestationObject = Buffer.concat([Buffer.from([0xa3]), ...parts, cborBytes(data)])
      const clientDataJSON = base64url(clientData(bent.type ?? 'webauthn.create', challenge, bent))
      const response = { clientDataJSON, attestationObject: base64url(attestationObject), transports: ['internal'] }
      return { ...named, response }
    },
    assert: (challenge, userId, bent = {}) => {
      const data = authData(5, bent)
      const client = clientData(bent.type ?? 'webauthn.get', challenge, bent)
      const signature = createSign('sha256')
        .update(Buffer.concat([data, sha256(client)]))
        .sign(privateKey)
      const response = {
        clientDataJSON: base64url(client),
        authenticatorData: base64url(data),
        signature: base64url(signature),
        ...(userId !== null && { userHandle: base64url(userId) }),
      }
      return { ...named, response }
    },
  }
}
