import { afterAll, beforeAll, expect, test } from 'bun:test'
import { startThreads, type ThreadsCounterpart } from '../../counterparts/threads/index.ts'
import { inMs, isSettled, newPublisher, type Post, type Publisher } from '../../support/publisher.ts'
import { beginConnecting, comeBack, findConnected, storeApp } from './support/connect.ts'
import { openNetworkSite, type NetworkSite } from './support/site.ts'

// Limits that count all calls of an app: organizations bring apps of their own.

let threads: ThreadsCounterpart
let site: NetworkSite

beforeAll(async () => {
  threads = startThreads()
  site = await openNetworkSite({ provider: 'threads', counterpart: threads, app: threads.app })
})

afterAll(() => site.close())

let accounts = 0

async function connect(who: Publisher): Promise<string> {
  const account = threads.account(`acme${(accounts += 1)}`)
  await comeBack(who, threads.consent(await beginConnecting(who, 'threads'), account))
  return (await findConnected(who, account.id)).id
}

async function publish(who: Publisher, connectionId: string): Promise<Post> {
  const due = { status: 'scheduled', scheduledAt: inMs(150), target: { connectionId } }
  const { id } = await who.post({ provider: 'threads', text: 'Hello', ...due })
  return who.until(id, (post) => isSettled(post) || post.waitingFor?.reason === 'rate_window', 20_000)
}

test('SOC-25 used-up limit of an organization’s app holds for its accounts, and for no other organization', async () => {
  const { ada } = site
  const bob = await newPublisher(site.url)
  await storeApp(bob, { provider: 'threads', ...threads.app })
  const [one, other] = [await connect(ada), await connect(ada)]
  threads.fail('graph POST /:user/threads_publish', 'rate_limited')
  expect(await publish(ada, one)).toMatchObject({ status: 'scheduled', waitingFor: { reason: 'rate_window' } })
  const calls = threads.calls.length
  expect(await publish(ada, other)).toMatchObject({ status: 'scheduled', waitingFor: { reason: 'rate_window' } })
  expect(threads.calls.length).toBe(calls)
  expect(await publish(bob, await connect(bob))).toMatchObject({ status: 'published' })
})
