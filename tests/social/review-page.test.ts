import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Post, PostComment } from '#social/types'
import { invite } from './guests.ts'
import { createTeam, decide, feedOf, reviewsOf, setPolicy, type Team } from './review-team.ts'
import { openSocialServer, type SocialServer } from './social-server.ts'
import { markPublished } from './writer.ts'

let desk: SocialServer
beforeAll(async () => {
  desk = await openSocialServer({ pages: true })
})
afterAll(() => desk.close())

const requestReview = (team: Team, { id }: Post) => team.person.fetch(`POST /api/posts/${id}/review-requests`)
const drawFeed = (team: Team, query: string) =>
  team.ben.draw(`GET /workspace/feed?brandId=${team.brand.id}${query && `&${query}`}`)
const drawPanel = (team: Team, { id }: Post) => team.ben.draw(`GET /api/posts/${id}/reviews`)

/** The badge of each card, by the title of the card. */
const badgesIn = (html: string): Record<string, string | undefined> =>
  Object.fromEntries(
    html
      .split('<article')
      .slice(1)
      .map((card) => [
        /<a href="\/workspace\/posts\/[^>]*>([^<]*)</.exec(card)?.[1]?.trim() ?? '',
        /<span class="badge"[^>]*><span>([^<]*)</.exec(card)?.[1]?.trim(),
      ]),
  )

const addressIn = (html: string) => (/id="feed" hx-get="([^"]*)"/.exec(html)?.[1] ?? '').replaceAll('&amp;', '&')

/** A post in each state of a review, named by it. */
async function createEach(team: Team): Promise<void> {
  const draft = async (text: string) => {
    const post = await team.draft(text)
    await requestReview(team, post)
    return post
  }
  await draft('New')
  const approved = await draft('Good')
  await decide(team.ben, approved)
  await decide(team.cleo, approved)
  await decide(team.ben, await draft('Half'))
  await decide(team.ben, await draft('Bad'), 'request_changes')
  const voided = await draft('Old')
  await decide(team.ben, voided)
  await team.change(voided.id, { text: 'Edited' })
}

test('SOC-32 feed shows each post with the state of its review, in the list of this state', async () => {
  const team = await createTeam(desk, { approvals: 2 })
  expect(await drawFeed(team, '')).toContain('Nothing to review')
  await createEach(team)
  const all = await drawFeed(team, 'show=all')
  expect(badgesIn(all)).toEqual({
    New: '0 of 2 approvals',
    Good: 'Approved',
    Half: '1 of 2 approvals',
    Bad: 'Changes requested',
    Edited: 'Approval voided by an edit',
  })
  expect(all).toContain('3 to review')
  expect(Object.keys(badgesIn(await drawFeed(team, 'show=done')))).toEqual(['Good'])
  expect(Object.keys(badgesIn(await drawFeed(team, '')))).toEqual(['Edited', 'New'])
  const stateOf = async (state: string) =>
    (await feedOf(team.ben, `brandId=${team.brand.id}&state=${state}`)).items.map(({ post, review }) => [
      post.text,
      review.state,
      review.missing,
    ])
  expect(await stateOf('pending')).toEqual([
    ['Edited', 'pending', 2],
    ['Half', 'pending', 1],
    ['New', 'pending', 2],
  ])
  expect(await stateOf('approved')).toEqual([['Good', 'approved', 0]])
  expect(await stateOf('changes_requested')).toEqual([['Bad', 'changes_requested', 2]])
})

test('SOC-32 feed that reloads itself shows the same page of the same list', async () => {
  const team = await createTeam(desk)
  for (const text of ['One', 'Two', 'Three']) await requestReview(team, await team.draft(text))
  const { nextCursor: cursor } = await feedOf(team.ben, `brandId=${team.brand.id}&limit=2`)
  const shown = await drawFeed(team, `show=all&cursor=${cursor}`)
  expect(Object.keys(badgesIn(shown))).toEqual(['One'])
  const reloaded = await team.ben.draw(`GET ${addressIn(shown)}`)
  expect(Object.keys(badgesIn(reloaded))).toEqual(['One'])
  const limited = `/api/feed?brandId=${team.brand.id}&state=all&mine=true&cursor=${cursor}&limit=1`
  expect(addressIn(await team.ben.draw(`GET ${limited}`))).toBe(limited)
})

test('SOC-32 published post keeps its review when the policy becomes stricter', async () => {
  const team = await createTeam(desk)
  const [approved, other] = [await team.draft('Approved'), await team.draft('Never reviewed')]
  await decide(team.ben, approved)
  await requestReview(team, other)
  for (const { id } of [approved, other]) await markPublished(desk, id)
  await setPolicy(team, { approvals: 3, countGuests: false })
  const history = { needed: 0, missing: 0 }
  expect((await reviewsOf(team.ben, approved)).review).toMatchObject({ state: 'approved', approvals: 1, ...history })
  expect((await reviewsOf(team.ben, other)).review).toMatchObject({ state: null, approvals: 0, ...history })
  for (const post of [approved, other]) expect(await drawPanel(team, post)).not.toContain('before it can be published')
  expect(badgesIn(await drawFeed(team, 'show=done'))).toEqual({ Approved: 'Approved' })
  const waiting = await team.draft('Waiting')
  await decide(team.ben, waiting)
  expect(await drawPanel(team, waiting)).toContain('Needs 2 approvals before it can be published.')
  await decide(team.cleo, waiting)
  expect(await drawPanel(team, waiting)).toContain('Needs an approval before it can be published.')
})

