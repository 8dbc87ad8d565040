import type { Call, RequestFacts } from '#lib/call.ts'
import { redirect, type Redirect } from '#lib/reply.ts'
import { noReferrer } from '../../http/responses.ts'
import { completeSignIn } from './consume.ts'
import { findLink, markOpened } from './links.ts'

/**
 * A link that a service just issued signs in at once, or is `gone`. Other visits are only recorded: mail programs
 * open links.
 */
export async function visitMagicLink(call: Call<{ token: string }>): Promise<Redirect | 'gone' | 'open'> {
  const { db, input, now, request } = call
  const link = await findLink(db, input.token, now())
  if (!link) return 'gone'
  if (link.skipInterstitial && isPageVisit(request)) {
    // The visitor of a page is a browser, regardless of its headers.
    const done = await completeSignIn({ ...call, request: { ...request, html: true } }, input.token)
    return done ? redirect(done.options.next ?? '/', { ...done.options, headers: noReferrer }) : 'gone'
  }
  if (request.method !== 'HEAD') await markOpened(db, input.token, now())
  return 'open'
}

/** As far as headers tell: HEAD requests, prefetches and subresources get no session. */
function isPageVisit({ method, headers }: RequestFacts): boolean {
  const isPrefetch = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'].some((name) => headers.has(name))
  const isDocument = (headers.get('sec-fetch-dest') ?? 'document') === 'document'
  return method === 'GET' && !isPrefetch && isDocument
}
