import { z } from 'zod'

const bytes = (longest: number) =>
  z
    .string()
    .max(longest)
    .regex(/^[\w-]+$/, 'Must be base64url.')

/** An object of the browser's, which newer ones may add to. */
const fromBrowser = z.looseObject

/** What a credential of either kind is named by. */
const credential = { id: bytes(1400), rawId: bytes(1400), type: z.literal('public-key') }

/** Takes JSON text too: forms send a credential that way. */
export const fromText = <Shape extends z.ZodType>(schema: Shape) => z.preprocess(parseText, schema)

function parseText(value: unknown): unknown {
  if (typeof value !== 'string') return value
  try {
    return JSON.parse(value)
  } catch {
    return value
  }
}

/** What `navigator.credentials.create()` gives, as `toJSON()` writes it. */
export const Attestation = fromBrowser({
  ...credential,
  response: fromBrowser({
    clientDataJSON: bytes(4000),
    attestationObject: bytes(20_000),
    transports: z.array(z.string().max(40)).max(10).optional(),
  }),
})
export type Attestation = z.infer<typeof Attestation>

/** What `navigator.credentials.get()` gives, as `toJSON()` writes it. */
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
