import { expect } from 'bun:test'
import { answeredFaults, type AnsweredFault, type Wire } from '../counterparts/wire/wire.ts'

/** What a response to a fault has to be. */
export interface Expected {
  status: number
  /** What its body contains. */
  body: unknown
  headers?: Record<string, string | RegExp>
}

/**
 * Makes a request meet every fault in turn: answers come in the provider's own words and do nothing, and of the others,
 * those after acceptance do what was asked once.
 */
export async function meetEveryFault<Route extends string>(
  wire: Pick<Wire<string, Route>, 'fail' | 'callsOf'>,
  route: Route,
  send: (signal?: AbortSignal) => Promise<Response>,
  /** How many times the request was carried out. */
  done: () => number,
  expected: Record<AnsweredFault, Expected>,
): Promise<void> {
  const before = done()
  for (const fault of answeredFaults) {
    wire.fail(route, fault)
    const response = await send()
    const { status, body, headers = {} } = expected[fault]
    expect([fault, response.status]).toEqual([fault, status])
    expect(await response.json()).toMatchObject(body as object)
    for (const [name, value] of Object.entries(headers)) expect(response.headers.get(name) ?? '').toMatch(value)
  }
  expect(done()).toBe(before)

  const arrived = wire.callsOf(route).length
  wire.fail(route, 'no_answer_before')
  expect(await giveUp(send, () => wire.callsOf(route).length > arrived)).toBe('AbortError')
  expect(done()).toBe(before)

  wire.fail(route, 'no_answer_after')
  expect(await giveUp(send, () => done() > before)).toBe('AbortError')
  expect(done()).toBe(before + 1)

  wire.fail(route, 'connection_lost')
  expect(await outcome(send())).not.toBe('answered')
  expect(done()).toBe(before + 2)

  wire.fail(route, 'malformed')
  const garbled = await send()
  expect(garbled.ok).toBe(true)
  expect(await garbled.text()).toBe('{"data":')
  expect(done()).toBe(before + 3)

  expect((await send()).ok).toBe(true)
  expect(done()).toBe(before + 4)
}

/** Sends a request, and goes without a response once the condition holds. */
async function giveUp(send: (signal: AbortSignal) => Promise<Response>, isTime: () => boolean): Promise<string> {
  const client = new AbortController()
  const sent = outcome(send(client.signal))
  while (!isTime()) await Bun.sleep(1)
  await Bun.sleep(5)
  client.abort()
  return sent
}

const outcome = (response: Promise<Response>): Promise<string> =>
  response.then(
    (answered) => answered.text().then(() => 'answered'),
    (error: unknown) => (error instanceof Error ? error.name : 'error'),
  )
