import { setCookie } from './cookies.ts'
import { contentSecurityPolicy, freshNonce } from './csp.ts'
import { withNonce } from './jsx/nonce.ts'
import { Redirect, Reply, type ReplyOptions } from './reply.ts'
import { toastTrigger } from './toast.ts'
import type { RequestFacts } from './call.ts'

/** Data as JSON. */
export const json = (
  status: number,
  data: unknown,
  facts: RequestFacts,
  headers: Record<string, string> = {},
): Response => plain(status, JSON.stringify(data), { 'Content-Type': 'application/json', ...headers }, facts)

/** Draws HTML under a nonce of its own, with the policy that names it. */
export async function html(
  status: number,
  draw: () => JSX.Element | Promise<JSX.Element>,
  facts: RequestFacts,
  headers: Record<string, string> = {},
): Promise<Response> {
  const nonce = freshNonce()
  const markup = await withNonce(nonce, async () => await draw())
  const policies = {
    'Content-Security-Policy': contentSecurityPolicy(nonce),
    // A page that opened this one, or was opened by it, has no hold on its window.
    'Cross-Origin-Opener-Policy': 'same-origin',
  }
  const own = { 'Content-Type': 'text/html; charset=utf-8', 'Cache-Control': 'no-store' }
  return plain(status, markup, { ...own, ...policies, ...headers }, facts)
}

/** Sends a browser on: htmx by its header, anything else by 303, except a form that a page's `form-action` would stop. */
export function goOn(location: string, facts: RequestFacts): Response {
  const target = new URL(location, facts.url)
  const isForm = facts.method === 'POST' && facts.headers.get('sec-fetch-mode') === 'navigate'
  if (isForm && target.origin !== facts.url.origin) return leaveBy(target.href)
  if (facts.headers.has('hx-request')) return new Response(null, { status: 200, headers: { 'HX-Redirect': location } })
  return new Response(null, { status: 303, headers: { Location: location } })
}

/** A page that goes on to another site by itself: scripts haven't loaded, or htmx would have. */
const leaveBy = (href: string): Response =>
  new Response(
    `<!doctype html><html lang="en"><meta charset="utf-8"><title>Continue</title><a href="${Bun.escapeHTML(href)}">Continue</a></html>`,
    {
      headers: {
        'Content-Type': 'text/html; charset=utf-8',
        'Cache-Control': 'no-store',
        'Content-Security-Policy': contentSecurityPolicy(freshNonce()),
        'Cross-Origin-Opener-Policy': 'same-origin',
        Refresh: `0; url=${href}`,
      },
    },
  )

/** The parts of whatever a handler returned. */
export function parts(returned: unknown, created: boolean): { status: number; data: unknown; options: ReplyOptions } {
  if (returned instanceof Reply) return { status: returned.status, data: returned.data, options: returned.options }
  if (returned instanceof Redirect)
    return { status: 303, data: null, options: { ...returned.options, next: returned.location } }
  return { status: created ? 201 : 200, data: returned, options: {} }
}

/** Puts a reply's headers, cookies and toast on its answer. */
export function dress(response: Response, options: ReplyOptions, https: boolean): Response {
  for (const [name, value] of Object.entries(options.headers ?? {})) response.headers.set(name, value)
  for (const cookie of options.cookies ?? []) response.headers.append('Set-Cookie', setCookie(cookie, https))
  if (options.toast) response.headers.set('HX-Trigger', toastTrigger(options.toast))
  return response
}

/** Bytes under which compressing costs more than it saves. */
const worthCompressing = 1400

/** A text, compressed where that pays. */
export function plain(status: number, body: string, headers: Record<string, string>, facts: RequestFacts): Response {
  if (body.length < worthCompressing || !facts.headers.get('accept-encoding')?.includes('gzip')) {
    return new Response(body, { status, headers })
  }
  return new Response(Bun.gzipSync(Buffer.from(body), { level: 1, library: 'libdeflate' }), {
    status,
    headers: { ...headers, 'Content-Encoding': 'gzip' },
  })
}
