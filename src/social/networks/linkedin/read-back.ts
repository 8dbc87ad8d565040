import { z } from 'zod'
import { classifyFailure } from '../http.ts'
import type { PublishCall, ReadBack, Receipt } from '../network.ts'
import { interpretRefusal, request } from './api.ts'
import { toLittleText } from './little-text.ts'
import { authorOf, commentReceiptOf, postOf, receiptOf, Urn } from './publish.ts'

const Posts = z.object({
  elements: z.array(z.object({ id: Urn, commentary: z.string().catch(''), createdAt: z.number() })),
})
const Comments = z.object({
  elements: z.array(
    z.object({
      id: z.string().regex(/^\d{1,30}$/),
      actor: z.string(),
      commentUrn: z.string().optional(),
      message: z.object({ text: z.string() }),
    }),
  ),
})

/** How far the clock of LinkedIn can be behind ours. */
const clockSkewMs = 60_000

/** Finds the posts of a Page since the attempt began with the same text, oldest first. */
export async function readBack(call: PublishCall): Promise<ReadBack> {
  try {
    const response = await request(call, pathOf(call), 'GET')
    if (!response.ok) {
      const outcome = await interpretRefusal(response)
      const final = outcome.kind === 'refused' && !outcome.transient
      return { kind: 'unreadable', message: outcome.message, final }
    }
    return { kind: 'read', candidates: candidatesOf(call, await response.json()) }
  } catch (error) {
    return { kind: 'unreadable', message: classifyFailure('LinkedIn', error).message, final: false }
  }
}

function pathOf(call: PublishCall): string {
  if (call.replyTo !== null) return `/rest/socialActions/${encodeURIComponent(postOf(call.replyTo))}/comments`
  return `/rest/posts?${new URLSearchParams({ q: 'author', author: authorOf(call), count: '50', sortBy: 'CREATED' })}`
}

function candidatesOf(call: PublishCall, body: unknown): Receipt[] {
  const { replyTo, text, startedAt } = call
  if (replyTo === null)
    return Posts.parse(body)
      .elements.filter(
        ({ commentary, createdAt }) =>
          commentary === toLittleText(text) && createdAt >= startedAt.getTime() - clockSkewMs,
      )
      .map(({ id }) => receiptOf(id))
      .toReversed()
  const post = postOf(replyTo)
  return Comments.parse(body)
    .elements.filter(({ actor, message }) => actor === authorOf(call) && message.text === text)
    .map(({ id, commentUrn }) => commentReceiptOf(post, id, commentUrn ?? `urn:li:comment:(${post},${id})`))
}
