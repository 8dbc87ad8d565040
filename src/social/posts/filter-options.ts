import { sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Actor } from '#lib/actor.ts'
import type { Call } from '#lib/call.ts'
import * as brands from '../brands/brands.ts'
import { testKeyNetwork } from '../access.ts'
import { Provider, providers, type PostFilterOptions } from '../contract.ts'

const maxRead = 1_000
const maxAccounts = 100
const maxTags = 100

const Row = z.object({
  tags: z.array(z.string()),
  campaigns: z.array(z.string()),
  authors: z.array(z.string()),
  providers: z.array(Provider),
  accounts: z.array(z.object({ id: z.string(), provider: Provider, name: z.string() })),
})

/** @throws {Problem} 404 for a brand of another organization */
export async function readFilterOptions(
  { db, actor, identity }: Pick<Call<unknown, Actor>, 'db' | 'actor' | 'identity'>,
  brandId: string,
): Promise<PostFilterOptions> {
  await brands.get(db, actor, brandId)
  const readable = actor.credential.test ? sql`provider = ${testKeyNetwork}` : sql`true`
  const [row] = await db.execute(sql`
    WITH newest AS (
      SELECT tags, campaign, author_id, provider FROM social.posts WHERE brand_id = ${brandId} AND ${readable}
      ORDER BY sort_at DESC, id DESC LIMIT ${maxRead}
    ), accounts AS (
      SELECT id, provider, name FROM social.connections WHERE brand_id = ${brandId} AND ${readable}
      ORDER BY provider, name, id LIMIT ${maxAccounts}
    )
    SELECT
      ARRAY(SELECT DISTINCT tag FROM newest, unnest(tags) AS tag ORDER BY tag LIMIT ${maxTags}) AS tags,
      ARRAY(SELECT DISTINCT campaign FROM newest WHERE campaign IS NOT NULL ORDER BY campaign LIMIT ${maxTags}) AS campaigns,
      ARRAY(SELECT DISTINCT author_id::text FROM newest) AS authors,
      ARRAY(SELECT provider FROM newest UNION SELECT provider FROM accounts) AS providers,
      coalesce((SELECT json_agg(accounts) FROM accounts), '[]') AS accounts`)
  const { tags, campaigns, authors, ...found } = Row.parse(row)
  const people = await identity.people(authors)
  return {
    providers: providers.filter((provider) => found.providers.includes(provider)),
    accounts: found.accounts,
    tags,
    campaigns,
    authors: authors
      .flatMap((id) => {
        const name = people.get(id)?.name
        return name ? [{ id, name }] : []
      })
      .toSorted((a, b) => a.name.localeCompare(b.name)),
  }
}
