import { z } from 'zod'
import { classifyFailure } from '../http.ts'
import type { PublishCall, PublishOutcome, Receipt } from '../network.ts'
import { unexpectedResponse } from '../not-created.ts'
import { request, type GraphApi } from './api.ts'
import { containerOf, GraphId } from './containers.ts'
import { interpretRefusal } from './refusal.ts'

interface Publishing {
  path: string
  /** Where the account’s posts are, for when a post’s own link can’t be read. */
  profileUrl: string
}

/** Publishes a container, which can be done once. */
export async function publishContainer(
  api: GraphApi,
  call: PublishCall,
  { path, profileUrl }: Publishing,
): Promise<PublishOutcome> {
  const container = containerOf(call.prepared)
  if (container === null) return unexpectedResponse(api.name).outcome
  try {
    const form = { creation_id: container }
    const response = await request(api, call, path, { method: 'POST', form })
    if (!response.ok) return await interpretPublishRefusal(api, response)
    const { id } = GraphId.parse(await response.json())
    return { kind: 'published', ...(await receiptOf(api, call, id, profileUrl)) }
  } catch (error) {
    return classifyFailure(api.name, error)
  }
}

/** Meta can have published what it reports as a fault. */
export async function interpretPublishRefusal(
  { name }: GraphApi,
  response: Response,
  what: 'post' | 'comment' = 'post',
): Promise<PublishOutcome> {
  const outcome = await interpretRefusal(name, response, what)
  return outcome.kind === 'refused' && outcome.code === 'provider_error'
    ? { kind: 'unclear', code: 'provider_error', message: outcome.message }
    : outcome
}

const Shown = z.object({ permalink: z.url() })

async function receiptOf(api: GraphApi, call: PublishCall, id: string, profileUrl: string): Promise<Receipt> {
  const shown = await request(api, call, `/${id}`, { query: { fields: 'permalink' } })
    .then(async (response) => Shown.safeParse(await response.json()))
    .catch(() => null)
  return { platformPostId: id, permalink: shown?.data?.permalink ?? profileUrl }
}
