import { OutboundError, type Outbound } from '../outbound.ts'
import { sanitizeText, truncate } from '../text.ts'
import { signedHeaders } from './signature.ts'

/** Bytes of a response that are read, and characters of it that are kept. */
const bounds = { maxBytes: 256 * 1024, answer: 2_000 }

interface SignedMessage {
  url: string
  /** Sent as `webhook-id`. */
  id: string
  /** The exact JSON. */
  body: string
  secrets: readonly string[]
  at: Date
  timeoutMs: number
}

export type AttemptOutcome =
  { status: number; answer: string; problem: null } | { status: null; answer: null; problem: string }

/** One signed request (Standard Webhooks). Redirects are not followed. */
export async function attemptDelivery(
  outbound: Outbound,
  { url, id, body, secrets, at, timeoutMs }: SignedMessage,
): Promise<AttemptOutcome> {
  try {
    const response = await outbound.fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Atrium-Webhooks',
        ...signedHeaders(secrets, { id, at, body }),
      },
      body,
      timeoutMs,
      maxBytes: bounds.maxBytes,
      redirect: 'manual',
    })
    return {
      status: response.status,
      answer: truncate(sanitizeText(await response.text()), bounds.answer),
      problem: null,
    }
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    return noResponse(error.message)
  }
}

export const noResponse = (problem: string): AttemptOutcome => ({ status: null, answer: null, problem })

export const problemOfStatus = (status: number | null): string | null =>
  status !== null && status >= 300 && status < 400
    ? 'The URL redirects, and redirects aren’t followed. Enter the URL that it redirects to.'
    : null