const commentsIn = (html: string) =>
  [...html.matchAll(/<p class="prose wrap-anywhere">\s*(Comment \d+)/g)].map(([, text]) => text)
const numbered = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => `Comment ${from + at}`)
const olderIn = (html: string) =>
  /hx-get="(\/api\/posts\/[^"]*\/comments[^"]*)"/.exec(html)?.[1]?.replaceAll('&amp;', '&')

test('SOC-32 newest comments of a post are shown, with the older ones behind a button, in the feed only open ones', async () => {
  const team = await createTeam(desk)
  const post = await team.draft('Discussed')
  await requestReview(team, post)
  const path = `/api/posts/${post.id}/comments`
  for (const text of numbered(1, 23)) expect((await team.ben.fetch(`POST ${path}`, { text })).status).toBe(201)
  const panel = await drawPanel(team, post)
  expect(commentsIn(panel)).toEqual(numbered(4, 23))
  const older = await team.ben.draw(`GET ${olderIn(panel)}`)
  expect([commentsIn(older), olderIn(older)]).toEqual([numbered(1, 3), undefined])
  expect(older).not.toContain('<form')

  const listed = async (query: string) => (await team.ben.fetch<{ items: PostComment[] }>(`GET ${path}?${query}`)).body
  const [newest] = (await listed('order=newest&limit=1')).items
  await team.ben.fetch(`PUT ${path}/${newest?.id}`, { resolved: true })
  expect((await listed('resolved=true')).items.map(({ text }) => text)).toEqual(['Comment 23'])
  expect((await listed('resolved=false&limit=100')).items.map(({ text }) => text)).toEqual(numbered(1, 22))
  const feed = await drawFeed(team, '')
  expect(commentsIn(feed)).toEqual(numbered(3, 22))
  expect(commentsIn(await team.ben.draw(`GET ${olderIn(feed)}`))).toEqual(numbered(1, 2))
})

test('SOC-14 SOC-32 reviewers and guests see the link preview of a post and the settings of a video', async () => {
  const team = await createTeam(desk)
  const linkPreview = { url: 'https://acme.example/plum', title: 'Plum <cake>', description: 'Recipe', imageUrl: null }
  const youtube = { title: 'How we bake', privacy: 'unlisted', tags: ['plum'], madeForKids: false }
  const card = (await team.write({ provider: 'bluesky', text: 'Read it', linkPreview })).body
  const video = (await team.write({ provider: 'youtube', text: 'Watch it', youtube })).body
  for (const post of [card, video]) await requestReview(team, post)
  const guest = await invite(desk, team, { postIds: [card.id, video.id] })
  const shown = [
    'Link preview: Plum &lt;cake&gt; · Recipe · https://acme.example/plum',
    'YouTube: How we bake · unlisted · tags plum · not made for kids',
  ]
  const feed = await drawFeed(team, 'show=all')
  const page = await (await guest.page()).text()
  for (const line of shown) expect([feed.includes(line), page.includes(line)]).toEqual([true, true])
  for (const [at, { id }] of [card, video].entries())
    expect(await team.ben.draw(`GET /workspace/posts/${id}`)).toContain(shown[at] ?? '')
})

test('SOC-14 SOC-49 reviewers, guests and the post’s page see what the brand publishes of a link preview', async () => {
  const linkPreview = {
    url: 'https://acme.example/fig',
    title: 'Fig tart',
    description: 'Recipe',
    imageUrl: 'https://acme.example/fig.png',
  }
  for (const [provider, image, present, absent] of [
    ['bluesky', false, ['Fig tart', 'The image of the link preview isn’t published'], ['fig.png']],
    [
      'threads',
      null,
      [
        'Link preview: https://acme.example/fig<',
        'Threads reads the title and image of this page when the post is published',
      ],
      ['Fig tart', 'fig.png', 'isn’t published: the brand'],
    ],
  ] as const) {
    const team = await createTeam(desk)
    const post = (await team.write({ provider, text: 'Read it', linkPreview })).body
    await requestReview(team, post)
    const guest = await invite(desk, team, { postIds: [post.id] })
    const pages = [
      await drawFeed(team, 'show=all'),
      await (await guest.page()).text(),
      await team.ben.draw(`GET /workspace/posts/${post.id}`),
    ]
    for (const page of pages) {
      for (const words of present) expect(page).toContain(words)
      for (const words of absent) expect(page).not.toContain(words)
    }
    expect(await team.ben.fetch(`GET /api/posts/${post.id}`)).toMatchObject({ body: { linkPreviewImage: image } })
  }
})
