import { randomBytes } from 'node:crypto'
import { Webhook } from 'standardwebhooks'

/** Generates a signing secret: 32 random bytes in the format of Standard Webhooks. */
export const newSigningSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`

interface Message {
  id: string
  at: Date
  body: string
}

export const signedHeaders = (secrets: readonly string[], { id, at, body }: Message): Record<string, string> => ({
  'webhook-id': id,
  'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
  'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(id, at, body)).join(' '),
})
