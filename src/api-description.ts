import type { Config } from '#config'
import type { Context } from '#lib/context.ts'
import { cookieName } from '#lib/cookies.ts'
import { openApiDocument, type OpenApiDocument } from '#lib/openapi.ts'
import { version } from '../package.json'

/** What a server of this configuration answers to programs, as `/openapi.json` tells it. */
export const describeApi = (contexts: readonly Context[], { PUBLIC_URL }: Config): OpenApiDocument =>
  openApiDocument(contexts, {
    version,
    url: PUBLIC_URL ?? '/',
    sessionCookie: cookieName('session', PUBLIC_URL?.startsWith('https:') ?? false),
  })
