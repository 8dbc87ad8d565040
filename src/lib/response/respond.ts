import type { RequestFacts } from '../call.ts'
import { setCookie } from '../cookies.ts'
import { withNonce } from '../jsx/jsx-runtime.ts'
import { Redirect, Reply, type ReplyOptions, type Undo } from '../reply.ts'
import { timeFormatsFrom } from '../time.ts'

export const jsonResponse = (
  status: number,
  data: unknown,
  facts: RequestFacts,
  headers: Record<string, string> = {},
): Response => textResponse(status, JSON.stringify(data), { 'Content-Type': 'application/json', ...headers }, facts)

export async function htmlResponse(
  status: number,
  draw: () => JSX.Element | Promise<JSX.Element>,
  facts: RequestFacts,
  headers: Record<string, string> = {},
): Promise<Response> {
  const nonce = freshNonce()
  const markup = await withNonce(nonce, async () => await draw(), timeFormatsFrom(facts.cookies))
  const policies = {
    'Content-Security-Policy': contentSecurityPolicy(nonce),
    // Isolates this page's window from pages that opened it or that it opened.
    'Cross-Origin-Opener-Policy': 'same-origin',
  }
  const own = { 'Content-Type': 'text/html; charset=utf-8', 'Cache-Control': 'no-store' }
  return textResponse(status, markup, { ...own, ...policies, ...headers }, facts)
}

/** Redirects htmx by its header, and other clients by 303, unless the CSP's `form-action` would block that for a form. */
export function redirectTo(location: string, facts: RequestFacts): Response {
  const target = new URL(location, facts.url)
  const isForm = facts.method !== 'GET' && facts.headers.get('sec-fetch-mode') === 'navigate'
  if (isForm && target.origin !== facts.url.origin) return refreshTo(target.href)
  if (facts.headers.has('hx-request')) return new Response(null, { status: 200, headers: { 'HX-Redirect': location } })
  return new Response(null, { status: 303, headers: { Location: location } })
}

/** Redirects to another site by a page, for forms sent before the scripts have loaded. */
const refreshTo = (href: string): Response =>
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

export function unpackReply(
  returned: unknown,
  created: boolean,
): { status: number; data: unknown; options: ReplyOptions } {
  if (returned instanceof Reply) return { status: returned.status, data: returned.data, options: returned.options }
  if (returned instanceof Redirect)
    return { status: 303, data: null, options: { ...returned.options, next: returned.location } }
  return { status: created ? 201 : 200, data: returned, options: {} }
}

export function applyReplyOptions(response: Response, options: ReplyOptions, https: boolean): Response {
  for (const [name, value] of Object.entries(options.headers ?? {})) response.headers.set(name, value)
  for (const cookie of options.cookies ?? []) response.headers.append('Set-Cookie', setCookie(cookie, https))
  const { toast: message, undo } = options
  if (message) response.headers.set('HX-Trigger', toastTrigger({ message, undo }))
  return response
}

/** Bytes below which compression costs more than it saves. */
const worthCompressing = 1400

export function textResponse(
  status: number,
  body: string,
  headers: Record<string, string>,
  facts: RequestFacts,
): Response {
  if (body.length < worthCompressing || !facts.headers.get('accept-encoding')?.includes('gzip')) {
    return new Response(body, { status, headers })
  }
  return new Response(Bun.gzipSync(Buffer.from(body), { level: 1, library: 'libdeflate' }), {
    status,
    headers: { ...headers, 'Content-Encoding': 'gzip' },
  })
}

/** Only htmx can turn strings into markup, and one script registers the worker (Trusted Types). Style attributes set custom properties. */
const contentSecurityPolicy = (nonce: string): string =>
  [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}'`,
    `style-src 'self' 'nonce-${nonce}'`,
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "worker-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types htmx service-worker',
  ].join('; ')

const freshNonce = (): string => crypto.getRandomValues(new Uint8Array(16)).toBase64()

/** Headers are Latin-1, so other characters are escaped. */
export const toastTrigger = ({ message, undo }: { message: string; undo?: Undo }): string =>
  JSON.stringify({ toast: { target: 'body', message, tone: 'success', undo } }).replace(
    /[^ -~]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
