import { z } from 'zod'
import { optionalField } from '#lib/text.ts'
import { Timestamp } from '#lib/time.ts'
import { next } from '../../contract/fields.ts'
import { Assertion, fromText } from '../passkeys/credential.ts'

/** Six digits of an authenticator app, or a recovery code; spaces, hyphens and case are ignored. */
export const Code = z
  .string()
  .max(100)
  .transform((text) => text.toLowerCase().replaceAll(/[\s-]/g, ''))
  .refine((text) => /^(\d{6}|[a-z2-9]{16})$/.test(text), 'Must be six digits, or a recovery code of 16 characters.')

export const SecondFactorChallenge = z.object({
  expiresAt: Timestamp.nullable().describe('Null when no sign-in is pending: it expired or was completed.'),
  email: z.string().nullable().describe('The account’s email address; null when no sign-in is pending.'),
  passkey: z
    .boolean()
    .nullable()
    .describe('Whether the account has a passkey, which replaces both factors; null when no sign-in is pending.'),
})
export type SecondFactorChallenge = z.output<typeof SecondFactorChallenge>

/** Browsers send the challenge as a cookie. */
export const SecondFactor = z.object({ challenge: z.string().max(200).optional(), code: Code, next })
export type SecondFactor = z.infer<typeof SecondFactor>

/** A code for reauthentication: of an authenticator app, a recovery code, or eight digits from an email. */
const ProofCode = z
  .string()
  .max(100)
  .transform((text) => text.toLowerCase().replaceAll(/[\s-]/g, ''))
  .refine(
    (text) => /^(\d{6}|\d{8}|[a-z2-9]{16})$/.test(text),
    'Must be the digits from an authenticator app or email, or a recovery code of 16 characters.',
  )

/** Reauthentication: one of the three is required. */
export const Proof = z.object({
  password: z.string().max(1024).optional().describe('The account’s password, if it has one.'),
  code: optionalField(ProofCode).describe(
    'A code from an authenticator app, a recovery code, or the code that `POST /api/auth/me/proof-code` emails.',
  ),
  passkey: optionalField(fromText(Assertion)).describe(
    'The assertion for the options of `POST /api/auth/me/passkeys/proof-options`.',
  ),
})
export type Proof = z.infer<typeof Proof>

/** In addition to 422. */
export const proofProblems = {
  too_many_codes: 429,
  sign_in_throttled: 429,
  busy: 503,
  misdirected_request: 421,
} as const

/** With neither a password nor an authenticator app, also with an emailed code. */
export const ProofMethods = z.object({ password: z.boolean(), totp: z.boolean(), passkey: z.boolean() })
export type ProofMethods = z.output<typeof ProofMethods>

export const SecondFactors = z.object({
  proofMethods: ProofMethods,
  totp: z.object({
    since: Timestamp.nullable().describe('Null without an authenticator app.'),
    recoveryCodes: z.int().describe('The number of unused recovery codes.'),
  }),
  requiredBy: z.array(z.string()).describe('The names of organizations that require a second factor for this session.'),
})
export type SecondFactors = z.output<typeof SecondFactors>

export const ProofCodeSent = z.object({ status: z.literal('code_sent'), email: z.string() })
