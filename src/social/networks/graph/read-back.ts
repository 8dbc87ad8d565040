import { z } from 'zod'
import { classifyFailure } from '../http.ts'
import type { PublishCall, ReadBack } from '../network.ts'
import { NotCreatedError } from '../not-created.ts'
import { request, type GraphApi } from './api.ts'
import { containerOf, getContainer, type ContainerPlan } from './containers.ts'
import { interpretRefusal } from './refusal.ts'

const Listed = z.object({
  id: z.string().regex(/^\d{1,30}(_\d{1,30})?$/),
  text: z.string().optional(),
  caption: z.string().optional(),
  message: z.string().optional(),
  media_type: z.string().optional(),
  timestamp: z.string().optional(),
  created_time: z.string().optional(),
  permalink: z.url().optional(),
  permalink_url: z.url().optional(),
})
type ListedPost = z.output<typeof Listed>
const List = z.object({
  data: z.array(Listed),
  paging: z
    .object({ cursors: z.object({ after: z.string().optional() }) })
    .optional()
    .catch(undefined),
})

/** How far Meta’s clock can be behind ours. */
const clockSkewMs = 60_000
const maxPages = 5
const pageSize = 100

interface Reading {
  field: ContainerPlan['statusField']
  /** Null where the network doesn’t list such posts. */
  listing: Listing | null
}

/** A container is published at most once, and says whether it was. Which post it became, a list says. */
export async function readContainerBack(api: GraphApi, call: PublishCall, reading: Reading): Promise<ReadBack> {
  const container = containerOf(call.prepared)
  const state = container === null ? null : await readState(api, call, container, reading.field)
  if (state !== null && typeof state !== 'string') return state
  if (state !== null && state !== 'PUBLISHED') return { kind: 'read', candidates: [] }
  if (!reading.listing)
    return {
      kind: 'unreadable',
      message: `${api.name} doesn’t list the replies of an account for Atrium.`,
      final: true,
    }
  const found = await readRecent(api, call, reading.listing)
  if (state === null || found.kind !== 'read' || found.candidates.length > 0) return found
  return { kind: 'unreadable', message: `${api.name} published the post, and doesn’t list it yet.`, final: false }
}

async function readState(
  api: GraphApi,
  call: PublishCall,
  container: string,
  field: ContainerPlan['statusField'],
): Promise<string | ReadBack> {
  try {
    return (await getContainer(api, call, container, field)).status
  } catch (error) {
    if (!(error instanceof NotCreatedError)) throw error
    const { kind, message } = error.outcome
    return { kind: 'unreadable', message, final: kind === 'unauthorized' }
  }
}

interface Listing {
  path: string
  fields: string
  isSame(post: ListedPost): boolean
}

/** Finds the posts since the attempt began that could be this one, oldest first. Lists are newest first. */
export async function readRecent(
  api: GraphApi,
  call: PublishCall,
  { path, fields, isSame }: Listing,
): Promise<ReadBack> {
  const sinceMs = call.startedAt.getTime() - clockSkewMs
  const query: Record<string, string> = { fields, limit: String(pageSize), since: String(Math.floor(sinceMs / 1000)) }
  const found: ListedPost[] = []
  try {
    for (let page = 0; page < maxPages; page++) {
      const response = await request(api, call, path, { query })
      if (!response.ok) {
        const { kind, message } = await interpretRefusal(api.name, response)
        return { kind: 'unreadable', message, final: kind === 'unauthorized' }
      }
      const { data, paging } = List.parse(await response.json())
      const recent = data.filter(
        ({ created_time: time, timestamp = time }) => !timestamp || Date.parse(timestamp) >= sinceMs,
      )
      found.push(...recent.filter(isSame))
      const after = paging?.cursors.after
      if (recent.length < pageSize || after === undefined) break
      query['after'] = after
    }
  } catch (error) {
    return { kind: 'unreadable', message: classifyFailure(api.name, error).message, final: false }
  }
  const candidates = found
    .toReversed()
    .flatMap(({ id, permalink, permalink_url: url = permalink }) =>
      url === undefined ? [] : [{ platformPostId: id, permalink: url }],
    )
  return { kind: 'read', candidates }
}

/** Of a post with these files, as the Graph APIs name it; `plain` without files. */
export function mediaTypeOf([first, ...others]: PublishCall['media'], plain = 'TEXT_POST'): string {
  if (!first) return plain
  if (others.length > 0) return 'CAROUSEL_ALBUM'
  return first.contentType.startsWith('video/') ? 'VIDEO' : 'IMAGE'
}
