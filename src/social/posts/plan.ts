import { newId } from '#lib/ids.ts'
import type { ChangeCall } from '../change-call.ts'
import type { PostDraft } from './input.ts'
import type { posts } from '../schema.ts'

type NewPost = typeof posts.$inferInsert

export interface PlannedPost {
  row: NewPost
  wanted: NonNullable<PostDraft['media']>
  paths: { provider: string; text: string; media: string; target: string }
}

export function plan(call: Pick<ChangeCall, 'actor'>, draft: PostDraft, state: Partial<NewPost>): PlannedPost[] {
  const { brandId, tags, campaign, timeZone } = draft
  const authorId = call.actor.principal.id
  const groupId = draft.targets && newId()
  const shared = { brandId, authorId, groupId, tags, campaign, timeZone }
  return destinations(draft).flatMap(({ provider, target, texts, paths }) => {
    const threadId = draft.thread && newId()
    return texts.map(({ text, wanted, paths: own }, position) => ({
      row: { ...shared, ...state, threadId, provider, target, text, position },
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
      { provider: draft.provider, target: draft.target, texts, paths: { provider: 'provider', target: 'target' } },
    ]
  return (draft.targets ?? []).map((own, at) => ({
    provider: own.provider,
    target: own.target ?? draft.target,
    texts: draft.thread ? texts : [ownOf(whole, own, `targets.${at}`)],
    paths: { provider: `targets.${at}.provider`, target: own.target ? `targets.${at}.target` : 'target' },
  }))
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
