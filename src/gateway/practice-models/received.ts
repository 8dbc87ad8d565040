import { digest } from '#lib/ids.ts'
import type { PracticeModelRequest } from './contract.ts'

interface Received extends Omit<PracticeModelRequest, 'at'> {
  at: Date
}

export interface ReceivedRequests {
  /** Its `model` and `status` are added once they are known. */
  add(request: Omit<Received, 'keyEnding'>, apiKey: string | null): Received
  list(apiKey?: string): Received[]
}

const most = 200
const maxBodyBytes = 64 * 1024
const credentials = new Set(['authorization', 'x-api-key', 'cookie', 'proxy-authorization'])
const maxHeaderLength = 500

export const headersWithoutCredentials = (headers: Headers): PracticeModelRequest['headers'] =>
  [...headers]
    .filter(([name]) => !credentials.has(name))
    .map(([name, value]) => ({ name, value: value.slice(0, maxHeaderLength) }))

export function createReceivedRequests(): ReceivedRequests {
  const kept: { request: Received; keyDigest: string | null }[] = []
  return {
    add: ({ body, ...given }, apiKey) => {
      const request = {
        ...given,
        body: given.bytes > maxBodyBytes ? null : body,
        keyEnding: apiKey && apiKey.length > 8 ? apiKey.slice(-4) : null,
      }
      kept.push({ request, keyDigest: apiKey && digest(apiKey) })
      if (kept.length > most) kept.shift()
      return request
    },
    list: (apiKey) => {
      const wanted = apiKey === undefined ? undefined : digest(apiKey)
      return kept
        .filter(({ keyDigest }) => wanted === undefined || keyDigest === wanted)
        .map(({ request }) => request)
        .reverse()
    },
  }
}
