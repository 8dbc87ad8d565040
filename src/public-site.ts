import type { Config } from '#config'
import type { Call } from '#lib/call.ts'
import type { Context } from '#lib/context.ts'
import type { Page } from '#lib/page.ts'

const originOf = (url: URL, { PUBLIC_URL }: Config): string => new URL(PUBLIC_URL ?? url).origin

/** Of the requested page, under PUBLIC_URL. */
export const publicUrlOf = ({ request: { url } }: Pick<Call, 'request'>, config: Config): URL =>
  new URL(url.pathname, originOf(url, config))

const isOpen = ({ permission }: Page): boolean => permission === 'public'

/** Of the pages for search engines: everyone can open them, at one URL, and they have a description. */
export const searchPaths = (contexts: readonly Context[]): string[] =>
  contexts
    .flatMap(({ pages }) => pages)
    .filter((page) => isOpen(page) && page.description !== undefined && !page.path.includes(':'))
    .map(({ path }) => path)

export function serveSitemap(contexts: readonly Context[], url: URL, config: Config): Response {
  const entries = searchPaths(contexts).map(
    (path) => `<url><loc>${Bun.escapeHTML(originOf(url, config) + path)}</loc></url>`,
  )
  const text = `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${entries.join('')}</urlset>\n`
  return new Response(text, { headers: { 'Content-Type': 'application/xml; charset=utf-8', ...cached } })
}

const cached = { 'Cache-Control': 'public, max-age=3600' }

/** Where pages of one person are, such as those that an emailed link opens. The API reference is for everyone. */
const personalPaths = (contexts: readonly Context[]): string[] =>
  contexts
    .flatMap(({ pages }) => pages)
    .filter((page) => isOpen(page) && page.frame !== 'plain' && page.path.includes(':'))
    .map(({ path }) => path.slice(0, path.indexOf(':')))

export function serveRobots(contexts: readonly Context[], url: URL, config: Config): Response {
  const closed = new Set(['/api/', ...personalPaths(contexts).toSorted()])
  const lines = [
    'User-agent: *',
    ...[...closed].map((path) => `Disallow: ${path}`),
    `Sitemap: ${originOf(url, config)}/sitemap.xml`,
  ]
  return new Response(`${lines.join('\n')}\n`, { headers: { 'Content-Type': 'text/plain; charset=utf-8', ...cached } })
}
