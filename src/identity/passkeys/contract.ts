import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { Timestamp } from '#lib/time.ts'
import { name, next } from '../contract/fields.ts'
import { Proof } from '../second-factor/contract.ts'

const bytes = (longest: number) =>
  z
    .string()
    .max(longest)
    .regex(/^[\w-]+$/, 'Must be base64url.')

/** What a credential of either kind is named by. */
const credential = { id: bytes(1400), rawId: bytes(1400), type: z.literal('public-key') }

/** A form sends it as one text. */
const fromText = <Shape extends z.ZodType>(schema: Shape) => z.preprocess(parsed, schema)

function parsed(value: unknown): unknown {
  if (typeof value !== 'string') return value
  try {
    return JSON.parse(value)
  } catch {
    return value
  }
}

/** What `navigator.credentials.create()` gives, as `toJSON()` writes it. */
export const Attestation = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: bytes(4000),
    attestationObject: bytes(20_000),
    transports: z.array(z.string().max(40)).max(10).optional(),
  }),
})
export type Attestation = z.infer<typeof Attestation>

/** What `navigator.credentials.get()` gives, as `toJSON()` writes it. */
export const Assertion = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: bytes(4000),
    authenticatorData: bytes(4000),
    signature: bytes(4000),
    userHandle: bytes(200).nullish(),
  }),
})
export type Assertion = z.infer<typeof Assertion>

/** For `PublicKeyCredential.parseCreationOptionsFromJSON()`. */
export const CreationOptions = z.looseObject({ challenge: z.string() })

/** For `PublicKeyCredential.parseRequestOptionsFromJSON()`. */
export const RequestOptions = z.looseObject({ challenge: z.string(), rpId: z.string() })

export const PasskeyDraft = z.object({
  name: name('The passkey’s name').default('Passkey'),
  credential: fromText(Attestation),
})
export type PasskeyDraft = z.infer<typeof PasskeyDraft>

export const PasskeySignIn = z.object({ credential: fromText(Assertion), next })
export type PasskeySignIn = z.infer<typeof PasskeySignIn>

export const Passkey = z.object({
  id: Id,
  name: z.string(),
  backedUp: z.boolean().describe('It is kept beyond one device.'),
  createdAt: Timestamp,
  lastUsedAt: Timestamp.nullable(),
})
export type Passkey = z.output<typeof Passkey>

export const PasskeyEdit = z.object({ id: Id, name: name('The passkey’s name') })
export const PasskeyRemoval = Proof.extend({ id: Id })
