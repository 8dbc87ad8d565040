import { z } from 'zod'
import { plainText } from '#lib/text.ts'
import type { OutgoingMedia, PublishCall, NetworkCall } from '../network.ts'
import { NotCreatedError, unexpectedResponse, requestStep } from '../not-created.ts'
import { parseMetadata } from './instance.ts'
import { interpretUploadRefusal } from './refusal.ts'

const Tokens = z.object({ access: z.string() })

interface Request {
  method?: string
  json?: unknown
  body?: FormData
  headers?: Record<string, string>
}

/** Throws like `fetch`. */
export function request(
  { account, outside, signal }: NetworkCall,
  path: string,
  { json, body, headers, ...rest }: Request = {},
): Promise<Response> {
  const { access } = Tokens.parse(account.tokens)
  return outside.fetch(new URL(path, parseMetadata(account.metadata).origin), {
    ...rest,
    body: json === undefined ? body : JSON.stringify(json),
    headers: {
      accept: 'application/json',
      authorization: `Bearer ${access}`,
      ...(json !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    signal,
  })
}

/** Numbers on Mastodon, any text except path segments such as `..` on other servers. */
export const StatusId = plainText(200).refine((id) => !['', '.', '..'].includes(id))

/** `url` is where people see the status; null unless it is safe to link to. */
export const Status = z.object({
  id: StatusId,
  url: plainText(2000)
    .pipe(z.url({ protocol: /^https?$/ }))
    .nullable()
    .catch(null),
})

const Attachment = z.object({ id: z.string() })

/** @throws NotCreatedError */
export async function uploadMedia(call: PublishCall): Promise<string[]> {
  const files: { id: string; isReady: boolean }[] = []
  // One at a time, to hold only one file in memory. Then the instance processes all of them at the same time.
  for (const media of call.media) files.push(await upload(call, media))
  await Promise.all(files.filter(({ isReady }) => !isReady).map(({ id }) => waitUntilProcessed(call, id)))
  return files.map(({ id }) => id)
}

async function upload(call: PublishCall, { contentType, alt, bytes }: OutgoingMedia) {
  const body = new FormData()
  body.set('file', new Blob([await bytes()], { type: contentType }), 'file')
  body.set('description', alt)
  const send = (path: string) => requestStep('Mastodon', () => request(call, path, { method: 'POST', body }))
  const current = await send('/api/v2/media')
  // Before Mastodon 3.1.3, and on some other servers, there is only the older one, which responds when the file is processed.
  const response = [404, 405, 501].includes(current.status) ? await send('/api/v1/media') : current
  const { id } = await readAttachment(response)
  return { id, isReady: response.status !== 202 }
}

async function readAttachment(response: Response): Promise<{ id: string }> {
  if (!response.ok) throw new NotCreatedError(await interpretUploadRefusal(response))
  const attachment = Attachment.safeParse(await response.json().catch(() => null))
  if (!attachment.success) throw unexpectedResponse('Mastodon')
  return attachment.data
}

const pollMs = 300

/** Waits while the instance processes a file (206), at most until the call's timeout. */
async function waitUntilProcessed(call: PublishCall, id: string): Promise<void> {
  for (;;) {
    await Bun.sleep(pollMs)
    const response = await requestStep('Mastodon', () => request(call, `/api/v1/media/${encodeURIComponent(id)}`))
    if (response.status !== 206) return void (await readAttachment(response))
  }
}
