import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eventually, killRest, run } from '../boot/program.ts'
import { emptyDatabase, freshDatabase, type TestDatabase } from '../support/database.ts'
import { inMs, newPublisher, type Post } from '../support/publisher.ts'
import { secretsKey, serve } from '../support/served.ts'

// A backup in the middle of sending a post, restored with --hold before the post's lease expires.

const home = mkdtempSync(join(tmpdir(), 'atrium-hold-'))
let before: TestDatabase
let after: TestDatabase

beforeAll(async () => {
  before = await freshDatabase()
  after = await emptyDatabase()
})
afterAll(async () => {
  await killRest()
  await Promise.all([before.drop(), after.drop()])
  rmSync(home, { recursive: true, force: true })
})

async function command(words: string[], databaseUrl: string) {
  const env = { ATRIUM_ENV: 'test', DATABASE_URL: databaseUrl, SECRETS_KEY: secretsKey, DATA_DIR: home }
  const program = run([process.execPath, 'src/cli.ts', ...words], { env })
  return { status: await program.exited, said: program.output() }
}

const longLease = { PUBLISH_LEASE_MS: '600000', PUBLISH_RETRY_BUDGET_MS: '120000' }

test('PLT-35 post that was being sent during the backup is a draft after restore --hold, and its account is free', async () => {
  const server = await serve({ databaseUrl: before.url, env: longLease })
  const ada = await newPublisher(server.url)
  const target = { connectionId: await ada.connect('held') }
  await ada.behave('held', { mode: 'timeout' })
  const sent = await ada.post({ text: 'Sent', status: 'scheduled', scheduledAt: inMs(200), target })
  const isSending = async () => {
    const refused = await fetch(`${server.url}/api/posts/${sent.id}`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${ada.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ campaign: 'probe' }),
    })
    return refused.status === 409
  }
  expect(await eventually(isSending)).toBe(true)
  const archive = join(home, 'sending.tar.gz')
  expect(await command(['backup', archive], before.url)).toMatchObject({ status: 0 })
  server.kill('SIGKILL')
  await server.exited

  const restored = await command(['restore', archive, '--hold'], after.url)
  expect(restored).toMatchObject({ status: 0, said: expect.stringContaining('1 overdue post was moved to drafts') })
  const again = ada.through((await serve({ databaseUrl: after.url, env: longLease })).url)
  await again.behave('held', { mode: 'ok' })
  expect(await again.read(sent.id)).toMatchObject({ status: 'draft', scheduledAt: null, waitingFor: null })
  expect(await again.call<Post>('PUT', `/api/posts/${sent.id}`, { text: 'Edited' })).toMatchObject({ text: 'Edited' })
  const other = await again.post({ text: 'Other', status: 'scheduled', scheduledAt: inMs(100), target })
  await again.until(other.id, ({ status }) => status === 'published')
  await again.call('POST', `/api/posts/${sent.id}/publish-now`)
  await again.until(sent.id, ({ status }) => status === 'published')
  expect((await again.received('held')).map(({ text }) => text)).toEqual(['Other', 'Edited'])
})
