import { z } from 'zod'
import { request, type GraphApi } from '../graph/api.ts'
import type { NetworkCall, Receipt } from '../network.ts'

export const api: GraphApi = { name: 'Threads', origin: 'https://graph.threads.net/v1.0' }

export const scopes = ['threads_basic', 'threads_content_publish'] as const

const StoredAccount = z.object({ username: z.string() })
const Shown = z.object({ permalink: z.url() })

/** The post is published: a link to the account is good enough when its own can’t be read. */
export async function receiptOf(call: NetworkCall, id: string): Promise<Receipt> {
  const { username } = StoredAccount.parse(call.account.metadata)
  const shown = await request(api, call, `/${id}`, { query: { fields: 'permalink' } })
    .then(async (response) => Shown.safeParse(await response.json()))
    .catch(() => null)
  return { platformPostId: id, permalink: shown?.data?.permalink ?? `https://www.threads.net/@${username}` }
}
