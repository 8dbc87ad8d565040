import { expect } from 'bun:test'
import type { Feed, Post, PostReviews, Review } from '#social/types'
import type { Person, ProblemBody, SocialServer } from './social-server.ts'
import { createWriter, inMinutes, type Writer } from './writer.ts'

export const all = ['posts:read', 'posts:write', 'posts:review', 'accounts:write', 'brands:write', 'calendar:write']

export interface Missing extends ProblemBody {
  approvals: number
  needed: number
  missing: number
}

export interface Team extends Writer {
  ben: Person
  cleo: Person
}

/** Ada writes; Ben and Cleo can review. */
export async function createTeam(desk: SocialServer, reviewPolicy: object = { approvals: 1 }): Promise<Team> {
  const ada = await createWriter(desk, desk.person({ permissions: all }))
  const organization = { id: ada.person.organizationId, slug: 'acme', role: 'reviewer' as const }
  const reviewer = () => desk.person({ organization, permissions: ['posts:read', 'posts:review'] })
  await setPolicy(ada, reviewPolicy)
  return { ...ada, ben: reviewer(), cleo: reviewer() }
}

export async function setPolicy({ person, brand }: Writer, reviewPolicy: object): Promise<void> {
  const { status } = await person.fetch(`PUT /api/brands/${brand.id}`, { reviewPolicy })
  expect(status).toBe(200)
}

export const decide = (person: Person, { id }: { id: string }, decision = 'approve', more: object = {}) =>
  person.fetch<Review & ProblemBody>(`POST /api/posts/${id}/reviews`, { decision, ...more })
export const schedule = (team: Writer, { id }: { id: string }, more: object = {}) =>
  team.change<Post & Missing>(id, { status: 'scheduled', scheduledAt: inMinutes(60), ...more })
export const reviewsOf = async (person: Person, { id }: { id: string }) =>
  (await person.fetch<PostReviews>(`GET /api/posts/${id}/reviews`)).body
export const feedOf = async (person: Person, query: string) => (await person.fetch<Feed>(`GET /api/feed?${query}`)).body

export async function draftThread(team: Writer, ...texts: string[]): Promise<Post[]> {
  const { body } = await team.write<{ items: Post[] }>({ text: undefined, thread: texts.map((text) => ({ text })) })
  return body.items
}

/** One submission, with a post per text to an account of its own. */
export async function submit(team: Writer, ...texts: string[]): Promise<Post[]> {
  const targets = []
  for (const text of texts) targets.push({ provider: 'sandbox', text, target: { connectionId: await connect(team) } })
  const { status, body } = await team.write<{ items: Post[] }>({ provider: undefined, targets })
  expect(status).toBe(201)
  return body.items
}

async function connect({ person, brand }: Writer): Promise<string> {
  const path = 'POST /api/integrations/sandbox/connect'
  const account = { brandId: brand.id, handle: `own-${crypto.randomUUID().slice(-12)}` }
  return (await person.fetch<{ connection: { id: string } }>(path, account)).body.connection.id
}
