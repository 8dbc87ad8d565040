import { domainToASCII } from 'node:url'
import { plainText } from './text.ts'

const pattern = /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+(?!\d+$)[a-z0-9-]{2,63}$/
const rule = 'Must be the part of an email address after the @, such as acme.com.'

/** The domain of email addresses, in lowercase ASCII. */
export const EmailDomain = plainText(253)
  .trim()
  .min(1, rule)
  // `domainToASCII` would drop these characters and what follows.
  .regex(/^[^\s/\\?#@:%]*$/, { error: rule, abort: true })
  .transform((text) => domainToASCII(text.toLowerCase()))
  .refine((domain) => domain.length <= 253 && pattern.test(domain), rule)
