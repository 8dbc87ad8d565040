import { recordChange } from '#lib/audit.ts'
import { type FieldError, invalid } from '#lib/errors.ts'
import { newId } from '#lib/ids.ts'
import { requireNetworkAccess } from '../access.ts'
import * as brands from '../brands/brands.ts'
import type { BrandRow } from '../brands/brands.ts'
import type { ChangeCall } from '../change-call.ts'
import { chooseMediaOfPosts } from '../media/in-posts.ts'
import { enqueueCheck } from '../readiness/jobs.ts'
import { networkOf } from '../networks/index.ts'
import { describeNoComments } from '../networks/limits.ts'
import { posts } from '../schema.ts'
import { commentErrors, networkErrors, requireAccount, validateForNetwork } from './checks.ts'
import { chooseTime } from './choose-time.ts'
import type { PostDraft } from './input.ts'
import { auditedFields, type PostRow } from './posts.ts'
import { publishPostChanges, asDraft, asScheduled } from './transitions.ts'
import { discard } from './unsaved/unsaved-posts.ts'

type Composed = PostRow | { threadId: string; items: PostRow[] } | { groupId: string; items: PostRow[] }

/** @throws {Problem} 403, 404 and 422 */
export async function compose(call: ChangeCall, draft: PostDraft): Promise<Composed> {
  const brand = await brands.get(call.db, call.actor, draft.brandId)
  const planned = plan(call, draft, await stateOf(call, brand, draft))
  for (const { row } of planned) requireNetworkAccess(call.actor, row.provider)
  throwAny(planned.flatMap(({ row, paths }) => networkErrors(call.config, row.provider, paths.provider)))
  throwAny([...planned.flatMap(({ row, paths }) => commentErrors(row, paths.firstComment)), ...unusedComment(draft)])
  await requireAccounts(call, planned)
  const media = await chooseMediaOfPosts(call.db, brand.id, planned)
  planned.forEach(({ row }, at) => (row.media = media[at]))
  requireLimitedSize(planned)
  if (draft.status === 'scheduled') await requireAllPublishable(call, planned)
  const rows = planned.map(({ row }) => row)
  const made = await call.db.insert(posts).values(rows).returning()
  for (const post of made) recordChange(call.db, { object: 'post', id: post.id, after: auditedFields(post) })
  await discard(call, draft.unsavedId)
  await publishPostChanges(call, made)
  for (const post of made) await enqueueCheck(call.db, call, post)
  return resultOf(made, draft)
}

async function stateOf({ db }: ChangeCall, brand: BrandRow, { scheduledAt, timeZone }: PostDraft) {
  if (!scheduledAt) return asDraft
  return asScheduled(await chooseTime(db, brand, { scheduledAt, timeZone: timeZone ?? brand.timeZone }))
}

/** @throws {Problem} 422 unless each target is another account of the brand */
async function requireAccounts({ db }: ChangeCall, planned: readonly PlannedPost[]): Promise<void> {
  const heads = planned.filter(({ row }) => !row.position)
  const known = new Map<string, number>()
  for (const [at, { row, paths }] of heads.entries()) {
    const { pageId, groupId, organizationId, accountId, threadAccountId } = row.target ?? {}
    const account = await requireAccount(db, row, paths.target)
    const place = JSON.stringify([row.provider, account, pageId, groupId, organizationId, accountId, threadAccountId])
    const first = known.get(place)
    if (first !== undefined)
      throw invalid([{ path: `targets.${at}`, message: `Must be a different account than targets.${first}.` }])
    known.set(place, at)
  }
}

/** Bytes of JSON for the contents of all posts of a submission. */
const maxBytes = 1_000_000

/** @throws {Problem} 422 for a large text that would be stored once per target */
function requireLimitedSize(planned: readonly PlannedPost[]): void {
  let bytes = 0
  for (const { row, paths } of planned) {
    bytes += Buffer.byteLength(
      JSON.stringify([row.text, row.media, row.firstComment, row.tags, row.target, row.youtube]),
    )
    if (bytes <= maxBytes) continue
    const message = `The posts of one request can have at most ${maxBytes / 1_000_000} MB of text together. Send fewer targets or less text.`
    throw invalid([{ path: paths.text, message }])
  }
}

