import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { Timestamp } from '#lib/time.ts'
import { name, next } from '../../contract/fields.ts'
import { Proof } from '../second-factor/contract.ts'
import { Assertion, Attestation, fromText } from './credential.ts'

/** For `PublicKeyCredential.parseCreationOptionsFromJSON()`. */
export const CreationOptions = z.looseObject({ challenge: z.string() })

/** For `PublicKeyCredential.parseRequestOptionsFromJSON()`. */
export const RequestOptions = z.looseObject({ challenge: z.string(), rpId: z.string() })

export const PasskeyDraft = z.object({
  name: name('the passkey’s name').default('Passkey'),
  credential: fromText(Attestation),
})
export type PasskeyDraft = z.infer<typeof PasskeyDraft>

export const PasskeySignIn = z.object({ credential: fromText(Assertion), next })
export type PasskeySignIn = z.infer<typeof PasskeySignIn>

export const Passkey = z.object({
  id: Id,
  name: z.string(),
  backedUp: z.boolean().describe('Whether it is synced to other devices.'),
  createdAt: Timestamp,
  lastUsedAt: Timestamp.nullable(),
})
export type Passkey = z.output<typeof Passkey>

export const PasskeyEdit = z.object({ id: Id, name: name('the passkey’s name') })
export const PasskeyRemoval = Proof.extend({ id: Id })
