import { z } from 'zod'
import type { Call } from '#lib/call.ts'
import { notFound } from '#lib/errors.ts'
import { fileHeaders } from '#lib/file-headers.ts'
import { Id } from '#lib/ids.ts'
import { LogoQuery, streamLogo } from '#lib/images/logo.ts'
import { operation } from '#lib/operation.ts'
import { reply, stream } from '#lib/reply.ts'
import { Timestamp } from '#lib/time.ts'
import { EndedReview } from '#views/social/guests/ended-review.tsx'
import { GuestReviewView } from '#views/social/guests/guest-page.tsx'
import { readLogoOfBrand } from '../brands/logo/logo.ts'
import { GuestReview, ReviewDecision } from '../contract.ts'
import { secretAddress } from '../http/secret-address.ts'
import { propertiesOf, readFile } from '../media/files.ts'
import { variantFor } from './files.ts'
import { GuestCommentInput, GuestDecisionInput, GuestFile, GuestNameInput, LinkToken } from './input.ts'
import { findLinkedMedia } from './linked-posts.ts'
import { findLink, openLink } from './open-link.ts'
import { readReview } from './read-review.ts'
import { requestLink } from './request-link.ts'
import * as respond from './respond.ts'

/** Identity is asked before each transaction. */
const byLink = { permission: 'public', headers: secretAddress, transaction: false } as const

const ended = { not_found: 404, review_link_expired: 410 } as const

export const getGuestReview = operation({
  ...byLink,
  route: 'GET /api/review/:token',
  summary: 'Get the posts of a review link',
  input: z.object({ token: LinkToken }),
  output: GuestReview,
  problems: { not_found: 404 },
  run: async (call) => reply(200, await readReview(call, await findLink(call, call.input.token))),
  view: (review, { input }) => <GuestReviewView review={review} token={input.token} />,
  gone: () => <EndedReview />,
})

const drawReview = async (call: Call<{ token: string }>) => {
  const { token } = call.input
  return <GuestReviewView review={await call.ask(getGuestReview, { token })} token={token} />
}

const backToReview = ({ input: { token } }: Pick<Call<{ token: string }>, 'input'>) => ({ next: `/review/${token}` })

export const setGuestName = operation({
  ...byLink,
  route: 'PUT /api/review/:token/name',
  summary: 'Set the name of a guest',
  input: GuestNameInput,
  output: z.object({ guestName: z.string().nullable() }),
  problems: { ...ended, name_already_given: 409, rate_limited: 429 },
  run: async (call) => {
    const { guestName } = await respond.nameGuest(call, call.input)
    return reply(200, { guestName }, backToReview(call))
  },
  view: (_, call) => drawReview(call),
})

const decided = z.object({ id: Id, postId: Id, decision: ReviewDecision, createdAt: Timestamp })

export const createGuestDecision = operation({
  ...byLink,
  route: 'POST /api/review/:token/decisions',
  summary: 'Approve posts or request changes as a guest',
  input: GuestDecisionInput,
  output: z.object({ items: z.array(decided) }),
  creates: true,
  problems: {
    ...ended,
    decision_not_allowed: 403,
    name_required: 409,
    not_reviewable: 409,
    publishing_in_progress: 409,
    version_conflict: 409,
    rate_limited: 429,
  },
  run: async (call) => {
    const items = await respond.decideAsGuest(call, call.input)
    const toast = call.input.decision === 'approve' ? 'Approved' : 'Changes requested'
    return reply(201, { items }, { ...backToReview(call), toast })
  },
  view: (_, call) => drawReview(call),
})

export const createGuestComment = operation({
  ...byLink,
  route: 'POST /api/review/:token/comments',
  summary: 'Add a comment to a post as a guest',
  input: GuestCommentInput,
  output: z.object({ id: Id, postId: Id, text: z.string(), createdAt: Timestamp }),
  creates: true,
  problems: { ...ended, name_required: 409, too_many_comments: 409, rate_limited: 429 },
  run: async (call) => {
    const comment = await respond.commentAsGuest(call, call.input)
    return reply(201, comment, { ...backToReview(call), toast: 'Comment added' })
  },
  view: (_, call) => drawReview(call),
})

export const requestReviewLink = operation({
  ...byLink,
  route: 'POST /api/review/:token/request',
  summary: 'Request a new review link as a guest',
  input: z.object({ token: LinkToken }),
  output: z.object({ requestedAt: Timestamp.nullable() }),
  problems: { not_found: 404 },
  run: async (call) => {
    const { requestedAt } = await requestLink(call, call.input.token)
    return reply(200, { requestedAt }, backToReview(call))
  },
  view: (_, call) => drawReview(call),
})

export const getGuestLogo = operation({
  route: 'GET /api/review/:token/logo',
  summary: 'Download the logo of a brand as a guest',
  permission: 'public',
  transaction: false, // Identity is asked.
  input: LogoQuery.omit({ id: true }).extend({ token: LinkToken }),
  output: z.null(),
  streams: 'image/webp',
  ranges: true,
  problems: { not_found: 404 },
  run: async (call) => {
    const { brandId } = await findLink(call, call.input.token)
    return streamLogo(await readLogoOfBrand(call.db, brandId), call.input.sha256)
  },
})

export const getGuestFile = operation({
  route: 'GET /api/review/:token/media/:mediaId/:rendition',
  summary: 'Download a file of a post as a guest',
  permission: 'public',
  transaction: false, // Identity is asked.
  input: GuestFile,
  output: z.null(),
  streams: '*/*',
  ranges: true,
  problems: { ...ended, storage_unavailable: 503 },
  run: async (call) => {
    const { token, mediaId, rendition } = call.input
    const link = await openLink(call, token)
    const row = await findLinkedMedia(call.db, link, mediaId)
    const variant = variantFor(row, rendition)
    const facts = propertiesOf(row, variant)
    const file = facts && (await readFile(call.storage, row, variant))
    if (!file) throw notFound('file')
    return stream({ ...file, etag: `"${facts.sha256}-${variant}"` }, facts.contentType, {
      // Asked for again each time, so that it ends with the link.
      headers: { ...fileHeaders, ...secretAddress, 'Cache-Control': 'private, no-cache' },
    })
  },
})
