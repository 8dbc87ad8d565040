import { z } from 'zod'
import { plainText } from '#lib/text.ts'
import type { OutgoingMedia, PublishCall, NetworkCall } from '../network.ts'
import { NotMade, refusedStep, senseless, step } from '../not-made.ts'
import { keptOf } from './instance.ts'

const Tokens = z.object({ access: z.string() })

interface Request {
  method?: string
  json?: unknown
  body?: FormData
  headers?: Record<string, string>
}

/** Calls the account's instance as the account. Throws as `fetch` does. */
export function ask(
  { account, outside, signal }: NetworkCall,
  path: string,
  { json, body, headers, ...rest }: Request = {},
): Promise<Response> {
  const { access } = Tokens.parse(account.tokens)
  return outside.fetch(new URL(path, keptOf(account.metadata).origin), {
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

/** Numbers on Mastodon, anything but steps of a path on other servers. */
export const StatusId = plainText(200).refine((id) => !['', '.', '..'].includes(id))

/** What an instance calls a status, and where people see it: null unless a browser may be led there. */
export const Status = z.object({
  id: StatusId,
  url: plainText(2000)
    .pipe(z.url({ protocol: /^https?$/ }))
    .nullable()
    .catch(null),
})

const Attachment = z.object({ id: z.string() })

/** The ids of the post's files on the instance, in order and ready to be used. Throws NotMade. */
export async function uploaded(call: PublishCall): Promise<string[]> {
  const files: { id: string; isReady: boolean }[] = []
  // One at a time: a file is as much as memory may hold at once. Then the instance works on all of them together.
  for (const media of call.media) files.push(await upload(call, media))
  await Promise.all(files.filter(({ isReady }) => !isReady).map(({ id }) => processed(call, id)))
  return files.map(({ id }) => id)
}

async function upload(call: PublishCall, { contentType, alt, bytes }: OutgoingMedia) {
  const body = new FormData()
  body.set('file', new Blob([await bytes()], { type: contentType }), 'file')
  body.set('description', alt)
  const response = await step('Mastodon', () => ask(call, '/api/v2/media', { method: 'POST', body }))
  const { id } = await attachmentIn(response)
  return { id, isReady: response.status !== 202 }
}

async function attachmentIn(response: Response): Promise<{ id: string }> {
  if (response.status === 401) throw unauthorized('Mastodon no longer accepts the access token.')
  if (!response.ok) throw new NotMade(await refusedStep('Mastodon', response))
  const attachment = Attachment.safeParse(await response.json().catch(() => null))
  if (!attachment.success) throw senseless('Mastodon')
  return attachment.data
}

const unauthorized = (message: string): NotMade => new NotMade({ kind: 'unauthorized', message })

/** Milliseconds between looks at a file that the instance works on. */
const pollEvery = 300

/** Waits while the instance works on a file (206); its time-out ends that as it ends each call. */
async function processed(call: PublishCall, id: string): Promise<void> {
  for (;;) {
    await Bun.sleep(pollEvery)
    const response = await step('Mastodon', () => ask(call, `/api/v1/media/${encodeURIComponent(id)}`))
    if (response.status !== 206) return void (await attachmentIn(response))
  }
}
