import { expect } from 'bun:test'
import type { GuestReview, NewReviewLink, OpenReview } from '#social/types'
import { newId } from '#lib/ids.ts'
import type { ProblemBody, SocialServer } from './social-server.ts'
import { createWriter, type Writer } from './writer.ts'

export const reviewer = ['posts:read', 'posts:write', 'posts:review', 'accounts:write', 'brands:write', 'brands:read']

export const openWriter = (desk: SocialServer) => createWriter(desk, desk.person({ permissions: reviewer }))

/** A link of a brand, and what anyone who has its address can do: without a credential. */
export async function invite(desk: SocialServer, writer: Writer, values: Record<string, unknown> = {}) {
  const { body, status } = await writer.person.fetch<NewReviewLink>('POST /api/review-links', {
    brandId: writer.brand.id,
    canDecide: true,
    guestName: 'Petra Voss',
    ...values,
  })
  expect(status).toBe(201)
  const path = new URL(body.url ?? '').pathname
  return { link: body, path, ...guestAt(desk, path.slice('/review/'.length)) }
}

export function guestAt(desk: SocialServer, token: string) {
  const anyone = desk.person()
  const send = <Answer>(method: string, path = '', body?: unknown, headers: Record<string, string> = {}) =>
    anyone.fetch<Answer>(`${method} /api/review/${token}${path}`, body, { authorization: '', ...headers })
  return {
    token,
    send,
    page: (headers: Record<string, string> = {}) =>
      anyone.send(`GET /review/${token}`, undefined, { authorization: '', accept: 'text/html', ...headers }),
    file: (mediaId: string, rendition = 'preview') =>
      anyone.send(`GET /api/review/${token}/media/${mediaId}/${rendition}`, undefined, { authorization: '' }),
    /** As the page does every two seconds. */
    refresh: async () => {
      const headers = { authorization: '', accept: 'text/html', 'hx-request': 'true' }
      const response = await anyone.send(`GET /api/review/${token}`, undefined, headers)
      return { status: response.status, html: await response.text() }
    },
    read: () => send<GuestReview & ProblemBody>('GET'),
    open: async (): Promise<OpenReview> => {
      const { body } = await send<GuestReview>('GET')
      if (body.state !== 'open') throw new Error(`The link is ${JSON.stringify(body)}`)
      return body
    },
    name: (name: string) => send<{ guestName: string } & ProblemBody>('PUT', '/name', { name }),
    comment: (postId: string, text: string) =>
      send<{ id: string } & ProblemBody>('POST', '/comments', { postId, text }),
    decide: (
      posts: readonly { id: string; version: number }[],
      decision = 'approve',
      more: Record<string, unknown> = {},
      headers: Record<string, string> = {},
    ) =>
      send<{ items: { id: string; postId: string }[] } & ProblemBody>(
        'POST',
        '/decisions',
        { decision, posts: posts.map(({ id, version }) => ({ id, version })), ...more },
        headers,
      ),
    request: () => send<{ requestedAt: string | null } & ProblemBody>('POST', '/request'),
  }
}

/** An image of a brand, without its file. */
export async function addImage({ database: { sql } }: SocialServer, brandId: string): Promise<string> {
  const id = newId()
  await sql`
    INSERT INTO social.media (id, brand_id, created_by, name, alt, content_type, width, height, bytes, sha256, animated, renditions)
    VALUES (${id}, ${brandId}, ${newId()}, 'a.png', '', 'image/png', 1, 1, 1, 'aa', false, ${sql.json({})})`
  return id
}
