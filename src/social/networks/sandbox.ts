import { z } from 'zod'
import { tracedFetch } from '#lib/telemetry.ts'
import { parseForm } from './form.ts'
import { classifyFailure, readRefusal } from './http.ts'
import { countGraphemes } from './limits.ts'
import { NotCreatedError, readStepRefusal, requestStep } from './not-created.ts'
import type {
  CorrectCall,
  CorrectionCheck,
  CorrectionOutcome,
  Network,
  NetworkCall,
  PublishCall,
  PublishOutcome,
  ReadBack,
  Receipt,
  Removal,
  RemoveCall,
  ConnectedAccount,
} from './network.ts'

/** It has no idempotency key, but it can be read back. */
export const sandbox: Network = {
  provider: 'sandbox',
  name: 'Sandbox',
  note: 'Test network. Nothing is actually published.',
  limits: {
    characters: 500,
    media: 4,
    firstComment: { characters: 500 },
    images: { bytes: 2_000_000, types: ['image/jpeg', 'image/png', 'image/webp', 'image/gif'] },
  },
  retrySafety: 'reconcile_only',
  connect: { by: 'form', signIn },
  count: countGraphemes,
  postIdOf: (permalink) => /\/dev\/sandbox\/[^/#]+#post-([0-9a-f-]{36})$/.exec(permalink)?.[1] ?? null,
  publish,
  readBack,
  firstComments: { publish, readBack },
  remove,
  corrections: { note: 'Readers see the new text, marked as edited.', correct, check },
}

const Created = z.object({ id: z.guid(), url: z.url() })
const Timeline = z.object({
  items: z.array(z.object({ id: z.guid(), text: z.string(), replyTo: z.guid().nullable() })),
})

const Form = z.object({
  handle: z
    .string('Enter a handle.')
    .trim()
    .regex(/^[a-z0-9_.-]{1,30}$/, 'Must be at most 30 lowercase letters, digits, dots, hyphens and underscores.'),
})

async function signIn(form: unknown): Promise<ConnectedAccount> {
  const { handle } = parseForm(Form, form)
  return { externalId: handle, name: handle, metadata: {}, tokens: {}, scopes: [] }
}

const urlOf = ({ outside, account }: NetworkCall, what: 'posts' | 'media'): URL =>
  new URL(`/dev/sandbox/api/accounts/${encodeURIComponent(account.externalId)}/${what}`, outside.hosts.sandbox)

const Uploaded = z.object({ id: z.guid() })

/** @throws NotCreatedError */
async function uploadMedia(call: PublishCall): Promise<{ id: string; alt: string }[]> {
  const media: { id: string; alt: string }[] = []
  for (const { contentType, alt, bytes } of call.media) {
    const headers = { 'content-type': contentType }
    const body = await bytes()
    const response = await requestStep('Sandbox', () =>
      tracedFetch(urlOf(call, 'media'), { method: 'POST', headers, body, signal: call.signal, keepalive: false }),
    )
    if (!response.ok) throw new NotCreatedError(await readStepRefusal('Sandbox', response))
    media.push({ id: Uploaded.parse(await response.json()).id, alt })
  }
  return media
}

async function publish(call: PublishCall): Promise<PublishOutcome> {
  try {
    const { text, replyTo, signal } = call
    const headers = { 'content-type': 'application/json' }
    const media = await uploadMedia(call)
    // This server or one that the operator set: not a URL that a person could choose.
    const response = await tracedFetch(urlOf(call, 'posts'), {
      method: 'POST',
      headers,
      body: JSON.stringify({ text, replyTo, ...(media.length > 0 && { media }) }),
      signal,
      // A reused connection that was closed in the meantime would look like a lost response.
      keepalive: false,
    })
    if (!response.ok) return readRefusal('Sandbox', response)
    const { id, url } = Created.parse(await response.json())
    return { kind: 'published', platformPostId: id, permalink: url }
  } catch (error) {
    return error instanceof NotCreatedError ? error.outcome : classifyFailure('Sandbox', error)
  }
}

async function readBack(call: PublishCall): Promise<ReadBack> {
  try {
    const url = urlOf(call, 'posts')
    url.searchParams.set('since', call.startedAt.toISOString())
    const response = await tracedFetch(url, { signal: call.signal })
    if (!response.ok) return describeUnreadable(response)
    const { items } = Timeline.parse(await response.json())
    return { kind: 'read', candidates: items.filter((item) => isSame(item, call)).map(({ id }) => receiptOf(call, id)) }
  } catch (error) {
    return { kind: 'unreadable', message: `Couldn’t read the sandbox: ${String(error)}`, final: false }
  }
}

const isSame = (item: { text: string; replyTo: string | null }, call: PublishCall): boolean =>
  item.text === call.text && item.replyTo === call.replyTo

const receiptOf = ({ outside, account }: PublishCall, id: string): Receipt => ({
  platformPostId: id,
  permalink: new URL(`/dev/sandbox/${encodeURIComponent(account.externalId)}#post-${id}`, outside.hosts.sandbox).href,
})

async function remove(call: RemoveCall): Promise<Removal> {
  try {
    const response = await tracedFetch(`${urlOf(call, 'posts')}/${call.platformPostId}`, {
      method: 'DELETE',
      signal: call.signal,
    })
    return response.ok || response.status === 404 ? { kind: 'removed' } : await readRefusal('Sandbox', response)
  } catch (error) {
    return classifyFailure('Sandbox', error)
  }
}

async function correct(call: CorrectCall): Promise<CorrectionOutcome> {
  try {
    const response = await tracedFetch(`${urlOf(call, 'posts')}/${call.platformPostId}`, {
      method: 'PATCH',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ text: call.text }),
      signal: call.signal,
      keepalive: false,
    })
    if (!response.ok) return await readRefusal('Sandbox', response)
    Created.parse(await response.json())
    return { kind: 'corrected' }
  } catch (error) {
    return classifyFailure('Sandbox', error)
  }
}

async function check(call: CorrectCall): Promise<CorrectionCheck> {
  try {
    const response = await tracedFetch(urlOf(call, 'posts'), { signal: call.signal })
    if (!response.ok) return { kind: 'unreadable', message: (await readRefusal('Sandbox', response)).message }
    const { items } = Timeline.parse(await response.json())
    const isCorrected = items.some(({ id, text }) => id === call.platformPostId && text === call.text)
    return { kind: isCorrected ? 'corrected' : 'not_corrected' }
  } catch (error) {
    return { kind: 'unreadable', message: classifyFailure('Sandbox', error).message }
  }
}

/** 501 and refusals are final; a busy or failing network can be asked again. */
const describeUnreadable = ({ status }: Response): ReadBack => ({
  kind: 'unreadable',
  message: `The sandbox responded with ${status} when its timeline was read.`,
  final: status === 501 || (status < 500 && status !== 429),
})
