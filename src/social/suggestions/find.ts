import { sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Actor } from '#lib/actor.ts'
import type { Call } from '#lib/call.ts'
import { testKeyNetwork } from '../access.ts'
import * as brands from '../brands/brands.ts'
import { Provider, type SuggestionList } from '../contract.ts'

type SuggestionKind = 'hashtag' | 'mention'

interface Sought {
  id: string
  kind: SuggestionKind
  prefix?: string | undefined
}

/** Posts that are read, and characters of each. */
const maxRead = 300
const maxCharacters = 2_000
const maxSuggestions = 8

const patterns: Record<SuggestionKind, string> = {
  hashtag: '(?:^|[^[:alnum:]_&/#])(#[[:alnum:]_]*[[:alpha:]][[:alnum:]_]*)',
  mention: '(?:^|[^[:alnum:]_@/.])(@[[:alnum:]_](?:[[:alnum:]_.@-]*[[:alnum:]_])?)',
}

const Found = z.object({ text: z.string(), posts: z.int(), providers: z.array(Provider) })

/** By the number of posts, after the brand's default hashtags. @throws {Problem} 404 for a brand of another organization */
export async function findSuggestions(
  { db, actor }: Pick<Call<unknown, Actor>, 'db' | 'actor'>,
  { id, kind, prefix = '' }: Sought,
): Promise<SuggestionList> {
  const brand = await brands.get(db, actor, id)
  const start = prefix.replace(/^[#@]/, '').toLowerCase()
  const readable = actor.credential.test ? sql`provider = ${testKeyNetwork}` : sql`true`
  const rows = await db.execute(sql`
    WITH newest AS (
      SELECT id, provider, left(text, ${maxCharacters}) AS text FROM social.posts
      WHERE brand_id = ${id} AND ${readable} ORDER BY sort_at DESC, id DESC LIMIT ${maxRead}
    ), found AS (
      SELECT newest.id, newest.provider, words.word
      FROM newest CROSS JOIN LATERAL (
        SELECT DISTINCT match[1] AS word FROM regexp_matches(newest.text, ${patterns[kind]}, 'g') AS match
      ) words
    )
    SELECT mode() WITHIN GROUP (ORDER BY word) AS text, count(DISTINCT id)::int AS posts,
      array_agg(DISTINCT provider) AS providers
    FROM found WHERE starts_with(lower(substr(word, 2)), ${start})
    GROUP BY lower(word) ORDER BY count(DISTINCT id) DESC, lower(word) LIMIT ${maxSuggestions}`)
  const used = rows.map((row) => Found.parse(row))
  const byWord = new Map(used.map((found) => [found.text.toLowerCase(), found]))
  const defaults = kind === 'hashtag' ? brand.defaultHashtags.map((tag) => `#${tag.replace(/^#/, '')}`) : []
  const first = defaults
    .filter((tag) => tag.slice(1).toLowerCase().startsWith(start))
    .map((text) => ({ posts: 0, providers: [], ...byWord.get(text.toLowerCase()), text }))
  const isDefault = new Set(first.map(({ text }) => text.toLowerCase()))
  const others = used.filter(({ text }) => !isDefault.has(text.toLowerCase()))
  return { items: [...first, ...others].slice(0, maxSuggestions) }
}
