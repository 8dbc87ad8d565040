import { z } from 'zod'
import { next, wish } from '../contract/fields.ts'

/** Six digits of an authenticator app, or a recovery code: spaces, hyphens and capitals are the writer’s. */
export const Code = z
  .string()
  .max(100)
  .transform((text) => text.toLowerCase().replaceAll(/[\s-]/g, ''))
  .refine((text) => /^(\d{6}|[a-z2-9]{16})$/.test(text), 'Must be six digits, or a recovery code of 16 characters.')

/** The second factor of a sign-in. Browsers keep the challenge as a cookie. */
export const SecondFactor = z.object({ challenge: z.string().max(200).optional(), code: Code, next })
export type SecondFactor = z.infer<typeof SecondFactor>

/** That it is still the person themselves: their password, or a code; nothing when they have just signed in without one. */
export const Proof = z.object({
  password: z.string().max(1024).optional(),
  code: wish(Code),
})
export type Proof = z.infer<typeof Proof>
