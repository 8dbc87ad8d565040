import { newId } from '#lib/ids.ts'
import type { ChangeCall } from '../change-call.ts'
import { networkOf } from '../networks/index.ts'
import { takesLinkPreviews } from '../networks/link-previews.ts'
import { posts } from '../schema.ts'
import type { PostDraft } from './input.ts'

export type NewPost = typeof posts.$inferInsert

export interface PlannedPost {
  row: NewPost
  wanted: NonNullable<PostDraft['media']>
  paths: {
    provider: string
    text: string
    media: string
    target: string
    youtube: string
    firstComment: string
    linkPreview: string
  }
}

/** The rows of a draft’s posts, and the fields of the request that each came from. */
export function plan(call: Pick<ChangeCall, 'actor'>, draft: PostDraft, state: Partial<NewPost>): PlannedPost[] {
  const { brandId, tags, campaign, timeZone } = draft
  const authorId = call.actor.principal.id
  const groupId = draft.targets && newId()
  const shared = { brandId, authorId, groupId, tags, campaign, timeZone }
  return destinations(draft).flatMap(
    ({ provider, target, youtube, firstComment, linkPreview, isThread, texts, paths }) => {
      const threadId = isThread ? newId() : undefined
      return texts.map(({ text, wanted, paths: own }, position) => ({
        row: {
          ...shared,
          ...state,
          threadId,
          provider,
          target,
          youtube,
          firstComment: position === 0 ? firstComment : null,
          linkPreview: position === 0 ? linkPreview : null,
          text,
          position,
        },
        wanted,
        paths: { ...paths, ...own },
      }))
    },
  )
}

/**
 * SOC-06. LinkedIn lets an app publish either for members or for Pages, so that a profile with the target of an organization
 * means the connected Page of that organization.
 */
function placeOf(provider: NonNullable<PostDraft['provider']>, target: PostDraft['target']) {
  const isPage = provider === 'linkedin' && target?.organizationId !== undefined
  return { provider: isPage ? ('linkedin-page' as const) : provider, target }
}

function destinations(draft: PostDraft) {
  const whole = { text: draft.text ?? '', wanted: draft.media ?? [], paths: { text: 'text', media: 'media' } }
  const texts = draft.thread?.map((part, at) => partOf(part, `thread.${at}`)) ?? [whole]
  const isThread = draft.thread !== undefined
  if (draft.provider)
    return [
      {
        ...placeOf(draft.provider, draft.target),
        youtube: draft.youtube,
        firstComment: draft.firstComment,
        linkPreview: draft.linkPreview,
        isThread,
        texts,
        paths: {
          provider: 'provider',
          target: 'target',
          youtube: 'youtube',
          firstComment: 'firstComment',
          linkPreview: 'linkPreview',
        },
      },
    ]
  return (draft.targets ?? []).map((own, at) => ({
    ...placeOf(own.provider, own.target ?? draft.target),
    youtube: optionsFor(own, draft),
    firstComment: own.firstComment === undefined && takesComments(own, draft) ? draft.firstComment : own.firstComment,
    linkPreview: own.linkPreview === undefined && takesLinkPreviews(own) ? draft.linkPreview : own.linkPreview,
    // Its own single post is no thread, also when the request is one.
    isThread: own.thread ? own.thread.length > 1 : isThread,
    texts:
      own.thread?.map((part, position) => partOf(part, `targets.${at}.thread.${position}`)) ??
      (draft.thread ? texts : [ownOf(whole, own, `targets.${at}`)]),
    paths: {
      provider: `targets.${at}.provider`,
      target: own.target ? `targets.${at}.target` : 'target',
      youtube: own.youtube ? `targets.${at}.youtube` : 'youtube',
      firstComment: own.firstComment === undefined ? 'firstComment' : `targets.${at}.firstComment`,
      linkPreview: own.linkPreview === undefined ? 'linkPreview' : `targets.${at}.linkPreview`,
    },
  }))
}

type Destination = NonNullable<PostDraft['targets']>[number]

type Placed = Pick<Destination, 'provider' | 'target' | 'youtube'>
type Options = Pick<PostDraft, 'youtube'>

const optionsFor = ({ provider, youtube }: Placed, shared: Options) =>
  provider === 'youtube' ? (youtube ?? shared.youtube ?? null) : null

/** Whether the comment of the request is for it, too. */
export const takesComments = (own: Placed, shared: Options): boolean =>
  networkOf(own.provider)?.firstComments !== undefined &&
  own.target?.groupId === undefined &&
  describeRefusedOptions(own, shared) === null

/** Why its options allow no comment; null when they do. */
export const describeRefusedOptions = (own: Placed, shared: Options): string | null =>
  networkOf(own.provider)?.firstComments?.refusalOf?.(optionsFor(own, shared)) ?? null

interface Content {
  text: string
  wanted: PlannedPost['wanted']
  paths: { text: string; media: string }
}
type Own = Pick<PostDraft, 'text' | 'media'>

const partOf = ({ text, media }: Own & { text: string }, path: string): Content => ({
  text,
  wanted: media ?? [],
  paths: { text: `${path}.text`, media: `${path}.media` },
})

const ownOf = (whole: Content, { text, media }: Own, path: string): Content => ({
  text: text ?? whole.text,
  wanted: media ?? whole.wanted,
  paths: {
    text: text === undefined ? whole.paths.text : `${path}.text`,
    media: media === undefined ? whole.paths.media : `${path}.media`,
  },
})
