import { EmailDomain } from '#lib/email-domain.ts'
import { plainText } from '#lib/text.ts'

const rule = 'Must be an email address, such as ada@example.com.'

/** ASCII, without comments and quotes: nothing in it can end a header or an SMTP command. */
const localPart = /^[\w.!#$%&'*+/=?^`{|}~-]{1,64}$/

/** An email address, with its domain in lowercase ASCII. */
export const EmailAddress = plainText(320)
  .trim()
  .transform((text, context) => {
    const at = text.lastIndexOf('@')
    const domain = EmailDomain.safeParse(text.slice(at + 1)).data
    if (at > 0 && domain !== undefined && localPart.test(text.slice(0, at))) return `${text.slice(0, at)}@${domain}`
    context.addIssue({ code: 'custom', message: rule })
    return text
  })

export const domainOf = (address: string): string => address.slice(address.lastIndexOf('@') + 1)
