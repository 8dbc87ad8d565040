import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { plainText } from '#lib/text.ts'

const header = plainText(8_192).optional()

export const AppTokenRequest = z.object({
  service: plainText(100).describe('The slug of the app.'),
  credential: z
    .object({ authorization: header, cookie: header })
    .describe('The headers with which a person is signed in.'),
})

export const AppToken = z.object({
  token: z.string(),
  expiresIn: z.number().describe('Seconds.'),
  organizationId: Id.nullable().describe('The context of the token; null for the personal one.'),
})
export type AppToken = z.output<typeof AppToken>
