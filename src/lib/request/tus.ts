import { invalid, Problem } from '../errors.ts'

const version = '1.0.0'

export const chunkType = 'application/offset+octet-stream'

export const tusHeaders = (maxBytes: number) => ({
  'Tus-Resumable': version,
  'Tus-Version': version,
  'Tus-Extension': 'creation,expiration,termination',
  'Tus-Max-Size': String(maxBytes),
})

/** @throws {Problem} 412 for a client that names another version */
export function requireTus(headers: Headers): void {
  const requested = headers.get('tus-resumable')
  if (requested === null || requested === version) return
  throw new Problem(
    412,
    'tus_version_unsupported',
    `This server supports tus ${version}. Send Tus-Resumable: ${version}.`,
  )
}

/** In bytes; null without one. @throws {Problem} 422 when it is malformed or deferred */
export function uploadLengthOf(headers: Headers): number | null {
  if (headers.has('upload-defer-length'))
    throw invalid([
      { path: 'Upload-Defer-Length', message: 'Send Upload-Length instead. Deferred lengths are not supported.' },
    ])
  return headers.has('upload-length') ? wholeNumber(headers, 'Upload-Length') : null
}

/** In bytes. @throws {Problem} 422 without one */
export const uploadOffsetOf = (headers: Headers): number => wholeNumber(headers, 'Upload-Offset')

function wholeNumber(headers: Headers, name: string): number {
  const text = headers.get(name) ?? ''
  if (/^\d{1,15}$/.test(text)) return Number(text)
  throw invalid([{ path: name, message: `${name} must be a number of bytes.` }])
}

const decoder = new TextDecoder('utf-8', { fatal: true })

const maxMetadataLength = 4096

/** @throws {Problem} 422 when it is malformed or too long */
export function uploadMetadataOf(headers: Headers): ReadonlyMap<string, string> {
  const metadata = headers.get('upload-metadata') ?? ''
  if (metadata.length > maxMetadataLength || /[^\t\x20-\x7e]/.test(metadata))
    throw invalid([
      { path: 'Upload-Metadata', message: `Upload-Metadata must be at most ${maxMetadataLength} ASCII characters.` },
    ])
  const pairs = metadata.split(',').flatMap((pair): [string, string][] => {
    const [key = '', value = ''] = pair.trim().split(' ')
    return key === '' ? [] : [[key, decodeValue(key, value)]]
  })
  return new Map(pairs)
}

function decodeValue(key: string, value: string): string {
  try {
    return decoder.decode(Uint8Array.fromBase64(value))
  } catch {
    throw invalid([{ path: `Upload-Metadata.${key}`, message: `The value of ${key} must be UTF-8 text as base64.` }])
  }
}