async function requireAllPublishable(call: ChangeCall, planned: readonly PlannedPost[]): Promise<void> {
  const errors: FieldError[] = []
  for (const { row, paths } of planned) errors.push(...(await validateForNetwork(call, row, paths)))
  throwAny(errors)
}

/** @throws {Problem} 422 with each error once */
function throwAny(errors: readonly FieldError[]): void {
  const each = new Map(errors.map((error) => [`${error.path} ${error.message}`, error]))
  if (each.size > 0) throw invalid([...each.values()])
}

function resultOf(made: PostRow[], draft: PostDraft): Composed {
  const [first] = made
  if (!first) throw new Error('A request created no post')
  if (draft.targets && first.groupId) return { groupId: first.groupId, items: made }
  if (first.threadId) return { threadId: first.threadId, items: made }
  return first
}

type NewPost = typeof posts.$inferInsert

interface PlannedPost {
  row: NewPost
  wanted: NonNullable<PostDraft['media']>
  paths: { provider: string; text: string; media: string; target: string; youtube: string; firstComment: string }
}

function plan(call: Pick<ChangeCall, 'actor'>, draft: PostDraft, state: Partial<NewPost>): PlannedPost[] {
  const { brandId, tags, campaign, timeZone } = draft
  const authorId = call.actor.principal.id
  const groupId = draft.targets && newId()
  const shared = { brandId, authorId, groupId, tags, campaign, timeZone }
  return destinations(draft).flatMap(({ provider, target, youtube, firstComment, texts, paths }) => {
    const threadId = draft.thread && newId()
    return texts.map(({ text, wanted, paths: own }, position) => ({
      row: {
        ...shared,
        ...state,
        threadId,
        provider,
        target,
        youtube,
        firstComment: position === 0 ? firstComment : null,
        text,
        position,
      },
      wanted,
      paths: { ...paths, ...own },
    }))
  })
}

function destinations(draft: PostDraft) {
  const whole = { text: draft.text ?? '', wanted: draft.media ?? [], paths: { text: 'text', media: 'media' } }
  const texts = draft.thread?.map(partOf) ?? [whole]
  if (draft.provider)
    return [
      {
        provider: draft.provider,
        target: draft.target,
        youtube: draft.youtube,
        firstComment: draft.firstComment,
        texts,
        paths: { provider: 'provider', target: 'target', youtube: 'youtube', firstComment: 'firstComment' },
      },
    ]
  return (draft.targets ?? []).map((own, at) => ({
    provider: own.provider,
    target: own.target ?? draft.target,
    youtube: own.provider === 'youtube' ? (own.youtube ?? draft.youtube) : null,
    firstComment: own.firstComment === undefined && takesComments(own) ? draft.firstComment : own.firstComment,
    texts: draft.thread ? texts : [ownOf(whole, own, `targets.${at}`)],
    paths: {
      provider: `targets.${at}.provider`,
      target: own.target ? `targets.${at}.target` : 'target',
      youtube: own.youtube ? `targets.${at}.youtube` : 'youtube',
      firstComment: own.firstComment === undefined ? 'firstComment' : `targets.${at}.firstComment`,
    },
  }))
}

type Destination = NonNullable<PostDraft['targets']>[number]

/** Whether the comment of the request is for it, too. */
const takesComments = ({ provider, target }: Destination): boolean =>
  networkOf(provider)?.firstComments !== undefined && target?.groupId === undefined

function unusedComment({ firstComment, targets }: PostDraft): FieldError[] {
  if (!firstComment || !targets || targets.some(takesComments)) return []
  const names = [...new Set(targets.map(({ provider }) => networkOf(provider)?.name ?? provider))]
  return [{ path: 'firstComment', message: describeNoComments(names.join(' and ')) }]
}

interface Content {
  text: string
  wanted: PlannedPost['wanted']
  paths: { text: string; media: string }
}
type Own = Pick<PostDraft, 'text' | 'media'>

const partOf = ({ text, media }: Own & { text: string }, at: number): Content => ({
  text,
  wanted: media ?? [],
  paths: { text: `thread.${at}.text`, media: `thread.${at}.media` },
})

const ownOf = (whole: Content, { text, media }: Own, path: string): Content => ({
  text: text ?? whole.text,
  wanted: media ?? whole.wanted,
  paths: {
    text: text === undefined ? whole.paths.text : `${path}.text`,
    media: media === undefined ? whole.paths.media : `${path}.media`,
  },
})
