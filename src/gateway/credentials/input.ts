import { z } from 'zod'
import { optionalField, plainText } from '#lib/text.ts'
import { CredentialLevel, CredentialMode, ProviderName } from '../contract/credentials.ts'
import { kindOf, type SecretMembers } from './kinds.ts'

export const CredentialName = z.object({
  provider: ProviderName,
  level: CredentialLevel.default('organization'),
  mode: CredentialMode.default('live'),
})
export type CredentialName = z.output<typeof CredentialName>

const member = (description: string) => optionalField(z.string().max(1000)).describe(description)

const Secret = z
  .object({
    apiKey: member('Of a provider with API keys.'),
    webhookSecret: member('Signs the webhooks of an email or payment provider.'),
    username: member('Of an SMTP server.'),
    password: member('Of an SMTP server.'),
    clientId: member('Of an OAuth app.'),
    clientSecret: member('Of an OAuth app.'),
  })
  .describe('apiKey; username and password of an SMTP server; clientId and clientSecret of an OAuth app.')

/** Each member that the provider’s kind requires or doesn’t have. */
function checkSecret(
  { provider, secret }: { provider: string; secret: SecretMembers },
  { addIssue }: z.RefinementCtx,
): void {
  const sent = Object.fromEntries(Object.entries(secret).filter(([, value]) => value !== undefined))
  const { error } = kindOf(provider).secret.safeParse(sent)
  for (const issue of error?.issues ?? []) {
    const path = ['secret', ...issue.path]
    if (issue.code === 'unrecognized_keys')
      for (const key of issue.keys)
        addIssue({ code: 'custom', path: [...path, key], message: `A credential for ${provider} doesn’t have it.` })
    else if (issue.path.length > 0 && sent[String(issue.path[0])] === undefined)
      addIssue({ code: 'custom', path, message: `Required for ${provider}.` })
    else addIssue({ ...issue, path })
  }
}

export const CredentialInput = CredentialName.extend({
  label: plainText(100).trim().min(1),
  secret: Secret,
  baseUrl: optionalField(z.url().max(500)).describe(
    'Required for a provider that isn’t known here, and for SMTP: smtp://host:587, or smtps://host:465.',
  ),
}).superRefine(checkSecret)
export type CredentialInput = z.output<typeof CredentialInput>

export const RotationInput = CredentialName.extend({
  label: plainText(100).trim().min(1).optional().describe('Of the old key when not set.'),
  secret: Secret,
  overlap: z
    .enum(['until-proved', 'none'])
    .default('until-proved')
    .describe('until-proved keeps the old key for 100 successful calls, 24 hours at most; none replaces it at once.'),
}).superRefine(checkSecret)
export type RotationInput = z.output<typeof RotationInput>

export const CredentialChange = CredentialName.extend({ label: plainText(100).trim().min(1) })
export type CredentialChange = z.output<typeof CredentialChange>
