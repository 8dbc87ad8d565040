import { z } from 'zod'

export const flag = z.enum(['true', 'false', '1', '0']).transform((value) => value === 'true' || value === '1')
export const list = z.string().transform((text) =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean),
)
export const number = (least: number, most = Number.MAX_SAFE_INTEGER) =>
  z.coerce
    .number({ error: ({ code }) => (code === 'invalid_type' ? 'Must be a number.' : undefined) })
    .int('Must be a whole number.')
    .min(least, `Must be at least ${least}.`)
    .max(most, `Must be at most ${most}.`)
export const milliseconds = (fallback: number) => number(1).default(fallback)
export const address = (protocol: RegExp, example: string) =>
  z.url({ protocol, error: `Must be a URL, such as ${example}.` })
export const postgresUrl = address(/^postgres(ql)?$/, 'postgres://user:password@host:5432/atrium').refine(
  (url) => !new URL(url).searchParams.has('prepare'),
  'Must not have the parameter “prepare”. Set DATABASE_PREPARE=false instead.',
)
export const perMinute = (fallback: number) => number(0, 10_000_000).default(fallback)
export const web = address(/^https?$/, 'https://atrium.example.com')
/** A URL without credentials, path and query: requests with credentials of this server go to paths of its own. */
export const origin = web.refine((text) => {
  const url = URL.parse(text)
  // Other protocols are refused before.
  return !url || url.origin === 'null' || (url.href === `${url.origin}/` && !url.username)
}, 'Must be an origin such as https://atrium.example.com, without a path or credentials.')
const host = z.hostname('Must be a host without a scheme, such as social.example.com.').toLowerCase()
export const hosts = list.pipe(z.array(host)).default([])
export const routes = list.transform((pairs, context) => {
  const parsed = pairs.map((pair) => /^([a-z][a-z0-9-]*)=([\w./-]+)$/.exec(pair))
  if (parsed.includes(null)) {
    context.addIssue({ code: 'custom', message: 'Must be a list such as openai=openai,anthropic=anthropic/v1.' })
    return z.NEVER
  }
  return new Map(parsed.map((found) => [found?.[1] ?? '', found?.[2] ?? ''] as const))
})
export const hostsBySlug = list.transform((pairs, context) => {
  const parsed = pairs.map((pair) => /^([a-z0-9][a-z0-9-]*)=(https?:\/\/\S+)$/.exec(pair))
  if (parsed.some((found) => !found || !URL.canParse(found[2] ?? ''))) {
    context.addIssue({ code: 'custom', message: 'Must be a list such as bookings=https://bookings.example.com.' })
    return z.NEVER
  }
  return new Map(parsed.map((found) => [found?.[1] ?? '', found?.[2] ?? ''] as const))
})
export const originsByHost = list.transform((pairs, context) => {
  const parsed = pairs.map((pair) => /^([a-z0-9-]+(?:\.[a-z0-9-]+)+)=(https?:\/\/[^/?#@]+)$/.exec(pair))
  if (parsed.some((found) => !found || !URL.canParse(found[2] ?? ''))) {
    context.addIssue({ code: 'custom', message: 'Must be a list such as api.x.com=http://127.0.0.1:4000.' })
    return z.NEVER
  }
  return new Map(parsed.map((found) => [found?.[1] ?? '', found?.[2] ?? ''] as const))
})
export const key = z.string().regex(/^[0-9a-f]{64}$/i, 'Must be 32 bytes as 64 hexadecimal digits.')

const text32 = z.string().regex(/^[\w-]{43}$/)
export const privateKey = z
  .string()
  .transform((text, context) => {
    try {
      return JSON.parse(text) as unknown
    } catch {
      context.addIssue({
        code: 'custom',
        message: 'Must be a private key in JWK format, as printed by "bun run service:key".',
      })
      return z.NEVER
    }
  })
  .pipe(
    z.object(
      { kty: z.literal('OKP'), crv: z.literal('Ed25519'), x: text32, d: text32 },
      'Must be a private Ed25519 key in JWK format, as printed by "bun run service:key".',
    ),
  )
