import { z } from 'zod'
import { auditedTransaction } from '#lib/audit.ts'
import { limitActor } from '#lib/authorize.ts'
import type { Call } from '#lib/call.ts'
import { notFound, nullFor404 } from '#lib/errors.ts'
import { matchesEtag } from '#lib/http/streams/file-response.ts'
import { Id } from '#lib/ids.ts'
import { operation } from '#lib/operation.ts'
import { publicUrl } from '#lib/public-url.ts'
import { reply, stream } from '#lib/reply.ts'
import { optionalField } from '#lib/text.ts'
import { CreatedFeed, FeedList } from '#views/social/calendar/subscribe.tsx'
import * as brands from '../../brands/brands.ts'
import { CalendarFeedList, NewCalendarFeed } from '../../contract.ts'
import * as feeds from './feeds.ts'
import { feedEtag, writeFeed } from './write-feed.ts'

export const listCalendarFeeds = operation({
  route: 'GET /api/calendar/feeds',
  summary: 'List your calendar feeds',
  permission: 'calendar:read',
  input: z.object({ brandId: optionalField(Id) }),
  output: CalendarFeedList,
  problems: { session_required: 403 },
  run: async ({ db, actor, input }) => ({ items: await feeds.list(db, actor, input.brandId), nextCursor: null }),
  view: ({ items }) => <FeedList feeds={items} />,
})

export const createCalendarFeed = operation({
  route: 'POST /api/calendar/feeds',
  summary: 'Create or rotate a calendar feed',
  permission: 'calendar:read',
  input: z.object({ brandId: Id }),
  output: NewCalendarFeed,
  creates: true,
  secrets: ['url'],
  problems: { session_required: 403 },
  run: async (call) => {
    const { feed, token } = await feeds.create(call.db, call.actor, call.input.brandId)
    const url = publicUrl(`/calendar/${token}.ics`, call.config, call.request)
    return reply(201, { ...feed, url }, { next: `/workspace/calendar?brandId=${feed.brandId}` })
  },
  view: (feed) => <CreatedFeed {...feed} />,
})

export const revokeCalendarFeed = operation({
  route: 'DELETE /api/calendar/feeds/:id',
  summary: 'Revoke a calendar feed',
  permission: 'calendar:read',
  input: z.object({ id: Id }),
  output: z.null(),
  problems: { session_required: 403 },
  run: async ({ db, actor, input }) => {
    const { brandId } = await feeds.revoke(db, actor, input.id)
    return reply(204, null, {
      next: `/workspace/calendar?brandId=${brandId}`,
      toast: 'Calendar address revoked',
      leavesPage: true,
    })
  },
  view: () => <></>,
})

const slug = 'platform-socialize'

export const readCalendarFeed = operation({
  route: 'GET /calendar/:token',
  summary: 'Download a calendar feed by its secret address',
  permission: 'public',
  input: z.object({ token: z.string().regex(/^[\w-]{43}\.ics$/) }),
  output: z.null(),
  streams: 'text/calendar',
  ranges: true,
  transaction: false, // Identity is asked in between.
  run: async (call) => {
    const feed = await feeds.findByToken(call.db, call.input.token.replace('.ics', ''))
    const brand = feed && (await findReadable(call, feed))
    if (!feed || !brand) throw notFound('calendar feed')
    await feeds.markUsed(call.db, feed.id)
    const linkTo = (path: string) => publicUrl(path, call.config, call.request)
    const described = { brand, now: call.now(), linkTo }
    // Before the content: a post that changes in between is in the next response.
    const etag = await feedEtag(call.db, described)
    const isCurrent = matchesEtag(call.request.headers.get('if-none-match'), etag)
    const content = new Blob(isCurrent ? [] : [await writeFeed(call.db, described)])
    return stream(
      { size: content.size, etag, stream: () => content.stream(), blob: () => content },
      'text/calendar; charset=utf-8',
      { headers: feedHeaders },
    )
  },
})

/** The address is a secret: no other site, cache or search engine gets it. */
const feedHeaders = {
  'Cache-Control': 'private, max-age=300',
  'Referrer-Policy': 'no-referrer',
  'X-Robots-Tag': 'noindex, nofollow',
  'Content-Disposition': 'attachment; filename="atrium-calendar.ics"',
}

interface Feed {
  id: string
  brandId: string
  personId: string
  organizationId: string
}

/** The brand, while its person can read its calendar. A feed of someone who left the organization is deleted. */
async function findReadable(call: Call, feed: Feed) {
  const { db, identity } = call
  const { brandId, personId, organizationId } = feed
  if (await identity.isSuspended(organizationId)) return null
  const member = await identity.memberActor(organizationId, personId).catch(nullFor404)
  if (!member) await auditedTransaction(call, (tx) => feeds.end(tx, feed))
  const reader = member && limitActor(member, 'calendar:read', await identity.serviceId(slug))
  return reader && brands.get(db, reader, brandId).catch(nullFor404)
}
