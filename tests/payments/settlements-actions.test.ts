import { afterAll, afterEach, beforeAll, expect, mock, spyOn, test } from 'bun:test'
import { retryLater } from '#lib/errors.ts'
import { openActions, press } from '../dashboard/raised/acting.ts'
import {
  batchOf,
  itemsOf,
  openSettlements,
  read,
  receiveCallbacks,
  until,
  untilStatus,
  type Receiver,
  type Settlements,
} from './settlements-world.ts'

let settlements: Settlements
let receiver: Receiver

beforeAll(async () => {
  // What failed isn’t tried again by itself while a test runs.
  settlements = await openSettlements({ PAYMENTS_SWEEP_S: '600,600' })
  receiver = receiveCallbacks()
  await settlements.fund(10_000_000)
})
afterEach(() => mock.restore())
afterAll(async () => {
  await settlements.close()
  await receiver.stop()
})

const ada = () => settlements.world.ada
const isDown = () => Promise.reject(retryLater(503, 'gateway_unavailable', 'The payment provider can’t be reached.'))

/** The action of a batch once it is raised, or null once it is resolved. */
const untilAction = async (cause: string, isOpen: boolean) => {
  const [action] = await until(
    () => openActions(settlements.world, cause),
    (actions) => actions.length === (isOpen ? 1 : 0),
  )
  return action
}

test('PAY-21 DSH-20 batch that can’t be started raises an action, until its button starts it', async () => {
  const { payments } = settlements.world.provided.gateway
  const balance = spyOn(payments, 'getBalance').mockImplementation(isDown)
  const draft = batchOf(receiver.url, [1_100])
  await ada().fetchJson('POST /api/settlements', draft, 202)
  const { id } = await read(ada(), draft.batchId)
  const action = await untilAction(`settlement-start:${id}`, true)
  expect(action).toMatchObject({
    kind: 'payments.payout',
    title: `Batch ${draft.batchId} can’t be started`,
    reason: 'The payment provider can’t be reached. We try again by ourselves.',
  })
  const callsBefore = balance.mock.calls.length
  expect((await press(ada(), action, 'Check now')).status).toBe(202)
  await until(
    async () => balance.mock.calls.length,
    (calls) => calls > callsBefore,
  )
  expect(await read(ada(), draft.batchId)).toMatchObject({ status: 'accepted' })
  await untilAction(`settlement-start:${id}`, true)

  balance.mockRestore()
  expect((await press(ada(), action, 'Check now')).status).toBe(202)
  await untilAction(`settlement-start:${id}`, false)
  expect((await read(ada(), draft.batchId)).status).not.toBe('accepted')
})

test('PAY-13 DSH-20 payout that returns raises an action, until its button takes the transfer back', async () => {
  const draft = batchOf(receiver.url, [1_600])
  await ada().fetchJson('POST /api/settlements', draft, 202)
  const check = () => ada().fetchJson(`POST /api/settlements/${draft.batchId}/check`, {}, 202)
  const { id } = await until(
    async () => {
      await check()
      return read(ada(), draft.batchId)
    },
    ({ status }) => status === 'completed',
  )
  const reverse = spyOn(settlements.world.provided.gateway.payments, 'reverseTransfer').mockImplementation(isDown)
  const [paid] = await itemsOf(ada(), draft.batchId)
  await settlements.payments.returnPayout(paid?.payoutId ?? '')
  await until(
    async () => {
      await check()
      return itemsOf(ada(), draft.batchId)
    },
    ([item]) => item?.status === 'returned',
  )
  const action = await untilAction(`settlement-returned:${id}`, true)
  expect(action).toMatchObject({
    kind: 'payments.payout',
    title: `Batch ${draft.batchId}: 1 payout not paid`,
    reason: 'The bank returned the money. Its transfer to the recipient’s account is being reversed.',
  })
  reverse.mockRestore()
  await until(
    async () => {
      expect((await press(ada(), action, 'Check now')).status).toBe(202)
      return itemsOf(ada(), draft.batchId)
    },
    ([item]) => item?.reversalId != null,
  )
  await untilAction(`settlement-returned:${id}`, false)
  await untilStatus(ada(), draft.batchId, 'partially_failed')
})
