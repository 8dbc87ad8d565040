import { z } from 'zod'
import { lineText, plainText, withoutEmpty } from '#lib/text.ts'
import { Provider, providersWithComments } from './networks.ts'

const splitAt = (separators: RegExp) => (value: unknown) =>
  typeof value === 'string' ? value.split(separators).filter((item) => item.trim() !== '') : value

/** The first of those with the same key. */
const uniqueBy =
  (keyOf: (item: string) => string) =>
  (items: string[]): string[] =>
    items.filter((item, at) => items.findIndex((other) => keyOf(other) === keyOf(item)) === at)

export const Voice = plainText(2000)
  .trim()
  .nullable()
  .transform((text) => text || null)

const maxWords = 100

/** Forms send one text, with commas or lines. */
export const AvoidedWords = z.preprocess(
  splitAt(/[,\n]/),
  z
    .array(
      lineText(60)
        .min(1)
        .regex(/^[^,]*$/, 'Must not contain commas.'),
    )
    .max(maxWords)
    .transform(uniqueBy((word) => word.toLowerCase())),
)

function canonicalLanguage(code: string): string | null {
  try {
    return Intl.getCanonicalLocales(code)[0] ?? null
  } catch {
    return null
  }
}

const Language = z
  .string()
  .max(35)
  .transform((code, context) => {
    const language = canonicalLanguage(code)
    if (language !== null) return language
    context.addIssue({ code: 'custom', message: 'Must be a language code such as en or pt-BR.' })
    return z.NEVER
  })
export const Languages = withoutEmpty(
  z
    .array(Language)
    .max(20)
    .transform(uniqueBy((code) => code)),
)

export const Color = z
  .string()
  .regex(/^#[0-9a-f]{6}$/i, 'Must be a color such as #0f766e.')
  .transform((color) => color.toLowerCase())

export const maxColors = 8

export const Colors = z
  .array(Color)
  .max(maxColors)
  .transform(uniqueBy((color) => color))

const luminanceOf = (color: string): number => {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(color.slice(at, at + 2), 16) / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** As WCAG 2.2 defines it, rounded down to a tenth so that a color that fails isn't shown as one that passes. */
export const contrastOnWhite = (color: string): number => Math.floor((1.05 / (luminanceOf(color) + 0.05)) * 10) / 10

/** What WCAG asks of text. */
export const minTextContrast = 4.5

const Hashtag = z
  .string()
  .max(100)
  .transform((tag) => `#${tag.trim().replace(/^[#＃]/u, '')}`)
  .pipe(
    z
      .string()
      .regex(
        /^#(?=.*\p{L})[\p{L}\p{M}\p{N}_]+$/u,
        'Must be a hashtag such as #coffee: letters, digits and underscores.',
      ),
  )

export const maxHashtags = 30

/** Forms send one text, with spaces or commas. */
export const Hashtags = z.preprocess(
  splitAt(/[\s,]+/),
  z
    .array(Hashtag)
    .max(maxHashtags)
    .transform(uniqueBy((tag) => tag.toLowerCase())),
)

export const HashtagPlacement = z.enum(['text', 'comment', 'none'])
export type HashtagPlacement = z.output<typeof HashtagPlacement>

export const HashtagPlacements = z.partialRecord(Provider, HashtagPlacement)
export type HashtagPlacements = z.output<typeof HashtagPlacements>

export const HashtagPlacementsInput = HashtagPlacements.superRefine((placements, context) => {
  for (const provider of Provider.options) {
    if (placements[provider] !== 'comment' || providersWithComments.includes(provider)) continue
    context.addIssue({
      code: 'custom',
      path: [provider],
      message: 'Must be text or none: Atrium can’t write first comments on this network.',
    })
  }
})
