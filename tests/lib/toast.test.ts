import { expect, test } from 'bun:test'
import { toastTrigger } from '#lib/response/respond.ts'

test('toast with any characters is sent in a header', () => {
  const value = toastTrigger({ message: 'Verschoben auf „Montag“ 🌍' })
  expect(() => new Headers({ 'hx-trigger': value })).not.toThrow()
  expect(JSON.parse(value)).toEqual({
    toast: { target: 'body', message: 'Verschoben auf „Montag“ 🌍', tone: 'success' },
  })
})
