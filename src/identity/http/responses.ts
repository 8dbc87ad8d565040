/** For pages with a secret in their URL: other sites never receive it as the referrer. */
export const noReferrer = { 'Referrer-Policy': 'no-referrer' }

const here = 'http://here.invalid'

/** The path of a page of this origin to continue on; `/` for any other URL. */
export function localPath(next: string | undefined): string {
  if (!next?.startsWith('/') || /[\\\p{Cc}]/u.test(next) || !URL.canParse(next, here)) return '/'
  const url = new URL(next, here)
  return url.origin === here && !url.pathname.startsWith('//') ? url.pathname + url.search + url.hash : '/'
}

/** Far longer than the work takes. */
const minDurationMs = 150

/** Runs `work` in a duration that doesn't reveal whether there was anything to do. */
export async function withMinimumDuration(work: () => Promise<void>): Promise<void> {
  await Promise.all([work(), Bun.sleep(minDurationMs)])
}

/** The page that redeems codes, on every web host. */
export const callbackPath = '/auth/callback'
