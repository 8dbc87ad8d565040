import { z } from 'zod'
import { OutboundError } from '#lib/outbound.ts'
import { NotDelivered, type EmailTransport, type OutgoingEmail } from './transport.ts'

type CallProvider = (
  path: string,
  init: { method: 'POST'; headers: Record<string, string>; body: string; signal: AbortSignal },
) => Promise<Response>

export interface ProviderApi {
  host: string
  apiKey: string
  call: CallProvider
}

const Sent = z.object({ id: z.string().max(200) })

/** `POST /emails` of Resend. The idempotency key makes a repeated request after a lost response safe for 24 hours. */
export const resendTransport = ({ host, apiKey, call }: ProviderApi): EmailTransport => ({
  provider: 'resend',
  send: async (email, { beginData, signal }) => {
    await beginData()
    const response = await callProvider({ host, apiKey }, () =>
      call('/emails', {
        method: 'POST',
        headers: {
          authorization: `Bearer ${apiKey}`,
          'content-type': 'application/json',
          'idempotency-key': email.idempotencyKey,
        },
        body: JSON.stringify(bodyOf(email)),
        signal,
      }),
    )
    const id = idIn(response)
    const result = { state: 'sent', response: id === null ? 'Accepted' : `Accepted as ${id}` } as const
    return {
      server: host,
      encryption: null,
      response: result.response,
      providerMessageId: id,
      results: new Map(email.recipients.map((address) => [address, result])),
    }
  },
})

/** Null for a response that can’t be read: the email is accepted all the same. */
function idIn(response: string): string | null {
  try {
    return Sent.parse(JSON.parse(response)).id
  } catch {
    return null
  }
}

/** Resend requires an address in `to`, and addresses of bcc must not become visible. */
function addressesOf({ from, ...email }: OutgoingEmail): {
  to: readonly string[]
  cc?: readonly string[]
  bcc?: readonly string[]
} {
  const wanted = new Set(email.recipients)
  const to = email.to.filter((address) => wanted.has(address))
  const cc = email.cc.filter((address) => wanted.has(address))
  const bcc = email.recipients.filter((address) => !email.to.includes(address) && !email.cc.includes(address))
  if (to.length > 0) return { to, cc, bcc }
  if (cc.length > 0) return { to: cc, bcc }
  return bcc.length === 1 ? { to: bcc } : { to: [from.address], bcc }
}

const bodyOf = (email: OutgoingEmail) => {
  return {
    from: email.from.name === '' ? email.from.address : `${quote(email.from.name)} <${email.from.address}>`,
    ...addressesOf(email),
    reply_to: email.replyTo ?? undefined,
    subject: email.subject,
    text: email.text ?? undefined,
    html: email.html ?? undefined,
    headers: email.headers,
    attachments: email.attachments.map(({ name, type, content }) => ({
      filename: name,
      content_type: type,
      content: content.toString('base64'),
    })),
  }
}

const quote = (name: string): string => (/^[\w .-]*$/.test(name) ? name : `"${name.replaceAll(/["\\]/g, '')}"`)

/** The body of a successful response. A request that is repeated with its idempotency key is never `unknown`. */
export async function callProvider(
  { host, apiKey }: Pick<ProviderApi, 'host' | 'apiKey'>,
  call: () => Promise<Response>,
  isRepeatable = true,
): Promise<string> {
  let text: string
  let status: number
  try {
    const response = await call()
    status = response.status
    // Responses are in the log, and the key can be the platform's.
    text = (await response.text()).replaceAll(apiKey, '…')
  } catch (cause) {
    const isUnsent = cause instanceof OutboundError && !cause.mayHaveArrived
    const outcome = isRepeatable || isUnsent ? 'deferred' : 'unknown'
    throw new NotDelivered(outcome, cause instanceof Error ? cause.message : String(cause), { server: host, cause })
  }
  if (status >= 200 && status < 300) return text
  // Keys, domains and quotas are fixed by people, so the email waits; only what is wrong with itself is permanent.
  const isPermanent = status === 400 || status === 413 || status === 422
  throw new NotDelivered(isPermanent ? 'failed' : 'deferred', `${status} ${text}`, {
    server: host,
    rejectsCredential: isKeyRejected(status, text),
  })
}

/** With 403, providers also refuse senders and recipients. */
const isKeyRejected = (status: number, text: string): boolean =>
  status === 401 || (status === 403 && /api[_ ]key|access token|authentication error/i.test(text))
