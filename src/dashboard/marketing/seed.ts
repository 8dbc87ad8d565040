import { z } from 'zod'
import type { Client } from '#lib/seed-client.ts'

const messages = [
  {
    topic: 'question',
    name: 'Mina Sato',
    email: 'mina.sato@example.com',
    message: 'Can two brands share one seat for our agency, or does everyone need their own?',
  },
  {
    kind: 'feedback',
    topic: 'idea',
    message: 'A week view that begins on Sunday would help our team in Toronto.',
  },
]

/** As visitors of the website send them. */
export async function seedInbox(visitor: Client): Promise<void> {
  for (const message of messages) await visitor.request('POST /api/contact', z.unknown(), message)
  const entry = { email: 'theo.kraus@example.com', topics: ['video', 'networks'] }
  await visitor.request('POST /api/waitlist', z.unknown(), entry)
}
