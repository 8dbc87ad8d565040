import { z } from 'zod'
import type { Client } from '#lib/seed-client.ts'

const Me = z.object({ organization: z.object({ id: z.string() }) })
const Address = z.object({ url: z.string() })
const Plan = z.object({ seats: z.object({ paid: z.number().nullable() }) })

const demoPlan = { package: 'everything', seats: 12 }
const pauseMs = 100

/** Pays on the page of the practice provider, and waits until the seats are there. @throws when they don’t arrive */
export async function seedSubscription(owner: Client, waitMs = 60_000): Promise<void> {
  const { organization } = await owner.request('GET /api/auth/me', Me)
  const billing = `/api/organizations/${organization.id}/billing`
  const { url } = await owner.request(`POST ${billing}/checkout`, Address, demoPlan)
  const form = new URLSearchParams({ outcome: 'pay', email: 'ada@example.com', number: '4242424242424242' })
  await owner.request(`POST ${new URL(url).pathname}`, z.unknown(), form)
  for (let waited = 0; waited < waitMs; waited += pauseMs) {
    const { seats } = await owner.request(`GET ${billing}`, Plan)
    if (seats.paid === demoPlan.seats) return
    await Bun.sleep(pauseMs)
  }
  throw new Error(`The payment for ${demoPlan.seats} seats was made, but they didn’t arrive within ${waitMs / 1000} s.`)
}
