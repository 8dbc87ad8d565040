import { email as Email } from '../../contract/fields.ts'

/** Null for an invalid one: the part after its last @ would otherwise count as an organization’s domain. */
export const verifiedEmail = (address: string | undefined, isVerified: boolean | undefined): string | null =>
  isVerified === true ? (Email.safeParse(address).data ?? null) : null
