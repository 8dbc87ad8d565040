import type { Config } from '#config'
import type { Call } from '#lib/call.ts'
import type { Context } from '#lib/context.ts'

const originOf = (url: URL, { PUBLIC_URL }: Config): string => new URL(PUBLIC_URL ?? url).origin

/** Of the requested page, under PUBLIC_URL. */
export const publicUrlOf = ({ request: { url } }: Pick<Call, 'request'>, config: Config): URL =>
  new URL(url.pathname, originOf(url, config))

/** The pages for search engines: those of the public site whose path has no parameters. */
export function serveSitemap(contexts: readonly Context[], url: URL, config: Config): Response {
  const paths = contexts.flatMap(({ pages }) =>
    pages.flatMap(({ path, frame }) => (frame === 'site' && !path.includes(':') ? [path] : [])),
  )
  const entries = paths.map((path) => `<url><loc>${Bun.escapeHTML(originOf(url, config) + path)}</loc></url>`)
  const text = `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${entries.join('')}</urlset>\n`
  return new Response(text, { headers: { 'Content-Type': 'application/xml; charset=utf-8', ...cached } })
}

const cached = { 'Cache-Control': 'public, max-age=3600' }

export const serveRobots = (url: URL, config: Config): Response =>
  new Response(
    `User-agent: *\nDisallow: /api/\nDisallow: /demo/bookings/\nDisallow: /waitlist/entries/\nSitemap: ${originOf(url, config)}/sitemap.xml\n`,
    { headers: { 'Content-Type': 'text/plain; charset=utf-8', ...cached } },
  )
