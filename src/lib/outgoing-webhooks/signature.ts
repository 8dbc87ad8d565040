import { createHmac, randomBytes } from 'node:crypto'

const prefix = 'whsec_'

/** Generates a signing secret: 32 random bytes in the format of Standard Webhooks. */
export const newSigningSecret = (): string => prefix + randomBytes(32).toString('base64')

interface Signed {
  id: string
  at: Date
  body: string
}

/** The headers of Standard Webhooks, with one signature per secret. */
export function signedHeaders(secrets: readonly string[], { id, at, body }: Signed): Record<string, string> {
  const seconds = Math.floor(at.getTime() / 1000)
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(prefix.length), 'base64')
    return `v1,${createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64')}`
  })
  return { 'webhook-id': id, 'webhook-timestamp': String(seconds), 'webhook-signature': signatures.join(' ') }
}
