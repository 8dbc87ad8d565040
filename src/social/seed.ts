import sharp from 'sharp'
import { z } from 'zod'
import { itemsOf, CreatedObject, type Client } from '#lib/seed-client.ts'

const Brand = CreatedObject.extend({ name: z.string() })
const Account = CreatedObject.extend({ account: z.object({ id: z.string() }) })
const Connected = z.object({ connection: CreatedObject })
const Post = CreatedObject.extend({ text: z.string() })
const CreatedPosts = z.object({ id: z.string().optional() })
const Media = CreatedObject.extend({ alt: z.string() })

const day = 24 * 60 * 60 * 1000

/** From Monday to Friday, and on the weekend. */
const queueSlots = [1, 2, 3, 4, 5, 6, 7].flatMap((weekday) =>
  (weekday < 6 ? ['08:30', '12:15', '18:30'] : ['10:00', '18:30']).map((time) => ({ day: weekday, time })),
)

/** Existing ones remain unchanged. */
export async function seedWorkspace(owner: Client, now: Date): Promise<void> {
  const coffee = await seedBrand(owner, 'Acme Coffee', 'Europe/Berlin', queueSlots)
  const travel = await seedBrand(owner, 'Acme Travel', 'America/New_York')
  const [main, strict, away] = [
    await seedAccount(owner, coffee, 'acme'),
    await seedAccount(owner, coffee, 'acme.strict'),
    await seedAccount(owner, travel, 'acme.travel'),
  ]
  await rejectEveryPost(owner, 'acme.strict')
  const later = (days: number) => new Date(now.getTime() + days * day).toISOString()
  const scheduled = (days: number) => ({ status: 'scheduled', scheduledAt: later(days) })
  const to = (connectionId: string) => ({ provider: 'sandbox', target: { connectionId } })
  const latte = await seedImage(owner, coffee, 'A cup of coffee from above')

  await seedPosts(owner, coffee, [
    { ...to(main), text: 'Idea: our beans, from tree to cup' },
    {
      ...to(main),
      text: 'New: our autumn blend. Nutty, smooth, and only here for a while.',
      ...scheduled(1),
      tags: ['autumn'],
    },
    { ...to(main), text: 'Our kind of Sunday', ...scheduled(2), media: [{ mediaId: latte }] },
    {
      ...to(main),
      ...scheduled(3),
      thread: [
        { text: 'How do you roast? Three steps.' },
        { text: 'One: go slow.' },
        { text: 'Two: be patient. Three: stop in time.' },
      ],
    },
    { ...to(main), text: 'We’re open today. Come by!', firstComment: '#berlincoffee #slowbar', publishNow: true },
    { ...to(strict), text: 'The network rejects this post', publishNow: true },
  ])
  await seedReviews(owner, now)
  await seedPosts(owner, travel, [
    { ...to(away), text: 'Night train, then breakfast by the sea', ...scheduled(4) },
    { ...to(away), text: 'Where to next?' },
  ])
}

/** A brand that requires an approval, with a post in each state of its review. */
async function seedReviews(owner: Client, now: Date): Promise<void> {
  const bakery = await seedBrand(owner, 'Acme Bakery', 'Europe/Berlin')
  const { items } = await owner.request(`GET /api/posts?brandId=${bakery}&limit=100`, itemsOf(Post))
  if (items.length > 0) return
  const connectionId = await seedAccount(owner, bakery, 'acme.bakery')
  await owner.request(`PUT /api/brands/${bakery}`, z.unknown(), { reviewPolicy: { approvals: 1, allowAuthor: true } })
  const write = async (text: string) => {
    const draft = { brandId: bakery, provider: 'sandbox', target: { connectionId }, text }
    const { id } = await owner.request('POST /api/posts', CreatedObject, draft)
    return id
  }
  const request = (id: string) => owner.request(`POST /api/posts/${id}/review-requests`, z.unknown(), {})
  const decide = (id: string, decision: string, comment?: string) =>
    owner.request(`POST /api/posts/${id}/reviews`, z.unknown(), { decision, comment })
  await write('An idea: bread from yesterday, at half the price')
  const waiting = await write('What would you like to learn: sourdough, croissants, or rye?')
  await request(waiting)
  await owner.request(`POST /api/posts/${waiting}/comments`, z.unknown(), { text: 'Do we have dates for these?' })
  const voided = await write('Plum cake is back from Monday. Same recipe, new plums.')
  await decide(voided, 'approve')
  await owner.request(`PUT /api/posts/${voided}`, z.unknown(), {
    text: 'Plum cake is back from Tuesday. Same recipe, better plums.',
  })
  const link = {
    brandId: bakery,
    postIds: [waiting, voided],
    canDecide: true,
    guestName: 'Petra Voss',
    expiresInDays: 30,
  }
  await owner.request('POST /api/review-links', CreatedObject, link)
  const refused = await write('Our rye bread is the best in Berlin')
  await request(refused)
  await decide(refused, 'request_changes', 'Says who? Let us name the award.')
  const approved = await write('We bake on Sundays now, from seven to noon')
  await decide(approved, 'approve')
  await owner.request(`PUT /api/posts/${approved}`, z.unknown(), {
    status: 'scheduled',
    scheduledAt: new Date(now.getTime() + 2 * day).toISOString(),
  })
}

