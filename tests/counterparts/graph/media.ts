import { graphError, type GraphFault } from './errors.ts'

/** A file that the network fetched. */
export interface Fetched {
  url: string
  type: string
  bytes: Uint8Array
}

export const fetchFault: GraphFault = {
  code: 9004,
  subcode: 2_207_052,
  message: 'Only photo or video can be accepted as media type.',
  title: 'Media download has failed. The media URI doesn’t meet our requirements.',
  explanation: 'The media could not be fetched from this URI.',
}

/** Fetches media as the networks do, without credentials. @throws when it isn't public, or not of these types. */
export async function fetchMedia(url: string, types: string[]): Promise<Fetched> {
  const response = await fetch(url, { signal: AbortSignal.timeout(10_000) }).catch(() => null)
  const type = response?.headers.get('content-type')?.split(';')[0] ?? ''
  if (!response?.ok || !types.includes(type)) throw graphError(fetchFault)
  return { url, type, bytes: await response.bytes() }
}
