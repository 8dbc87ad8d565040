import { createHmac } from 'node:crypto'
import type { z } from 'zod'
import { sealContext } from '#lib/secrets/sealed.ts'
import type { Secrets } from '#lib/secrets.ts'
import { socialTokenRefreshes } from '../../schema.ts'

const contextOf = (id: string): string => sealContext(socialTokenRefreshes.sealedResponse, id)

export const sealResponse = (secrets: Secrets, id: string, tokens: object): string =>
  secrets.seal(JSON.stringify(tokens), contextOf(id))

export const openResponse = <Tokens>(
  secrets: Secrets,
  { id, sealedResponse }: { id: string; sealedResponse: string },
  schema: z.ZodType<Tokens>,
): Tokens => schema.parse(JSON.parse(secrets.open(sealedResponse, contextOf(id))))

/** Recognizes a refresh token of an app without storing it. */
export const digestOf = (secrets: Secrets, of: { app: readonly string[]; refreshToken: string }): string =>
  createHmac('sha256', secrets.derive('gateway.social-token-refreshes'))
    .update(JSON.stringify([of.app, of.refreshToken]))
    .digest('base64url')
