const here = 'http://here.invalid'

/** A page of this origin to go on to; the front page for an address that leads elsewhere or nowhere. */
export function localPath(next: string | undefined): string {
  if (!next?.startsWith('/') || /[\\\p{Cc}]/u.test(next) || !URL.canParse(next, here)) return '/'
  const url = new URL(next, here)
  return url.origin === here && !url.pathname.startsWith('//') ? url.pathname + url.search + url.hash : '/'
}
