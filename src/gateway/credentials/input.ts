import { z } from 'zod'
import { plainText } from '#lib/text.ts'
import { CredentialLevel, CredentialMode, ProviderName } from '../contract/credentials.ts'

/** Visible ASCII: it becomes a header. */
const ApiKey = z
  .string()
  .min(8)
  .max(1000)
  .regex(/^[\x21-\x7e]+$/, 'Must be visible ASCII characters without spaces.')

export const CredentialName = z.object({
  provider: ProviderName,
  level: CredentialLevel.default('organization'),
  mode: CredentialMode.default('live'),
})
export type CredentialName = z.output<typeof CredentialName>

export const CredentialInput = CredentialName.extend({
  label: plainText(100).trim().min(1),
  secret: z.object({ apiKey: ApiKey }),
  baseUrl: z.url().max(500).optional().describe('Required for a provider that isn’t known here.'),
})
export type CredentialInput = z.output<typeof CredentialInput>

export const RotationInput = CredentialName.extend({
  label: plainText(100).trim().min(1).optional().describe('Of the old key when not set.'),
  secret: z.object({ apiKey: ApiKey }),
  overlap: z
    .enum(['until-proved', 'none'])
    .default('until-proved')
    .describe('until-proved keeps the old key for 100 successful calls, 24 hours at most; none replaces it at once.'),
})
export type RotationInput = z.output<typeof RotationInput>
