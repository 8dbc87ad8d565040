import { OutboundError } from '#lib/outbound/error.ts'

/** Far more than a page of 100 events has. */
const maxBytes = 8 * 1024 * 1024
const maxCause = 200

/** The SDK takes any JSON without an `error` for success, whatever its status, and reads a body of any length. */
export async function checkResponse(response: Response): Promise<Response> {
  const text = await readText(response)
  const { status, headers, ok } = response
  if (!hasMember(text, ok ? 'object' : 'error'))
    throw new OutboundError('lost', `The provider’s response (${status}) isn’t Stripe’s: ${text.slice(0, maxCause)}`)
  return new Response(text, { status, headers })
}

async function readText({ body }: Response): Promise<string> {
  if (!body) return ''
  const chunks: Uint8Array[] = []
  let length = 0
  // Leaving the loop cancels the body.
  for await (const chunk of body) {
    length += chunk.byteLength
    if (length > maxBytes) throw new OutboundError('too_large', `Stripe’s response has more than ${maxBytes} bytes.`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks, length).toString()
}

function hasMember(text: string, name: string): boolean {
  try {
    const body: unknown = JSON.parse(text)
    return typeof body === 'object' && body !== null && name in body
  } catch {
    return false
  }
}
