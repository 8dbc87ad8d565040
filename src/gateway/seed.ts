import { z } from 'zod'
import { CreatedObject, itemsOf, SeedRefused, type Client } from '#lib/seed-client.ts'
import type { Family } from './contract/families.ts'

const Me = z.object({ organization: z.object({ id: z.string() }) })
const Member = CreatedObject
const Receipt = z.object({ rejected: z.array(z.object({ message: z.string() })) })

const dayMs = 24 * 60 * 60 * 1000
const minuteMs = 60 * 1000
const usd = 1_000_000_000

interface Habit {
  application: string
  family: Family
  provider: string
  model: string | null
  unit: string
  /** Requests on a working day. */
  daily: number
  /** Mean cost of a request in nano-USD. */
  cost: number
  quantity: number
  /** Whether its requests belong to posts of a brand. */
  forPosts?: true
}

const habits: readonly Habit[] = [
  {
    application: 'platform-socialize',
    family: 'ai',
    provider: 'openai',
    model: 'gpt-4o',
    unit: 'token',
    daily: 14,
    cost: 0.31 * usd,
    quantity: 21_400,
    forPosts: true,
  },
  {
    application: 'platform-socialize',
    family: 'ai',
    provider: 'openai',
    model: 'gpt-image-1',
    unit: 'image',
    daily: 5,
    cost: 0.67 * usd,
    quantity: 4,
    forPosts: true,
  },
  {
    application: 'studio',
    family: 'ai',
    provider: 'anthropic',
    model: 'claude-sonnet-4-5',
    unit: 'token',
    daily: 8,
    cost: 0.42 * usd,
    quantity: 38_000,
  },
  {
    application: 'studio',
    family: 'ai',
    provider: 'openai',
    model: 'gpt-4o-mini',
    unit: 'token',
    daily: 10,
    cost: 0.024 * usd,
    quantity: 48_000,
  },
  {
    application: 'mail',
    family: 'email',
    provider: 'cloudflare',
    model: null,
    unit: 'message',
    daily: 6,
    cost: 0.018 * usd,
    quantity: 60,
  },
  {
    application: 'site-builder',
    family: 'translation',
    provider: 'localization-api',
    model: null,
    unit: 'character',
    daily: 4,
    cost: 0.12 * usd,
    quantity: 6_000,
  },
  {
    application: 'platform-socialize',
    family: 'video_quota',
    provider: 'youtube',
    model: 'videos.insert',
    unit: 'unit',
    daily: 2,
    cost: 0,
    quantity: 1,
  },
]

const brands = ['Acme Coffee', 'Acme Travel']

/** Less than USAGE_RAW_DAYS. */
const days = 29
const maxEvents = 1_000

/** Existing usage and limits remain unchanged. */
export async function seedGateway(owner: Client, now: Date): Promise<void> {
  const { organization } = await owner.request('GET /api/auth/me', Me)
  const members = await owner.request(`GET /api/organizations/${organization.id}/members?limit=100`, itemsOf(Member))
  const people = members.items.map(({ id }) => id).toSorted()
  const events = Array.from({ length: days }, (_, ago) =>
    eventsOf(new Date(now.getTime() - ago * dayMs).toISOString().slice(0, 10), people),
  )
    .flat()
    .filter(({ occurredAt }) => occurredAt <= now.toISOString())
  for (let at = 0; at < events.length; at += maxEvents)
    await owner.request('POST /platform/usage/events', Receipt, events.slice(at, at + maxEvents))
  for (const limit of limitsOf(organization.id)) await seedLimit(owner, limit)
  await callPracticeModels(owner)
  await seedEmails(owner)
}

const senderDomain = 'mail.acme.example'
const senders = [
  { address: `hello@${senderDomain}`, name: 'Acme Coffee', usedFor: 'Receipts, orders' },
  { address: `billing@${senderDomain}`, name: 'Acme Coffee Billing', usedFor: 'Invoices, reminders' },
]
const recipients = ['lena.vogt@example.com', 'theo.kraus@example.com', 'mina@example.com', 'einkauf@altmarkt.example']

