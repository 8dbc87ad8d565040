import { afterAll, beforeAll, expect, test } from 'bun:test'
import { startLinkedIn, type LinkedInCounterpart } from '../../counterparts/linkedin/index.ts'
import { eventually } from '../../boot/program.ts'
import { administer } from '../../support/database.ts'
import { drawPage } from './support/connect.ts'
import {
  notWritten,
  testCommentOutcomes,
  throttled,
  untilCommented,
  written,
  writtenOnce,
} from './support/comment-outcomes.ts'
import { openNetworkSite, type NetworkSite } from './support/site.ts'

const linkedin: Record<'member' | 'page', LinkedInCounterpart> = {
  member: startLinkedIn(),
  page: startLinkedIn({ isPartner: true }),
}
let profiles: NetworkSite
let pages: NetworkSite

beforeAll(async () => {
  const { member, page } = linkedin
  profiles = await openNetworkSite({ provider: 'linkedin', counterpart: member, app: member.apps.member })
  pages = await openNetworkSite({ provider: 'linkedin-page', counterpart: page, app: page.apps.page })
})

afterAll(async () => {
  await profiles.close()
  await pages.close()
})

const route = 'api POST /rest/socialActions/:urn/comments'
const signedOut = notWritten('signed_out', 'Reconnect it', { health: 'signed_out' })
let people = 0

async function connectProfile() {
  const member = linkedin.member.directory.member(`Ada ${(people += 1)}`)
  const { connectionId } = await profiles.connect(member.id, (url) => linkedin.member.consent(url, member))
  return {
    connectionId,
    posts: () => linkedin.member.posts(member),
    comments: () => textsOf(linkedin.member.posts(member)),
  }
}

async function connectPage() {
  const member = linkedin.page.directory.member(`Ada ${(people += 1)}`)
  const page = linkedin.page.directory.organization(`Acme ${people}`, member)
  const at = await pages.consent((url) => linkedin.page.consent(url, member))
  const { connections } = await pages.choose(at, [page.id])
  return {
    connectionId: connections[0]?.id ?? '',
    posts: () => linkedin.page.posts(page),
    comments: () => textsOf(linkedin.page.posts(page)),
  }
}

const textsOf = (posts: { comments: { text: string }[] }[]): string[] =>
  posts.flatMap(({ comments }) => comments.map(({ text }) => text))

test('SOC-10 unknown first comment is confirmed by a person, or sent again', async () => {
  const account = await connectProfile()
  const { ada } = profiles
  const write = async (text: string) => {
    linkedin.member.fail(route, 'no_answer_before')
    return untilCommented(ada, (await profiles.schedule(account, { text, firstComment: `On ${text}` })).id)
  }
  const [one, two] = [await write('one'), await write('two')]
  expect(one.firstCommentStatus).toMatchObject({ state: 'unknown', can: { retry: true, confirm: true } })
  expect(await drawPage(ada, `/workspace/posts/${one.id}`)).toContain('hx-confirm="Look at the post on LinkedIn first.')
  await ada.call('POST', `/api/posts/${one.id}/first-comment/confirm`)
  await ada.call('POST', `/api/posts/${two.id}/first-comment/retry`)
  for (const { id } of [one, two])
    expect((await untilCommented(ada, id)).firstCommentStatus).toMatchObject({ state: 'published', failureCode: null })
  expect(account.comments()).toEqual(['On two'])
  await ada.call('POST', `/api/posts/${two.id}/first-comment/retry`, undefined, 409)
})

test('SOC-10 first comment has the limit of its network, and only the first post of a thread has one', async () => {
  const account = await connectPage()
  expect(await pages.refusalOf(account, { text: 'Long', firstComment: 'x'.repeat(1251) })).toBe(
    'Shorten the first comment by 1. LinkedIn Page allows 1250 characters.',
  )
  await pages.scheduleLater(account, { text: 'Long', firstComment: 'x'.repeat(1250) })
  const thread = [{ text: 'First' }, { text: 'Second' }]
  await pages.schedule(account, { thread, firstComment: 'Below the first' })
  const end = Date.now() + 20_000
  while (account.comments().length < 2 && Date.now() < end) await Bun.sleep(50)
  expect(account.comments().toSorted()).toEqual(['Below the first', 'Second'])
})

test('SOC-47 SOC-10 first comment of a paused account waits by name, and is written when it is resumed', async () => {
  const account = await connectPage()
  const { ada } = pages
  linkedin.page.fail(route, 'forbidden')
  const { id } = await pages.schedule(account, { text: 'Paused', firstComment: 'Later' })
  expect((await untilCommented(ada, id)).firstCommentStatus).toMatchObject({ state: 'failed' })
  const scope = { connectionId: account.connectionId }
  await ada.call('POST', '/api/publishing/pause', scope)
  await ada.call('POST', `/api/posts/${id}/first-comment/retry`)
  expect((await untilCommented(ada, id)).firstCommentStatus).toMatchObject({ waitingFor: { reason: 'paused' } })
  expect(account.comments()).toEqual([])
  await ada.call('POST', '/api/publishing/resume', scope)
  const end = Date.now() + 30_000
  while (account.comments().length === 0 && Date.now() < end) await Bun.sleep(50)
  expect(account.comments()).toEqual(['Later'])
})

test('SOC-10 post that is deleted from its network takes the action of its first comment along', async () => {
  const account = await connectPage()
  const { ada } = pages
  linkedin.page.fail(route, 'forbidden')
  const { id } = await pages.schedule(account, { text: 'Gone', firstComment: 'Below nothing' })
  await untilCommented(ada, id)
  const isOpen = () =>
    administer(
      pages.databaseUrl,
      async (sql) =>
        (
          await sql`SELECT FROM platform.raised_actions WHERE resolved_at IS NULL AND href = ${`/workspace/posts/${id}`}`
        ).length > 0,
    )
  expect(await eventually(isOpen)).toBe(true)
  await ada.call('DELETE', `/api/posts/${id}/publication`)
  expect(await eventually(async () => !(await isOpen()))).toBe(true)
  await ada.call('POST', `/api/posts/${id}/first-comment/retry`, undefined, 409)
})

/** A limit of the day ends at midnight, and comments wait for an hour at most. */
const limited = new Date().getUTCHours() === 23 ? throttled : notWritten('rate_limited', 'until')

const ofLinkedIn = {
  forbidden: notWritten('permission_missing', 'Connect it again'),
  rate_limited: limited,
  'server_error until the end': notWritten('provider_error', 'LinkedIn responded with'),
}

testCommentOutcomes({
  network: 'a LinkedIn Page',
  site: () => pages,
  counterpart: () => linkedin.page,
  route,
  connect: connectPage,
  outcomes: { ...writtenOnce, unauthorized: written, expired_token: written, revoked_token: written, ...ofLinkedIn },
})

/** LinkedIn doesn’t let apps read the comments of profiles. */
const unsure = (comments: number) =>
  notWritten('outcome_unknown', 'couldn’t confirm that the comment was written', { state: 'unknown', comments })

testCommentOutcomes({
  network: 'a LinkedIn profile',
  site: () => profiles,
  counterpart: () => linkedin.member,
  route,
  connect: connectProfile,
  outcomes: {
    ok: written,
    server_error: unsure(0),
    server_error_after: unsure(1),
    unauthorized: signedOut,
    revoked_token: signedOut,
    no_answer_before: unsure(0),
    no_answer_after: unsure(1),
    connection_lost: unsure(1),
    malformed: unsure(1),
    ...ofLinkedIn,
    'server_error until the end': unsure(0),
  },
})
