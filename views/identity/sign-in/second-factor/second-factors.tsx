import type { Passkey, ProofMethods } from '#identity/types'
import { Passkeys } from '../passkeys/passkeys.tsx'
import { SecondFactorNeeded } from './second-factor-needed.tsx'
import { Totp, type TotpFacts } from './totp.tsx'

export interface SecondFactorsProps {
  ways: ProofMethods
  passkeys: Passkey[]
  totp: TotpFacts
  /** The names of the organizations that ask this session for a second factor. */
  requiredBy: string[]
}

/** What one has beside the password to sign in with. */
export const SecondFactors = ({ ways, passkeys, totp, requiredBy }: SecondFactorsProps) => (
  <>
    <SecondFactorNeeded requiredBy={requiredBy} has={{ totp: totp.since !== null, passkeys: passkeys.length > 0 }} />
    <Passkeys passkeys={passkeys} ways={ways} />
    <Totp {...totp} ways={ways} />
  </>
)
