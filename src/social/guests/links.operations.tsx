import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { operation } from '#lib/operation.ts'
import { publicUrl } from '#lib/public-url.ts'
import { reply } from '#lib/reply.ts'
import { CreatedLink } from '#views/social/guests/invite-guest.tsx'
import { LinkList, LinkRow } from '#views/social/guests/link-list.tsx'
import { NewReviewLink, ReviewLink, ReviewLinkList } from '../contract.ts'
import { ReviewLinkDraft, ReviewLinkEdit, ReviewLinkFilter } from './input.ts'
import * as links from './links.ts'

export const listReviewLinks = operation({
  route: 'GET /api/review-links',
  summary: 'List review links of a brand',
  permission: 'posts:read',
  input: ReviewLinkFilter,
  output: ReviewLinkList,
  run: ({ input, ...call }) => links.listLinks(call, input),
  view: ({ items }) => <LinkList links={items} />,
})

export const createReviewLink = operation({
  route: 'POST /api/review-links',
  summary: 'Create a review link for a guest',
  permission: 'posts:review',
  input: ReviewLinkDraft,
  output: NewReviewLink,
  creates: true,
  secrets: ['url'],
  problems: { session_required: 403, test_key_not_allowed: 403, too_many_review_links: 409 },
  run: async (call) => {
    const { link, token } = await links.createLink(call, call.input)
    const url = publicUrl(`/review/${token}`, call.config, call.request)
    return reply(201, { ...link, url }, { next: `/workspace/posts/${link.postIds[0]}` })
  },
  view: (link) => <CreatedLink {...link} />,
})

export const updateReviewLink = operation({
  route: 'PATCH /api/review-links/:id',
  summary: 'Update the expiry of a review link',
  permission: 'posts:review',
  input: ReviewLinkEdit,
  output: ReviewLink,
  problems: { session_required: 403, review_link_revoked: 409 },
  run: async ({ input, ...call }) => {
    const link = await links.updateExpiry(call, input)
    return reply(200, link, { toast: 'Expiry updated' })
  },
  view: (link) => <LinkRow link={link} />,
})

export const revokeReviewLink = operation({
  route: 'DELETE /api/review-links/:id',
  summary: 'Revoke a review link',
  permission: 'posts:review',
  input: z.object({ id: Id }),
  output: z.null(),
  run: async ({ input, ...call }) => {
    await links.revokeLink(call, input.id)
    return reply(204, null, { toast: 'Link revoked' })
  },
  view: () => <></>,
})
