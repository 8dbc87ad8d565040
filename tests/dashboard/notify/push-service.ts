import {
  createDecipheriv,
  createECDH,
  createHmac,
  createPublicKey,
  hkdfSync,
  randomBytes,
  verify,
  type ECDH,
} from 'node:crypto'

/** A browser that subscribed: its keys as it sends them, and what decrypts messages to it. */
export interface PushBrowser {
  draft: { endpoint: string; expirationTime: null; keys: { p256dh: string; auth: string } }
  messages: { title: string; body: string; href: string; tag: string }[]
}

interface Registered {
  ecdh: ECDH
  auth: Buffer
  messages: PushBrowser['messages']
}

type Fault = { status: number; retryAfter?: string } | 'hang'

/** A push service by RFC 8030, 8188, 8291 and 8292: it refuses what their text doesn't allow. */
export function openPushService() {
  const browsers = new Map<string, Registered>()
  const faults: Fault[] = []
  const refusals: string[] = []
  let publicKey: string | null = null
  let requests = 0
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: async (request) => {
      requests++
      const fault = faults.shift()
      if (fault === 'hang') return new Promise<Response>(() => {})
      if (fault) {
        const headers = fault.retryAfter === undefined ? undefined : { 'retry-after': fault.retryAfter }
        return new Response(null, { status: fault.status, headers })
      }
      const browser = browsers.get(new URL(request.url).pathname)
      if (!browser) return new Response(null, { status: 410 })
      try {
        checkHeaders(request, publicKey)
        const bytes = Buffer.from(await request.arrayBuffer())
        if (bytes.length > 4096) throw new Error('413: longer than 4,096 bytes')
        browser.messages.push(JSON.parse(decrypt(browser, bytes)))
        return new Response(null, { status: 201, headers: { location: `${request.url}/message` } })
      } catch (error) {
        refusals.push(String(error))
        return new Response(String(error), { status: 400 })
      }
    },
  })
  return {
    faults,
    refusals,
    requests: () => requests,
    expectKey: (key: string) => void (publicKey = key),
    subscribe: (): PushBrowser => {
      const ecdh = createECDH('prime256v1')
      const p256dh = ecdh.generateKeys().toString('base64url')
      const auth = randomBytes(16)
      const path = `/push/${randomBytes(12).toString('hex')}`
      const messages: PushBrowser['messages'] = []
      browsers.set(path, { ecdh, auth, messages })
      const endpoint = `http://127.0.0.1:${server.port}${path}`
      return { draft: { endpoint, expirationTime: null, keys: { p256dh, auth: auth.toString('base64url') } }, messages }
    },
    forget: ({ draft }: PushBrowser) => browsers.delete(new URL(draft.endpoint).pathname),
    close: () => server.stop(true),
  }
}

const known = new Set(
  'authorization content-encoding content-length content-type ttl urgency topic host user-agent accept accept-encoding connection traceparent'.split(
    ' ',
  ),
)

function checkHeaders({ method, headers, url }: Request, publicKey: string | null): void {
  if (method !== 'POST') throw new Error('405')
  for (const name of headers.keys()) if (!known.has(name)) throw new Error(`unknown header ${name}`)
  if (headers.get('content-encoding') !== 'aes128gcm') throw new Error('Content-Encoding')
  if (!/^\d+$/.test(headers.get('ttl') ?? '')) throw new Error('TTL is required')
  if (!['very-low', 'low', 'normal', 'high'].includes(headers.get('urgency') ?? 'normal')) throw new Error('Urgency')
  const [, token = '', key = ''] = /^vapid t=([\w.-]+), ?k=([\w-]+)$/.exec(headers.get('authorization') ?? '') ?? []
  if (publicKey !== null && key !== publicKey) throw new Error('403: the subscription belongs to another key')
  checkToken(token, key, new URL(url).origin)
}

/** RFC 8292: ES256, the audience is the origin, at most 24 hours, a subject to reach the sender. */
function checkToken(token: string, key: string, origin: string): void {
  const [head = '', body = '', signature = ''] = token.split('.')
  const point = Buffer.from(key, 'base64url')
  const jwk = {
    kty: 'EC',
    crv: 'P-256',
    x: point.subarray(1, 33).toString('base64url'),
    y: point.subarray(33).toString('base64url'),
  }
  const signer = { key: createPublicKey({ key: jwk, format: 'jwk' }), dsaEncoding: 'ieee-p1363' as const }
  if (!verify('sha256', Buffer.from(`${head}.${body}`), signer, Buffer.from(signature, 'base64url')))
    throw new Error('401: the signature is wrong')
  const header = JSON.parse(Buffer.from(head, 'base64url').toString())
  const claims = JSON.parse(Buffer.from(body, 'base64url').toString())
  if (header.alg !== 'ES256') throw new Error('alg')
  if (claims.aud !== origin) throw new Error(`aud is ${claims.aud}`)
  const left = claims.exp - Date.now() / 1000
  if (!(left > 0 && left <= 24 * 3600)) throw new Error('exp')
  if (!/^(mailto:\S+@\S+|https:\/\/\S+)$/.test(claims.sub)) throw new Error('sub')
}

/** RFC 8291 with the record of RFC 8188. */
function decrypt({ ecdh, auth }: Registered, bytes: Buffer): string {
  const salt = bytes.subarray(0, 16)
  const recordSize = bytes.readUInt32BE(16)
  const idLength = bytes.readUInt8(20)
  if (idLength !== 65 || recordSize < 18) throw new Error('the header of the record is wrong')
  const sender = bytes.subarray(21, 21 + idLength)
  const secret = ecdh.computeSecret(sender)
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), ecdh.getPublicKey(), sender])
  const extracted = createHmac('sha256', auth).update(secret).digest()
  const material = createHmac('sha256', extracted)
    .update(Buffer.concat([info, Buffer.from([1])]))
    .digest()
  const derive = (name: string, length: number) =>
    Buffer.from(hkdfSync('sha256', material, salt, `Content-Encoding: ${name}\0`, length))
  const record = bytes.subarray(21 + idLength)
  if (record.length > recordSize) throw new Error('more than one record')
  const decipher = createDecipheriv('aes-128-gcm', derive('aes128gcm', 16), derive('nonce', 12))
  decipher.setAuthTag(record.subarray(-16))
  const plain = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()])
  const end = plain.lastIndexOf(2)
  if (end === -1 || plain.subarray(end + 1).some((byte) => byte !== 0)) throw new Error('the padding is wrong')
  return plain.subarray(0, end).toString()
}