/** A domain that waits for its DNS records; in development its emails are in the mailbox. */
async function seedEmails(owner: Client): Promise<void> {
  const domains = await owner.request('GET /api/sender-domains', itemsOf(z.object({ domain: z.string() })))
  if (domains.items.some(({ domain }) => domain === senderDomain)) return
  await owner.request('POST /api/sender-domains', z.unknown(), { domain: senderDomain })
  await owner.request('POST /api/suppressions', z.unknown(), { address: 'einkauf@altmarkt.example' })
  await owner.request('POST /api/email-templates', z.unknown(), {
    name: 'invoice-reminder',
    subject: 'Reminder: invoice {{number}}',
    text: 'Hello {{name}},\n\ninvoice {{number}} over {{amount}} is due.',
  })
  for (const sender of senders) {
    const { id } = await owner.request('POST /api/senders', CreatedObject, sender)
    for (const to of recipients) await owner.request(`POST /api/senders/${id}/test`, z.unknown(), { to })
  }
}

const questions = ['Write a headline for our autumn blend.', 'Say it in ten words.', 'Translate it to German.']

/** So that there is telemetry. */
async function callPracticeModels(owner: Client): Promise<void> {
  const { items } = await owner.request('GET /api/telemetry?limit=1', itemsOf(z.unknown()))
  if (items.length > 0) return
  for (const model of ['practice-small', 'practice-large'])
    for (const content of questions) {
      const messages = [{ role: 'user', content }]
      await owner.request('POST /api/ai/v1/chat/completions', z.unknown(), { model, messages })
    }
}

/** The same for the same day, however often it is asked. */
function eventsOf(day: string, people: readonly string[]) {
  const random = randomFrom(day)
  const weekday = new Date(day).getUTCDay()
  const pace = weekday === 0 || weekday === 6 ? 0.35 : 1
  return habits.flatMap((habit) =>
    Array.from({ length: Math.max(1, Math.round(habit.daily * pace * (0.8 + 0.4 * random()))) }, (_, index) => {
      const size = 0.5 + random()
      const post = Math.floor(random() * 4)
      return {
        requestId: `demo-${day}-${habit.application}-${habit.model ?? habit.family}-${index}`,
        applicationId: habit.application,
        userId: people[Math.floor(random() * people.length)] ?? null,
        family: habit.family,
        provider: habit.provider,
        model: habit.model,
        unit: habit.unit,
        quantity: Math.round(habit.quantity * size),
        costNanoUsd: Math.round(habit.cost * size),
        occurredAt: new Date(Date.parse(day) + Math.floor((6 * 60 + random() * 14 * 60) * minuteMs)).toISOString(),
        metadata: habit.forPosts ? { brand: brands[post % 2] ?? '', post: `${day} ${post}` } : {},
      }
    }),
  )
}

/** Deterministic numbers from 0 to 1. */
function randomFrom(text: string): () => number {
  let state = Bun.hash.wyhash(text)
  return () => {
    state = Bun.hash.wyhash(String(state))
    return Number(state % 1_000_003n) / 1_000_003
  }
}

const limitsOf = (organizationId: string) => [
  { scope_type: 'organization', scope_value: organizationId, period: 'month', limitNanoUsd: 600 * usd, mode: 'hard' },
  {
    scope_type: 'application',
    scope_value: 'platform-socialize',
    family: 'ai',
    period: 'week',
    limitNanoUsd: 75 * usd,
    mode: 'soft',
    timeZone: 'Europe/Berlin',
  },
  {
    scope_type: 'application',
    scope_value: 'mail',
    family: 'email',
    period: 'month',
    limitNanoUsd: 10 * usd,
    mode: 'observe',
  },
  // The practice models use up nearly all of it, also on a Monday without other usage.
  {
    scope_type: 'organization',
    scope_value: organizationId,
    family: 'ai',
    period: 'week',
    limitNanoUsd: usd / 2_500,
    mode: 'observe',
  },
]

async function seedLimit(owner: Client, limit: object): Promise<void> {
  try {
    await owner.request('POST /api/limits', z.unknown(), limit)
  } catch (error) {
    if (!(error instanceof SeedRefused && error.status === 409)) throw error
  }
}
