import { createHmac } from 'node:crypto'
import { z } from 'zod'
import type { Secrets } from '#lib/secrets.ts'
import { sealContext } from '#lib/secrets/sealed.ts'
import { emailMessages } from '../schema.ts'

/** What is encrypted of an email: it can contain links that sign people in. */
const Content = z.object({
  text: z.string().nullable(),
  html: z.string().nullable(),
  attachments: z.array(z.object({ name: z.string(), type: z.string(), content: z.string() })),
  headers: z.record(z.string(), z.string()),
})
export type Content = z.output<typeof Content>

const contextOf = (id: string): string => sealContext(emailMessages.sealedContent, id)

export const sealContent = (secrets: Secrets, id: string, content: Content): string =>
  secrets.seal(JSON.stringify(content), contextOf(id))

export const openContent = (secrets: Secrets, id: string, sealed: string): Content =>
  Content.parse(JSON.parse(secrets.open(sealed, contextOf(id))))

/** Recognizes a repeated request without storing what it contained. */
export const fingerprintOf = (secrets: Secrets, request: unknown): string =>
  createHmac('sha256', secrets.derive('email fingerprints')).update(JSON.stringify(request)).digest('base64url')
