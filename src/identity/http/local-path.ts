const here = 'http://here.invalid'

/** The path of a page of this origin to continue on; `/` for any other URL. */
export function localPath(next: string | undefined): string {
  if (!next?.startsWith('/') || /[\\\p{Cc}]/u.test(next) || !URL.canParse(next, here)) return '/'
  const url = new URL(next, here)
  return url.origin === here && !url.pathname.startsWith('//') ? url.pathname + url.search + url.hash : '/'
}
