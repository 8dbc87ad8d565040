import type { RequestFacts } from './call.ts'

/** A URL of this server for mails: under PUBLIC_URL, or the request's origin in development and tests. */
export const publicUrl = (path: string, config: { PUBLIC_URL?: string }, request: RequestFacts): string =>
  new URL(path, config.PUBLIC_URL ?? request.url.origin).href

export const publicUrlOfJob = (path: string, config: { PUBLIC_URL?: string; PORT: number }): string =>
  new URL(path, config.PUBLIC_URL ?? `http://localhost:${config.PORT}`).href
