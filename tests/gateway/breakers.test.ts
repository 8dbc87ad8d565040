import { expect, test } from 'bun:test'
import { createBreakers } from '../../src/gateway/providers/breakers.ts'

test('GTW-12 a circuit opens after repeated failures, lets one probe through, and closes when that succeeds', () => {
  let at = 0
  const breakers = createBreakers(() => new Date(at))
  const canCall = () => breakers.admit('a').canCall
  for (let failure = 0; failure < 5; failure++) {
    expect(canCall()).toBe(true)
    breakers.fail('a')
  }
  expect(breakers.admit('a')).toEqual({ canCall: false, limited: false, retryAfterMs: 10_000 })
  const openedAt = new Date(0)
  expect(breakers.stateOf('a')).toEqual({ state: 'open', failures: 5, openedAt, nextCallAt: new Date(10_000) })
  expect(breakers.stateOf('b')).toEqual({ state: 'closed', failures: 0, openedAt: null, nextCallAt: null })
  expect(breakers.admit('b')).toEqual({ canCall: true })
  at = 10_000
  expect([canCall(), canCall()]).toEqual([true, false])
  expect(breakers.stateOf('a')).toEqual({ state: 'probing', failures: 5, openedAt, nextCallAt: null })
  breakers.fail('a')
  expect(canCall()).toBe(false)
  expect(breakers.stateOf('a')).toEqual({ state: 'open', failures: 6, openedAt, nextCallAt: new Date(20_000) })
  at = 20_000
  expect(canCall()).toBe(true)
  breakers.succeed('a')
  expect([canCall(), canCall()]).toEqual([true, true])
})

test('GTW-12 a rate limit pauses a model for as long as its provider asks, and at most a minute', () => {
  let at = 0
  const breakers = createBreakers(() => new Date(at))
  breakers.limit('a', 7_000)
  expect(breakers.admit('a')).toEqual({ canCall: false, limited: true, retryAfterMs: 7_000 })
  expect(breakers.stateOf('a')).toEqual({
    state: 'limited',
    failures: 0,
    openedAt: null,
    nextCallAt: new Date(7_000),
  })
  at = 7_000
  expect(breakers.admit('a')).toEqual({ canCall: true })
  breakers.limit('a', 3_600_000)
  at = 67_000
  expect(breakers.admit('a')).toEqual({ canCall: true })
})
