import { audited } from '#lib/audit.ts'
import type { Database } from '#lib/db.ts'
import { type FieldError, invalid } from '#lib/errors.ts'
import { newId } from '#lib/ids.ts'
import type { Act } from '../act.ts'
import * as brands from '../brands/brands.ts'
import { tellOf } from './news.ts'
import { chosenMedia } from '../media/in-posts.ts'
import { requireReach } from '../may.ts'
import { requireAccount, unsendable } from './checks.ts'
import type { PostDraft } from './input.ts'
import { timeAhead } from './time.ts'
import { recorded, type PostRow } from './posts.ts'
import { posts } from '../schema.ts'
import { asDraft, asScheduled } from './transitions.ts'

/** What one submission made: a post, a thread, or a group of either, one for each target. */
export type Composed = PostRow | { threadId: string; items: PostRow[] } | { groupId: string; items: PostRow[] }

type NewPost = typeof posts.$inferInsert
interface Planned {
  row: NewPost
  wanted: NonNullable<PostDraft['media']>
  /** The fields that its text, its images and its target came from. */
  paths: { text: string; media: string }
  place: string
}

/** Keeps a submission as drafts, or schedules it. Throws 403, 404 and 422. */
export async function compose(act: Act, draft: PostDraft): Promise<Composed> {
  const brand = await brands.get(act.db, act.actor, draft.brandId)
  const planned = plan(act, draft, stateOf(draft, draft.timeZone ?? brand.timeZone, act.now()))
  for (const { row } of planned) requireReach(act.actor, row.provider)
  for (const { row, place } of planned) await requireAccount(act.db, row, place)
  for (const each of planned) each.row.media = await chosenMedia(act.db, brand.id, each.wanted, each.paths.media)
  if (draft.status === 'scheduled') await requireAllSendable(act.db, planned)
  const rows = planned.map(({ row }) => row)
  const made = await act.db.insert(posts).values(rows).returning()
  for (const post of made) audited(act.db, { object: 'post', id: post.id, after: recorded(post) })
  await tellOf(act, made)
  return shaped(made, draft)
}

function stateOf(draft: PostDraft, timeZone: string, now: Date) {
  if (!draft.scheduledAt) return asDraft
  return asScheduled(timeAhead(draft.scheduledAt, timeZone, now))
}

function plan(act: Act, draft: PostDraft, state: Partial<NewPost>): Planned[] {
  const { brandId, tags, campaign, timeZone } = draft
  const now = act.now()
  const shared = { brandId, tags, campaign, timeZone, createdAt: now, updatedAt: now }
  const groupId = draft.targets && newId()
  return destinations(draft).flatMap(({ provider, target, place, texts }) => {
    const threadId = draft.thread && newId()
    const authorId = act.actor.principal.id
    return texts.map(({ text, wanted, paths }, position) => {
      const row = { ...shared, ...state, groupId, threadId, authorId, provider, target, text, position }
      return { row, wanted, paths, place }
    })
  })
}

/** Where it goes, and each place's texts and images with the fields that they came from. */
function destinations(draft: PostDraft) {
  const whole = { text: draft.text ?? '', wanted: draft.media ?? [], paths: { text: 'text', media: 'media' } }
  const texts = draft.thread?.map(partOf) ?? [whole]
  if (draft.provider) return [{ provider: draft.provider, target: draft.target, place: 'target', texts }]
  return (draft.targets ?? []).map((own, at) => ({
    provider: own.provider,
    target: own.target ?? draft.target,
    place: own.target ? `targets.${at}.target` : 'target',
    texts: draft.thread ? texts : [ownOf(whole, own, `targets.${at}`)],
  }))
}

type Content = Pick<Planned, 'wanted' | 'paths'> & { text: string }
type Own = Pick<PostDraft, 'text' | 'media'>

const partOf = ({ text, media }: Own & { text: string }, at: number): Content => ({
  text,
  wanted: media ?? [],
  paths: { text: `thread.${at}.text`, media: `thread.${at}.media` },
})

/** The content for one target: its own where it names any. */
const ownOf = (whole: Content, { text, media }: Own, path: string): Content => ({
  text: text ?? whole.text,
  wanted: media ?? whole.wanted,
  paths: {
    text: text === undefined ? whole.paths.text : `${path}.text`,
    media: media === undefined ? whole.paths.media : `${path}.media`,
  },
})

async function requireAllSendable(db: Database, planned: Planned[]): Promise<void> {
  const errors: FieldError[] = []
  for (const { row, paths, place } of planned) errors.push(...(await unsendable(db, row, { ...paths, target: place })))
  const each = new Map(errors.map((error) => [`${error.path} ${error.message}`, error]))
  if (each.size > 0) throw invalid([...each.values()])
}

function shaped(made: PostRow[], draft: PostDraft): Composed {
  const [first] = made
  if (!first) throw new Error('A submission made no post')
  if (draft.targets && first.groupId) return { groupId: first.groupId, items: made }
  if (first.threadId) return { threadId: first.threadId, items: made }
  return first
}
