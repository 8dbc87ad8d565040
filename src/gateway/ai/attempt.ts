import type { Call } from '#lib/call.ts'
import { OutboundError } from '#lib/outbound.ts'
import { storeHealth } from '../credentials/health.ts'
import { countProof } from '../credentials/proof.ts'
import { StreamedError, type Adapter, type Answer, type Part } from '../providers/adapter.ts'
import type { FormBody, FormUpload } from '../providers/form-body.ts'
import { failureOfError, failureOfResponse, type Failure } from '../providers/failure.ts'
import { authHeaders } from '../providers/headers.ts'
import { readEvents } from '../providers/sse-events.ts'
import type { Candidate } from './candidates.ts'

type Attempter = Pick<Call, 'upstreams' | 'config' | 'db' | 'now' | 'log' | 'signal'>

interface Attempt<Item> {
  organizationId: string
  candidate: Candidate
  adapter: Adapter<Item>
  body: string | FormBody
  streams: boolean
}

export type Opened<Item> =
  | { kind: 'answer'; answer: Answer }
  | { kind: 'stream'; first: Part<Item>; rest: AsyncIterator<Part<Item>>; stop(): void }

export type Failed = { kind: 'failed'; failure: Failure }

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
  const upload = typeof options.body === 'string' ? null : options.body.open()
  // From then on the provider works, and bills.
  const leave = () => {
    if (upload?.isSent !== false || end.signal.aborted) return
    late = new OutboundError('canceled', 'The caller hung up before the form was sent.')
    end.abort(late)
  }
  if (upload) {
    call.signal.addEventListener('abort', leave)
    if (call.signal.aborted) leave()
  }
  try {
    const response = await send(call, options, upload, end)
    if (!response.ok) {
      const failure = await failureOfResponse(credential, response)
      if (failure.rejectedKey && credential.id !== null) noteRejection(call, credential.id, failure)
      return { kind: 'failed', failure }
    }
    wasAccepted = true
    return await open(response, options, () => end.abort())
  } catch (error) {
    end.abort()
    const failure = failureOfError(provider, late ?? error)
    // An error instead of a stream is one like a status of 500.
    const mayBeBilled = wasAccepted ? !(error instanceof StreamedError) : failure.mayBeBilled
    return { kind: 'failed', failure: { ...failure, mayBeBilled } }
  } finally {
    clearTimeout(timer)
    if (upload) call.signal.removeEventListener('abort', leave)
  }
}

async function send<Item>(
  { upstreams }: Attempter,
  { organizationId, candidate, adapter, body }: Attempt<Item>,
  upload: FormUpload | null,
  end: AbortController,
): Promise<Response> {
  const { credential, dialect } = candidate
  const content = typeof body === 'string' ? { type: 'application/json' } : body
  const headers = {
    ...authHeaders(dialect, credential.apiKey),
    'content-type': content.type,
    ...('length' in content && { 'content-length': String(content.length) }),
    ...adapter.headers,
  }
  return upstreams.fetch(credential, adapter.path, {
    method: 'POST',
    headers,
    body: typeof body === 'string' ? body : () => (upload ?? body.open()).stream(),
    end,
    organizationId,
  })
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
