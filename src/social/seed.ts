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

/** Existing ones remain unchanged. */
export async function seedWorkspace(owner: Client, now: Date): Promise<void> {
  const coffee = await seedBrand(owner, 'Acme Coffee', 'Europe/Berlin')
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
  await seedPosts(owner, travel, [
    { ...to(away), text: 'Night train, then breakfast by the sea', ...scheduled(4) },
    { ...to(away), text: 'Where to next?' },
  ])
}

async function seedBrand(owner: Client, name: string, timeZone: string): Promise<string> {
  const { items } = await owner.request('GET /api/brands?limit=100', itemsOf(Brand))
  const known = items.find((brand) => brand.name === name)
  return (known ?? (await owner.request('POST /api/brands', Brand, { name, timeZone }))).id
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
