import { expect, test } from 'bun:test'
import { Cron } from 'croner'
import { readConfig } from '#config'
import { chosenContexts } from '../../src/contexts.ts'
import { openWorld } from '../support/world.ts'

const contexts = chosenContexts(readConfig({ ATRIUM_ENV: 'test' }))

test('PLT-31 every scheduled job is in the context that schedules it, and each pattern is valid for croner', () => {
  const scheduled = contexts.flatMap((context) =>
    (context.schedules ?? []).map((schedule) => ({ context, ...schedule })),
  )
  expect(scheduled.length).toBeGreaterThan(10)
  const unworked = scheduled.filter(({ context, job }) => ![...context.jobs, context.erasureJob].includes(job))
  expect(unworked.map(({ job }) => job.name)).toEqual([])
  for (const { cron } of scheduled) expect(new Cron(cron, { paused: true, timezone: 'UTC' }).nextRun()).not.toBeNull()
})

test('PLT-30 no two contexts have jobs with the same name', () => {
  const names = contexts.flatMap(({ jobs, erasureJob }) =>
    [...jobs, ...(erasureJob ? [erasureJob] : [])].map(({ name }) => name),
  )
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([])
})

test('PLT-04 process without social neither shows its data nor finds it in search', async () => {
  const world = await openWorld({ env: { SERVICES: 'identity' } })
  const { ada, stranger } = world
  const { cookie } = await ada.signIn()
  const html = { accept: 'text/html', 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'navigate', cookie }
  const page = await (await stranger.fetch('GET /settings/profile', undefined, html)).text()
  expect(page).toContain('Ada')
  expect(page).not.toContain('Acme Coffee')
  const { items } = await ada.fetchJson<{ items: { kind: string }[] }>('GET /api/search?q=acme')
  expect(items.filter(({ kind }) => kind === 'brand' || kind === 'post')).toEqual([])
  await world.close()
})
