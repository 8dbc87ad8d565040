import { recordChange } from '#lib/audit.ts'
import { databaseTime } from '#lib/db/time.ts'
import { type FieldError, invalid } from '#lib/errors.ts'
import type { ChangeCall } from '../change-call.ts'
import * as brands from '../brands/brands.ts'
import { publishPostChanges } from './publish-changes.ts'
import { chooseMediaOfPosts } from '../media/in-posts.ts'
import { requireNetworkAccess } from '../access/test-keys.ts'
import { notOffered, requireAccount, unsendable } from './checks.ts'
import type { PostDraft } from './input.ts'
import { plan, type Planned } from './plan.ts'
import { publishingTime } from './time.ts'
import { recorded, type PostRow } from './posts.ts'
import { posts } from '../schema.ts'
import { asDraft, asScheduled } from './transitions.ts'

/** What one submission made: a post, a thread, or a group of either, one for each target. */
export type Composed = PostRow | { threadId: string; items: PostRow[] } | { groupId: string; items: PostRow[] }

/** Keeps a submission as drafts, or schedules it. Throws 403, 404 and 422. */
export async function compose(act: ChangeCall, draft: PostDraft): Promise<Composed> {
  const brand = await brands.get(act.db, act.actor, draft.brandId)
  const planned = plan(act, draft, stateOf(draft, draft.timeZone ?? brand.timeZone, await databaseTime(act.db)))
  for (const { row } of planned) requireNetworkAccess(act.actor, row.provider)
  throwAny(planned.flatMap(({ row, paths }) => notOffered(act.config, row.provider, paths.provider)))
  await requireAccounts(act, planned)
  const media = await chooseMediaOfPosts(act.db, brand.id, planned)
  planned.forEach(({ row }, at) => (row.media = media[at]))
  requireModest(planned)
  if (draft.status === 'scheduled') await requireAllSendable(act, planned)
  const rows = planned.map(({ row }) => row)
  const made = await act.db.insert(posts).values(rows).returning()
  for (const post of made) recordChange(act.db, { object: 'post', id: post.id, after: recorded(post) })
  await publishPostChanges(act, made)
  return shaped(made, draft)
}

function stateOf(draft: PostDraft, timeZone: string, now: Date) {
  if (!draft.scheduledAt) return asDraft
  return asScheduled(publishingTime(draft.scheduledAt, timeZone, now))
}

/** Throws 422 unless each target is an account of the brand. */
async function requireAccounts({ db }: ChangeCall, planned: readonly Planned[]): Promise<void> {
  const heads = planned.filter(({ row }) => !row.position)
  const known = new Map<string, number>()
  for (const [at, { row, paths }] of heads.entries()) {
    const { pageId, groupId, organizationId, accountId, threadAccountId } = row.target ?? {}
    const account = await requireAccount(db, row, paths.target)
    const place = JSON.stringify([row.provider, account, pageId, groupId, organizationId, accountId, threadAccountId])
    const first = known.get(place)
    if (first !== undefined)
      throw invalid([{ path: `targets.${at}`, message: `Must be a different account from that of targets.${first}.` }])
    known.set(place, at)
  }
}

/** Bytes of JSON that the contents of one submission's posts have together at most: what it stores and answers. */
const mostBytes = 1_000_000

/** Throws 422 for a submission whose few texts would be stored and answered a hundred times over. */
function requireModest(planned: readonly Planned[]): void {
  let bytes = 0
  for (const { row, paths } of planned) {
    bytes += Buffer.byteLength(JSON.stringify([row.text, row.media, row.tags, row.target]))
    if (bytes <= mostBytes) continue
    const message = `The posts of one request can have at most ${mostBytes / 1_000_000} MB of text together. Send fewer targets or less text.`
    throw invalid([{ path: paths.text, message }])
  }
}

async function requireAllSendable(act: ChangeCall, planned: readonly Planned[]): Promise<void> {
  const errors: FieldError[] = []
  for (const { row, paths } of planned) errors.push(...(await unsendable(act, row, paths)))
  throwAny(errors)
}

/** Throws 422 naming each error once. */
function throwAny(errors: readonly FieldError[]): void {
  const each = new Map(errors.map((error) => [`${error.path} ${error.message}`, error]))
  if (each.size > 0) throw invalid([...each.values()])
}

function shaped(made: PostRow[], draft: PostDraft): Composed {
  const [first] = made
  if (!first) throw new Error('A request created no post')
  if (draft.targets && first.groupId) return { groupId: first.groupId, items: made }
  if (first.threadId) return { threadId: first.threadId, items: made }
  return first
}
