import { z } from 'zod'
import { next, optionalField } from '../contract/fields.ts'
import { Assertion, fromText } from '../passkeys/credential.ts'

/** Six digits of an authenticator app, or a recovery code: spaces, hyphens and capitals are the writer’s. */
export const Code = z
  .string()
  .max(100)
  .transform((text) => text.toLowerCase().replaceAll(/[\s-]/g, ''))
  .refine((text) => /^(\d{6}|[a-z2-9]{16})$/.test(text), 'Must be six digits, or a recovery code of 16 characters.')

/** The second factor of a sign-in. Browsers keep the challenge as a cookie. */
export const SecondFactor = z.object({ challenge: z.string().max(200).optional(), code: Code, next })
export type SecondFactor = z.infer<typeof SecondFactor>

/** A code that proves the person: one of their authenticator app, a recovery code, or the eight digits of a mail. */
const ProofCode = z
  .string()
  .max(100)
  .transform((text) => text.toLowerCase().replaceAll(/[\s-]/g, ''))
  .refine(
    (text) => /^(\d{6}|\d{8}|[a-z2-9]{16})$/.test(text),
    'Must be the digits of an authenticator app or of a mail, or a recovery code of 16 characters.',
  )

/** Proves that the person is there, not only their session: one of the three. */
export const Proof = z.object({
  password: z.string().max(1024).optional().describe('Of the account, where it has one.'),
  code: optionalField(ProofCode).describe(
    'Of an authenticator app, a recovery code, or the code of `POST /api/auth/me/proof-code`.',
  ),
  passkey: optionalField(fromText(Assertion)).describe('Answers `POST /api/auth/me/passkeys/proof-options`.'),
})
export type Proof = z.infer<typeof Proof>

/** How an operation that takes a proof can refuse it, beside 422. */
export const proofProblems = { too_many_codes: 429, sign_in_slowed: 429, busy: 503, misdirected_request: 421 } as const

export const ProofCodeSent = z.object({ status: z.literal('code_sent'), email: z.string() })
