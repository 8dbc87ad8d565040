import { z } from 'zod'
import { composeMime } from './compose.ts'
import { callProvider, type ProviderApi } from './resend.ts'
import { NotDelivered, type EmailTransport, type RecipientResult } from './transport.ts'

const Addresses = z.array(z.string())
const Receipt = z.object({
  success: z.boolean().optional(),
  errors: z.array(z.object({ code: z.number().optional(), message: z.string() })).nullish(),
  result: z.object({ permanent_bounces: Addresses.default([]) }).nullish(),
})

/**
 * `POST /accounts/:id/email/sending/send_raw` of Cloudflare. It takes no idempotency key, so a lost response leaves the
 * outcome unknown, as with SMTP. The account is part of the base URL.
 */
export const cloudflareTransport = ({ host, apiKey, call }: ProviderApi): EmailTransport => ({
  provider: 'cloudflare_email',
  send: async (email, { beginData, signal }) => {
    const mime = await composeMime(email)
    await beginData()
    const text = await callProvider(
      { host, apiKey },
      () =>
        call('/email/sending/send_raw', {
          method: 'POST',
          headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
          body: JSON.stringify({
            from: email.from.address,
            recipients: email.recipients,
            mime_message: mime.toString('utf8'),
          }),
          signal,
        }),
      false,
    )
    const { success, result, errors } = receiptIn(text)
    if (success === false)
      throw new NotDelivered('deferred', errors?.map(({ message }) => message).join(' ') || text, { server: host })
    const bounced = new Set(result?.permanent_bounces.map((address) => address.toLowerCase()))
    const results = email.recipients.map((address): [string, RecipientResult] => [
      address,
      bounced.has(address.toLowerCase())
        ? { state: 'bounced', response: 'Bounced permanently' }
        : { state: 'sent', response: 'Accepted' },
    ])
    return { server: host, encryption: null, response: 'Accepted', providerMessageId: null, results: new Map(results) }
  },
})

/** Cloudflare has accepted the email: a response that can’t be read must not send it again. */
function receiptIn(text: string): z.output<typeof Receipt> {
  try {
    return Receipt.parse(JSON.parse(text))
  } catch {
    return {}
  }
}
