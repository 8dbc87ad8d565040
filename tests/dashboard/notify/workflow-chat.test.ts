import { afterAll, beforeAll, expect, test } from 'bun:test'
import { newId } from '#lib/ids.ts'
import { handOverAction } from '#lib/raised-actions/hand-over.ts'
import { runWorkflow } from '../../../src/dashboard/workflows/runs/run.job.ts'
import { takeEvent } from '../../../src/dashboard/workflows/runs/take-event.ts'
import { openChatService } from './chat-service.ts'
import { openOffice, type Office } from './office.ts'

interface Run {
  id: string
  state: string
  log: { outcome: string; result: string | null }[]
}

let office: Office
const service = openChatService()
beforeAll(async () => {
  office = await openOffice()
})
afterAll(async () => {
  await service.close()
  await office.close()
})

const organizationId = () => office.world.ada.things.organizations
const work = () => ({ ...office.world.provided, database: office.world.database, now: () => new Date() })

/** From the event to what the chat receives. */
async function publish(workflowId: string): Promise<Run> {
  const { ada, database } = office.world
  await takeEvent(work(), {
    subscriptionId: workflowId,
    organizationId: organizationId(),
    messageId: newId(),
    type: 'post.published',
    timestamp: new Date().toISOString(),
    data: { postId: newId(), provider: 'bluesky', permalink: 'https://social.example/p/1' },
  })
  const path = `GET /api/workflows/${workflowId}/runs`
  const { items } = await ada.fetchJson<{ items: Run[] }>(path)
  const id = items[0]?.id ?? ''
  await runWorkflow.run({ ...work(), input: { id, round: 1, organizationId: organizationId() } })
  const raised = await database.sql<{ id: string }[]>`
    SELECT id FROM platform.raised_actions WHERE cause LIKE ${`dashboard.workflow:${id}:%`}`
  for (const one of raised)
    await handOverAction.run({ ...work(), input: { id: one.id, organizationId: organizationId() } })
  await office.announce()
  await office.sendDue()
  return ada.fetchJson<Run>(`${path}/${id}`)
}

test('DSH-38 template for published posts posts to the chat of the organization, and says so when none is connected', async () => {
  const { ada } = office.world
  const template = 'POST /api/workflow-templates/published-post/workflows'
  const { id } = await ada.fetchJson<{ id: string }>(template, { state: 'enabled' }, 201)
  expect(await publish(id)).toMatchObject({
    state: 'succeeded',
    log: [{ outcome: 'done', result: expect.stringContaining('No chat is connected') }],
  })
  expect(service.messages).toEqual([])

  await ada.fetchJson('PUT /api/chat-webhook', { url: service.slackUrl })
  expect(await publish(id)).toMatchObject({ state: 'succeeded', log: [{ outcome: 'done', result: null }] })
  expect(service.refusals).toEqual([])
  const messages = service.messages.splice(0)
  expect(messages).toHaveLength(1)
  expect(JSON.stringify(messages)).toContain('A post was published on bluesky')
  expect(JSON.stringify(messages)).toContain('https://social.example/p/1')
})

test('DSH-38 notify step posts to the chat only when it says so, and only with a role', async () => {
  const { ada } = office.world
  await ada.fetchJson('PUT /api/chat-webhook', { url: service.slackUrl })
  const step = { type: 'notify', title: 'Published', reason: 'R', href: '/actions', role: 'viewer' }
  const draft = { name: 'Quiet', trigger: { type: 'event', event: 'post.published' } }
  const { id } = await ada.fetchJson<{ id: string }>('POST /api/workflows', { ...draft, steps: [step] }, 201)
  await publish(id)
  expect(service.messages).toEqual([])
  const change = `PUT /api/workflows/${id}`
  const { role: _, ...personal } = { ...step, people: [ada.id], chat: true }
  const refused = await ada.fetch(change, { steps: [personal] })
  expect([refused.status, await refused.json()]).toMatchObject([422, { errors: [{ path: 'steps.0.chat' }] }])
  expect(await ada.fetchJson<object>(change, { steps: [{ ...step, chat: 'true' }] })).toMatchObject({
    steps: [{ chat: true }],
  })
  await publish(id)
  expect(service.messages.splice(0)).toHaveLength(1)
})
