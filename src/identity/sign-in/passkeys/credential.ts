import { z } from 'zod'

const bytes = (maxLength: number) =>
  z
    .string()
    .max(maxLength)
    .regex(/^[\w-]+$/, 'Must be base64url.')

/** Newer browsers can add members. */
const fromBrowser = z.looseObject

const credential = { id: bytes(1400), rawId: bytes(1400), type: z.literal('public-key') }

/** Also accepts JSON text, as forms send it. */
export const fromText = <Shape extends z.ZodType>(schema: Shape) => z.preprocess(parseText, schema)

function parseText(value: unknown): unknown {
  if (typeof value !== 'string') return value
  try {
    return JSON.parse(value)
  } catch {
    return value
  }
}

/** `toJSON()` of the result of `navigator.credentials.create()`. */
export const Attestation = fromBrowser({
  ...credential,
  response: fromBrowser({
    clientDataJSON: bytes(4000),
    attestationObject: bytes(20_000),
    transports: z.array(z.string().max(40)).max(10).optional(),
  }),
})
export type Attestation = z.infer<typeof Attestation>

/** `toJSON()` of the result of `navigator.credentials.get()`. */
export const Assertion = fromBrowser({
  ...credential,
  response: fromBrowser({
    clientDataJSON: bytes(4000),
    authenticatorData: bytes(4000),
    signature: bytes(4000),
    userHandle: bytes(200).nullish(),
  }),
})
export type Assertion = z.infer<typeof Assertion>
