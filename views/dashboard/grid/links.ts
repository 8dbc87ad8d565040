/** A link of a widget as this page can open it: paths are those of the app’s own origin. */
export function hrefIn(appHref: string, href: string): string {
  if (!href.startsWith('/')) return href
  const origin = URL.parse(appHref)?.origin
  return origin === undefined ? href : origin + href
}
