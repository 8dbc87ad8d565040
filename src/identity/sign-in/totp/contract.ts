import { z } from 'zod'
import { Code } from '../second-factor/contract.ts'

export const TotpEnrollment = z.object({
  secret: z.string().describe('The secret in Base32, for manual entry.'),
  uri: z.string().describe('The secret as an `otpauth:` URI.'),
  qr: z.string().describe('The URI as a QR code (SVG).'),
})
export type TotpEnrollment = z.infer<typeof TotpEnrollment>

export const TotpConfirmation = z.object({ code: Code })

/** The codes can’t be read again. */
export const RecoveryCodes = z.object({ recoveryCodes: z.array(z.string()) })
