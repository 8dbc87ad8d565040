import { email as Email } from '../contract/fields.ts'

/**
 * The address that a provider verified, as registration would keep it. Null for one that is no e-mail address: its part
 * after the last @ would else pass for the domain of an organization.
 */
export const verifiedEmail = (address: string | undefined, isVerified: boolean | undefined): string | null =>
  isVerified === true ? (Email.safeParse(address).data ?? null) : null
