import type { Call } from '#lib/call.ts'
import { OutboundError } from '#lib/outbound.ts'
import { storeHealth } from '../credentials/health.ts'
import { countProof } from '../credentials/proof.ts'
import type { Adapter, Answer, Part } from '../providers/adapter.ts'
import { failureOfError, failureOfResponse, type Failure } from '../providers/failure.ts'
import { authHeaders } from '../providers/headers.ts'
import { readEvents } from '../providers/sse-events.ts'
import type { Candidate } from './candidates.ts'

type Attempter = Pick<Call, 'upstreams' | 'config' | 'db' | 'now' | 'log'>

interface Attempt<Item> {
  candidate: Candidate
  adapter: Adapter<Item>
  body: string | FormData
  streams: boolean
}

export type Opened<Item> =
  | { kind: 'answer'; answer: Answer }
  | { kind: 'stream'; first: Part<Item>; rest: AsyncIterator<Part<Item>>; stop(): void }

/** `wasAccepted`: the provider began to respond, so it can bill for the attempt. */
export type Failed = { kind: 'failed'; failure: Failure; wasAccepted: boolean }

/** One request to one model, until its response or the first piece of it is there. It doesn’t end with the caller’s. */
export async function attempt<Item>(call: Attempter, options: Attempt<Item>): Promise<Opened<Item> | Failed> {
  const { candidate } = options
  const { id, old } = candidate.credential
  const result = await attemptOnce(call, options)
  if (!old || id === null) return result
  // A key that the provider rejects costs the caller nothing while the old one is valid (GTW-03).
  if (result.kind === 'failed' && result.failure.rejectedKey)
    return attemptOnce(call, { ...options, candidate: { ...candidate, credential: old } })
  if (result.kind !== 'failed')
    countProof(call, id).catch((error: unknown) => call.log.warn('proof of a key not stored', { id, error }))
  return result
}

async function attemptOnce<Item>(call: Attempter, options: Attempt<Item>): Promise<Opened<Item> | Failed> {
  const { provider, credential } = options.candidate
  const { AI_RESPONSE_MS: responseMs } = call.config
  const end = new AbortController()
  let late: OutboundError | undefined
  const timer = setTimeout(() => {
    late = new OutboundError('timed_out', `${provider} didn’t respond within ${responseMs / 1000} s.`)
    end.abort(late)
  }, responseMs)
  let wasAccepted = false
  try {
    const response = await send(call, options, end.signal)
    if (!response.ok) {
      const failure = await failureOfResponse(credential, response)
      if (failure.rejectedKey && credential.id !== null) noteRejection(call, credential.id, failure)
      return { kind: 'failed', failure, wasAccepted: false }
    }
    wasAccepted = true
    return await open(response, options, () => end.abort())
  } catch (error) {
    end.abort()
    return { kind: 'failed', failure: failureOfError(provider, late ?? error), wasAccepted }
  } finally {
    clearTimeout(timer)
  }
}

async function send<Item>(
  { upstreams }: Attempter,
  { candidate, adapter, body }: Attempt<Item>,
  signal: AbortSignal,
): Promise<Response> {
  const { credential, dialect } = candidate
  const headers = {
    ...authHeaders(dialect, credential.apiKey),
    ...(typeof body === 'string' && { 'content-type': 'application/json' }),
    ...adapter.headers,
  }
  return upstreams.fetch(credential, adapter.path, { method: 'POST', headers, body, signal })
}

async function open<Item>(
  response: Response,
  { adapter, streams }: Attempt<Item>,
  stop: () => void,
): Promise<Opened<Item>> {
  if (!streams)
    return { kind: 'answer', answer: adapter.read(await (adapter.isText ? response.text() : response.json())) }
  if (!response.body) throw new Error('The provider’s stream has no body')
  const rest = adapter.parts(readEvents(response.body))[Symbol.asyncIterator]()
  const first = await rest.next()
  if (first.done) throw new Error('The provider’s stream is empty')
  return { kind: 'stream', first: first.value, rest, stop }
}

/** People see it where they can replace the key; the caller doesn’t wait for it. */
function noteRejection({ db, now, log }: Attempter, id: string, { problem }: Failure): void {
  const check = { healthy: false, checkedAt: now(), error: problem.message }
  storeHealth(db, id, check).catch((error: unknown) => log.warn('credential health not stored', { id, error }))
}
