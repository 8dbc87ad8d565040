import type { Config } from '#config'
import type { RequestFacts } from '#lib/call.ts'
import { cookieName } from '#lib/cookies.ts'
import type { Theme } from '#views/shell/theme-choice.tsx'

/** The colors that a browser's person chose, by its cookie: the page begins with them. */
export function themeOf({ cookies }: Pick<RequestFacts, 'cookies'>, { PUBLIC_URL }: Config): Theme {
  const theme = cookies.get(cookieName('theme', PUBLIC_URL?.startsWith('https:') ?? false))
  return theme === 'light' || theme === 'dark' ? theme : undefined
}
