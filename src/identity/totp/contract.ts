import { z } from 'zod'
import { Code } from '../second-factor/contract.ts'

/** A new authenticator app: what it is told, in three ways. */
export const TotpEnrollment = z.object({
  secret: z.string().describe('Base32, to be typed where no code can be scanned.'),
  uri: z.string().describe('The same as an `otpauth:` address.'),
  qr: z.string().describe('The address as a QR code, SVG.'),
})
export type TotpEnrollment = z.infer<typeof TotpEnrollment>

export const TotpConfirmation = z.object({ code: Code })

/** Shown this once. */
export const RecoveryCodes = z.object({ recoveryCodes: z.array(z.string()) })