interface QueueSlot {
  day: number
  time: string
}

async function seedBrand(
  owner: Client,
  name: string,
  timeZone: string,
  slots: readonly QueueSlot[] = [],
): Promise<string> {
  const { items } = await owner.request('GET /api/brands?limit=100', itemsOf(Brand))
  const known = items.find((brand) => brand.name === name)
  return (known ?? (await owner.request('POST /api/brands', Brand, { name, timeZone, queueSlots: slots }))).id
}

/** A 422 of the sandbox fails a post at once, without retries. */
async function rejectEveryPost(owner: Client, handle: string): Promise<void> {
  const route = `/dev/sandbox/api/accounts/${handle}/behavior`
  const { mode } = await owner.request(`GET ${route}`, z.object({ mode: z.string() }))
  if (mode === 'ok') await owner.request(`PUT ${route}`, z.unknown(), { mode: 'fail', status: 422 })
}

async function seedAccount(owner: Client, brandId: string, handle: string): Promise<string> {
  const { items } = await owner.request(`GET /api/accounts?brandId=${brandId}&limit=100`, itemsOf(Account))
  const known = items.find(({ account }) => account.id === handle)
  if (known) return known.id
  return (await owner.request('POST /api/integrations/sandbox/connect', Connected, { brandId, handle })).connection.id
}

/** The body of `POST /api/posts`. A post with the same text exists already. */
interface Draft {
  text?: string
  thread?: { text: string }[]
  publishNow?: true
  [field: string]: unknown
}

async function seedPosts(owner: Client, brandId: string, drafts: Draft[]): Promise<void> {
  const { items } = await owner.request(`GET /api/posts?brandId=${brandId}&limit=100`, itemsOf(Post))
  const known = new Set(items.map(({ text }) => text))
  const firstOf = ({ text, thread }: Draft) => text ?? thread?.[0]?.text ?? ''
  for (const draft of drafts.filter((one) => !known.has(firstOf(one)))) await seedPost(owner, brandId, draft)
}

async function seedPost(owner: Client, brandId: string, { publishNow, ...draft }: Draft): Promise<void> {
  const { id } = await owner.request('POST /api/posts', CreatedPosts, { brandId, ...draft })
  if (id && publishNow) await owner.request(`POST /api/posts/${id}/publish-now`, z.unknown(), {})
}

async function seedImage(owner: Client, brandId: string, alt: string): Promise<string> {
  const { items } = await owner.request(`GET /api/media?brandId=${brandId}&limit=100`, itemsOf(Media))
  const known = items.find((media) => media.alt === alt)
  if (known) return known.id
  const form = new FormData()
  form.set('brandId', brandId)
  form.set('alt', alt)
  form.set(
    'file',
    new File(
      [
        new Uint8Array(
          await sharp(cup(), { raw: { width, height, channels: 3 } })
            .png()
            .toBuffer(),
        ),
      ],
      'coffee.png',
    ),
  )
  return (await owner.request('POST /api/media', CreatedObject, form)).id
}

const [width, height] = [1200, 900]

function cup(): Buffer {
  const pixels = Buffer.alloc(width * height * 3)
  for (let at = 0; at < width * height; at++) {
    const radius = Math.hypot((at % width) - width / 2, Math.floor(at / width) - height / 2)
    pixels.set(colorAt(radius), at * 3)
  }
  return pixels
}

const colorAt = (radius: number): number[] => {
  if (radius < 90) return [217, 180, 143]
  if (radius < 250) return [107, 66, 38]
  return radius < 330 ? [255, 255, 255] : [233, 223, 210]
}
