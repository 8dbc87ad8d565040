import { z } from 'zod'
import type { Database } from '#lib/db.ts'
import { page } from '#lib/page.ts'
import { redirect, reply } from '#lib/reply.ts'
import { MagicLink } from '#views/identity/sign-in/magic-link.tsx'
import { MagicLinkRequest } from '#views/identity/sign-in/magic-link-request.tsx'
import { nextPage } from '../../contract/fields.ts'
import { localPath } from '../../http/local-path.ts'
import { noReferrer } from '../../http/no-referrer.ts'
import { accountOfLink, completeSignIn, isPageVisit } from './consume.ts'
import { findLink, markOpened } from './links.ts'

/**
 * A mailed link shows a button and changes nothing: mail programs open links before people do. A link that a service
 * has just handed to the browser signs in at once.
 */
export const magicLinkPage = page({
  path: '/magic-link/consume',
  permission: 'public',
  frame: 'door',
  title: 'Sign in',
  query: z.object({ token: z.string().max(200).catch('') }),
  load: async (call) => {
    const { db, input, now, request } = call
    const found = await findLink(db, input.token, now())
    const isTrusted = found?.skipInterstitial === true && isPageVisit(request)
    // The visitor of a page is a browser, whatever its headers are.
    const done = isTrusted && (await completeSignIn({ ...call, request: { ...request, html: true } }, input.token))
    if (done) return redirect(done.options.next ?? '/', { ...done.options, headers: noReferrer })
    // Of two concurrent visits with a trusted link, the second finds it used.
    const link = isTrusted ? undefined : found
    if (link && request.method !== 'HEAD') await markOpened(db, input.token, now())
    return reply(
      link ? 200 : 404,
      { token: input.token, link: link ? await describeLink(db, link) : null },
      { headers: noReferrer },
    )
  },
  view: (props) => <MagicLink {...props} />,
})

/** The account and organization that a link opens. */
async function describeLink(db: Database, link: NonNullable<Awaited<ReturnType<typeof findLink>>>) {
  const { organization } = await accountOfLink(db, link)
  return { email: link.email, organization: organization?.name ?? null, firstOpenedAt: link.firstOpenedAt }
}

export const magicLinkRequestPage = page({
  path: '/login/link',
  permission: 'public',
  frame: 'door',
  title: 'Sign in with email',
  query: z.object({ next: nextPage }),
  load: async ({ actor, input }) =>
    actor ? redirect(localPath(input.next)) : { next: input.next && localPath(input.next) },
  view: ({ next }) => <MagicLinkRequest next={next} />,
})
