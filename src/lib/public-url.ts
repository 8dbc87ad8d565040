import type { RequestFacts } from './call.ts'

/** An address of this server for a person elsewhere: under PUBLIC_URL, which only development and tests may lack. */
export const publicUrl = (path: string, config: { PUBLIC_URL?: string }, request: RequestFacts): string =>
  new URL(path, config.PUBLIC_URL ?? request.url.origin).href

/** The same for a job, which has no request. */
export const publicUrlOfJob = (path: string, config: { PUBLIC_URL?: string; PORT: number }): string =>
  new URL(path, config.PUBLIC_URL ?? `http://localhost:${config.PORT}`).href
