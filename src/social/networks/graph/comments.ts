import { z } from 'zod'
import { classifyFailure } from '../http.ts'
import { describeMissingScope } from '../limits.ts'
import type { FirstComments, NetworkCall, PublishCall, PublishOutcome, ReadBack, Receipt } from '../network.ts'
import { request, type GraphApi } from './api.ts'
import { interpretPublishRefusal } from './publish.ts'
import { interpretRefusal, isMissing } from './refusal.ts'

const Created = z.object({ id: z.string().regex(/^\d{1,30}(_\d{1,30})?$/) })

const Listed = Created.extend({
  text: z.string().optional(),
  message: z.string().optional(),
  username: z.string().optional(),
  from: z.object({ id: z.string() }).optional().catch(undefined),
})
type ListedComment = z.output<typeof Listed>

const List = z.object({
  data: z.array(Listed),
  paging: z
    .object({ cursors: z.object({ after: z.string().optional() }) })
    .optional()
    .catch(undefined),
})

const pageSize = 50
const maxPages = 5

interface CommentFacts {
  scope: string
  /** Of a list of comments. */
  query: Record<string, string>
  /** Undefined where the network doesn’t say. */
  authorOf(comment: ListedComment): string | undefined
  /** The account, as its comments name it. */
  selfOf(call: NetworkCall): string
  /** Without it, comments have no link. */
  linkTo?(id: string, call: PublishCall): string
}

/** Comments of an account on its own posts. */
export const createComments = (api: GraphApi, facts: CommentFacts): FirstComments => ({
  scope: facts.scope,
  publish: (call) => publish(api, call, facts),
  readBack: (call) => readBack(api, call, facts),
})

const pathOf = ({ replyTo }: PublishCall): string => `/${replyTo}/comments`

const receiptOf = (id: string, call: PublishCall, { linkTo }: CommentFacts): Receipt => ({
  platformPostId: id,
  permalink: linkTo?.(id, call) ?? '',
})

async function publish(api: GraphApi, call: PublishCall, facts: CommentFacts): Promise<PublishOutcome> {
  try {
    const response = await request(api, call, pathOf(call), { method: 'POST', form: { message: call.text } })
    if (!response.ok) return await interpretCommentRefusal(api, response)
    const { id } = Created.parse(await response.json())
    return { kind: 'published', ...receiptOf(id, call, facts) }
  } catch (error) {
    return classifyFailure(api.name, error)
  }
}

async function interpretCommentRefusal(api: GraphApi, response: Response): Promise<PublishOutcome> {
  const { name } = api
  if (await isMissing(response))
    return { kind: 'refused', code: 'post_missing', message: `The post is no longer on ${name}.`, transient: false }
  const outcome = await interpretPublishRefusal(api, response, 'comment')
  if (outcome.kind !== 'refused' || outcome.code !== 'permission_missing') return outcome
  return { ...outcome, message: describeMissingScope(name) }
}

/** Comments of the account with the same text, oldest first. */
async function readBack(api: GraphApi, call: PublishCall, facts: CommentFacts): Promise<ReadBack> {
  const found: Receipt[] = []
  const next: Record<string, string> = { ...facts.query, limit: String(pageSize) }
  try {
    for (let page = 0; page < maxPages; page++) {
      const response = await request(api, call, pathOf(call), { query: next })
      if (!response.ok) {
        const outcome = await interpretRefusal(api.name, response)
        const final = outcome.kind === 'unauthorized' || (outcome.kind === 'refused' && !outcome.transient)
        return { kind: 'unreadable', message: outcome.message, final }
      }
      const { data, paging } = List.parse(await response.json())
      const same = data.filter(({ message, text = '' }) => (message ?? text).trim() === call.text.trim())
      if (same.some((comment) => facts.authorOf(comment) === undefined))
        return {
          kind: 'unreadable',
          message: `${api.name} doesn’t say who wrote the comment.`,
          final: true,
          listsSame: true,
        }
      const own = same.filter((comment) => facts.authorOf(comment) === facts.selfOf(call))
      found.push(...own.map(({ id }) => receiptOf(id, call, facts)))
      const after = paging?.cursors.after
      if (found.length > 0 || data.length < pageSize || after === undefined) return { kind: 'read', candidates: found }
      next['after'] = after
    }
  } catch (error) {
    return { kind: 'unreadable', message: classifyFailure(api.name, error).message, final: false }
  }
  return { kind: 'unreadable', message: `${api.name} lists too many comments to find this one.`, final: true }
}
