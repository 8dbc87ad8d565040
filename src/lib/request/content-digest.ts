import { unauthorized } from '../errors.ts'

const algorithms = ['sha-256', 'sha-512'] as const
const member = /^(sha-256|sha-512)=:([A-Za-z0-9+/]+={0,2}):$/

/** RFC 9530. @throws {Problem} 401 without the header, without SHA-256 and SHA-512, or with another digest */
export function requireDigest(headers: Headers, bytes: Uint8Array): void {
  const sent = (headers.get('content-digest') ?? '').split(',').flatMap((part) => {
    const [, algorithm, value] = member.exec(part.trim()) ?? []
    return algorithm && value ? [{ algorithm, value }] : []
  })
  if (sent.length === 0)
    throw unauthorized(
      'This request is not signed. Send the header Content-Digest: sha-256=:…: with the digest of its body.',
    )
  const expected = algorithms.map((algorithm) => ({ algorithm, value: digestOf(algorithm, bytes) }))
  const matches = sent.every((each) =>
    expected.some((one) => one.algorithm === each.algorithm && one.value === each.value),
  )
  if (!matches) throw unauthorized('The Content-Digest doesn’t match the body. The body was changed in transit.')
}

export const contentDigest = (bytes: Uint8Array): string => `sha-256=:${digestOf('sha-256', bytes)}:`

const digestOf = (algorithm: (typeof algorithms)[number], bytes: Uint8Array): string =>
  new Bun.CryptoHasher(algorithm === 'sha-256' ? 'sha256' : 'sha512').update(bytes).digest('base64')
