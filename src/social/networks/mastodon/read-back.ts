import { z } from 'zod'
import { classifyFailure, readRefusal } from '../http.ts'
import type { PublishCall, ReadBack, Receipt } from '../network.ts'
import { parseMetadata } from './instance.ts'
import { request, Status } from './status.ts'

const Statuses = z.array(
  Status.extend({
    created_at: z.string(),
    in_reply_to_id: z.string().nullable(),
    content: z.string().catch(''),
  }),
)
type ListedStatus = z.output<typeof Statuses>[number]
const Source = z.object({ text: z.string() })

/** How far the instance's clock can be behind ours. */
const clockSkewMs = 60_000
/** The most statuses that Mastodon puts on a page. Servers can put fewer there, also when more pages follow. */
const pageSize = 40
/** Enough for 1,000 statuses on pages of 20. */
const maxPages = 50
const concurrency = 8

/** Finds the statuses since the attempt began with the same text and predecessor, oldest first. */
export async function readBack(call: PublishCall): Promise<ReadBack> {
  try {
    const listed = await listSince(call, call.startedAt.getTime() - clockSkewMs)
    if (!Array.isArray(listed)) return listed
    const near = listed.filter((status) => status.in_reply_to_id === call.replyTo).toReversed()
    const candidates: Receipt[] = []
    for (let at = 0; at < near.length; at += concurrency) {
      const some = near.slice(at, at + concurrency)
      const same = await Promise.all(some.map((status) => hasSameText(call, status)))
      candidates.push(...some.filter((_, index) => same[index]).map((status) => receiptOf(call, status)))
    }
    return { kind: 'read', candidates }
  } catch (error) {
    return { kind: 'unreadable', message: classifyFailure('Mastodon', error).message, final: false }
  }
}

/** Others can have been published in the meantime, so it reads all pages. */
async function listSince(call: PublishCall, since: number): Promise<ListedStatus[] | ReadBack> {
  const { accountId } = parseMetadata(call.account.metadata)
  const path = `/api/v1/accounts/${encodeURIComponent(accountId)}/statuses`
  const query = new URLSearchParams({ limit: String(pageSize), exclude_reblogs: 'true' })
  const listed = new Map<string, ListedStatus>()
  for (let page = 0; page < maxPages; page++) {
    const response = await request(call, `${path}?${query}`)
    if (!response.ok) return readUnreadable(response)
    const statuses = Statuses.parse(await response.json())
    const known = listed.size
    for (const status of statuses) if (Date.parse(status.created_at) >= since) listed.set(status.id, status)
    const oldest = statuses.at(-1)
    // No status is new on a page of a server that doesn't know `max_id`.
    if (!oldest || Date.parse(oldest.created_at) < since || listed.size === known) return [...listed.values()]
    query.set('max_id', oldest.id)
  }
  const message = `Mastodon has more than ${listed.size - 1} newer statuses of this account.`
  return { kind: 'unreadable', message, final: true }
}

/** The text of a status is HTML; its source is what was sent. Mastodon before 4.0 and other servers have no source. */
async function hasSameText(call: PublishCall, { id, content }: ListedStatus): Promise<boolean> {
  const response = await request(call, `/api/v1/statuses/${encodeURIComponent(id)}/source`)
  if ([404, 405, 501].includes(response.status)) return comparable(textOf(content)) === comparable(call.text)
  const { text } = Source.parse(await response.json())
  return text.trim() === call.text.trim()
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }

/** A server can send megabytes, which no status is. */
const maxHtml = 200_000

const textOf = (html: string): string =>
  html
    .slice(0, maxHtml)
    // Without `<` inside, so that the time stays linear.
    .replaceAll(/<[^<>]*>/g, '')
    .replaceAll(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w{1,10}));/gi, (whole, decimal, hex, name) => {
      const code = decimal ? Number(decimal) : hex ? Number.parseInt(hex, 16) : null
      if (code !== null) return code <= 0x10ffff ? String.fromCodePoint(code) : whole
      return entities[String(name).toLowerCase()] ?? whole
    })

/** Servers show mentions without their server, and paragraphs instead of line breaks. */
const comparable = (text: string): string =>
  text
    .replaceAll(/(@[\w.-]+)@[\w.-]+/g, '$1')
    .replaceAll(/\s/g, '')
    .normalize('NFC')

export const receiptOf = (
  { account }: Pick<PublishCall, 'account'>,
  { id, url }: { id: string; url: string | null },
): Receipt => ({
  platformPostId: id,
  permalink: url ?? new URL(`/web/statuses/${encodeURIComponent(id)}`, parseMetadata(account.metadata).origin).href,
})

async function readUnreadable(response: Response): Promise<ReadBack> {
  const { message } = await readRefusal('Mastodon', response)
  return { kind: 'unreadable', message, final: [401, 403, 404].includes(response.status) }
}
